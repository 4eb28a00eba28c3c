import type { SourceObject } from "#core/sources/object.ts";

/** A CronJob's Jobs end in the time of their start, in minutes or seconds since the epoch. */
const CRON_JOB = /(.+)-\d{8,10}$/;

/**
 * The name of the workload that a Pod belongs to: a label's, else what its controller suggests if its name was generated, else its own
 * (istio `pkg/kube/util.go` GetWorkloadMetaFromPod).
 */
export function podWorkloadName(pod: SourceObject<"Pod">): string {
  return pod.labels["service.istio.io/workload-name"] ?? (controllerName(pod) || pod.key.name);
}

function controllerName({ generateName, owners, labels }: SourceObject<"Pod">): string {
  const controller = generateName === "" ? undefined : owners.find((owner) => owner.controller);
  if (controller === undefined) return "";
  const { kind, name } = controller;
  if (kind === "ReplicaSet")
    return replicaSetOwner(name, labels["pod-template-hash"]) ?? replicaSetOwner(name, labels["rollouts-pod-template-hash"]) ?? name;
  if (kind === "ReplicationController") return labels.deploymentconfig || name;
  if (kind === "Job") return CRON_JOB.exec(name)?.[1] ?? name;
  return name;
}

/** The Deployment or Rollout whose template hash ends a ReplicaSet's name. */
function replicaSetOwner(name: string, hash: string | undefined): string | undefined {
  if (!hash || !name.endsWith(hash)) return undefined;
  return name.endsWith(`-${hash}`) ? name.slice(0, -hash.length - 1) : name;
}
