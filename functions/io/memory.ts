import { compareText } from "#core/lib/compare.ts";
import { checkKey } from "#core/store/check-key.ts";
import type { Listed, ObjectStore, Put } from "#core/store/object-store.ts";

/** A store that lives as long as the process: for trying things out, and for tests. */
export function memoryStore(now: () => number = Date.now): ObjectStore {
  const objects = new Map<string, { readonly bytes: Uint8Array; readonly token: string; readonly modified: number }>();
  let writes = 0;
  const write = (key: string, bytes: Uint8Array): Put => {
    const token = String(++writes);
    objects.set(checkKey(key), { bytes: bytes.slice(), token, modified: now() });
    return { outcome: "written", token };
  };
  return {
    get: async (key, ifNot) => {
      const object = objects.get(key);
      if (object === undefined) return { outcome: "absent" };
      return object.token === ifNot ? { outcome: "unchanged" } : { outcome: "found", bytes: object.bytes.slice(), token: object.token };
    },
    putIfAbsent: async (key, bytes) => (objects.has(key) ? { outcome: "refused" } : write(key, bytes)),
    swap: async (key, bytes, token) => (objects.get(key)?.token === token ? write(key, bytes) : { outcome: "refused" }),
    list: async (prefix) => {
      const listed: Listed[] = [];
      for (const [key, { bytes, modified }] of objects) if (key.startsWith(prefix)) listed.push({ key, size: bytes.length, modified });
      return listed.sort((a, b) => compareText(a.key, b.key));
    },
    delete: async (key, token) => {
      if (token === undefined || objects.get(key)?.token === token) objects.delete(key);
    },
  };
}
