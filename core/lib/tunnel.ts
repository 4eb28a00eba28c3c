import type { Labels } from "./labels.ts";

/** Does a workload with these labels take traffic through HBONE tunnels? The label lists ways (istio `pilot/pkg/model/service.go` SupportsTunnel). */
export function takesTunnels(labels: Labels): boolean {
  return labels["networking.istio.io/tunnel"]?.split(",").includes("http") ?? false;
}
