import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "node:test";
import type { FolderContent } from "#functions/io/folder.ts";
import { type FolderWatch, watchFolders } from "#functions/io/watch.ts";

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

export interface Watched {
  readonly dir: string;
  readonly told: FolderContent[];
  readonly watch: FolderWatch;
}

export async function start(
  files: Readonly<Record<string, string>>,
  options: { readonly batch?: number; readonly rescan?: number } = {},
): Promise<Watched> {
  const dir = newFolder();
  for (const [name, text] of Object.entries(files)) put(join(dir, name), text);
  return startIn(dir, options);
}

export async function startIn(dir: string, options: { readonly batch?: number; readonly rescan?: number } = {}): Promise<Watched> {
  const told: FolderContent[] = [];
  const onError = (error: unknown): void => assert.fail(String(error));
  const watch = watchFolders({ dirs: [dir], cluster: "Kubernetes", onContent: (content) => void told.push(content), onError, batch: 10, ...options });
  opened.push(() => watch.close());
  await watch.ready;
  return { dir, told, watch };
}

export function put(path: string, text: string): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
}

/** Names of the objects last told. */
export function names({ told }: Watched): string {
  return (told.at(-1)?.documents ?? []).map(({ value }) => (value as { metadata: { name: string } }).metadata.name).join(" ");
}

export function problems({ told }: Watched): number {
  return told.at(-1)?.diagnostics.length ?? 0;
}

export async function until(condition: () => boolean, what: string): Promise<void> {
  for (let left = 300; left > 0 && !condition(); left--) await pause(10);
  assert.ok(condition(), what);
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A folder of one's own with nothing in it, gone after the test. */
export function newFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "almanac-watch-"));
  opened.push(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export const object = (name: string): string => `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\n`;
