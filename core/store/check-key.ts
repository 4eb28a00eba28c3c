const KEY = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/** Lets a key pass. We write keys ourselves: another than the port allows is a bug, and must not leave the store's bounds. */
export function checkKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`"${key}" is not a key`);
  return key;
}
