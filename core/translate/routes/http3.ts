import type { HeaderWrite } from "#core/envoy/header-edits.ts";

/** Tells clients that the same port speaks HTTP/3, for a day (istio `route.buildHTTP3AltSvcHeader`). */
export function altSvcHeader(port: number): HeaderWrite {
  return { name: "alt-svc", value: `h3=":${port}"; ma=86400`, mode: "append" };
}
