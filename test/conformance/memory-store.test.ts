import { memoryStore } from "#functions/io/memory.ts";
import { objectStoreConformance } from "./object-store.ts";

objectStoreConformance("memory", async () => {
  const store = memoryStore();
  return () => store;
});
