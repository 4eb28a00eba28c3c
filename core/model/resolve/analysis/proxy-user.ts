import type { Diagnostic } from "#core/lib/diagnostic.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { diagnose } from "./diagnose.ts";
import { isControlPlane } from "./service-ports.ts";

/** Applications that run as the user whose traffic is never captured, because it is the proxy's (istio `analyzers/deployment/pod.go`). */
export function checkUser(object: SourceObject<"Pod"> | SourceObject<"Deployment">): readonly Diagnostic[] {
  if (object.spec.runsAsProxyUser !== true || isControlPlane(object)) return [];
  const field = object.key.kind === "Deployment" ? "spec.template.spec" : "spec";
  const message = "runs an application as user 1337, which is the proxy's: its traffic is not captured; choose another runAsUser";
  return diagnose(object, { severity: "warning", code: "IST0144", field: `${field}.securityContext.runAsUser`, message });
}
