import type { ModelFiles } from './abilities.ts';

/** The model files of all workers, by folder and sorted by name. Merged again only after a change. */
export function createModelFiles(offered: () => readonly ModelFiles[]) {
  let sources: readonly ModelFiles[] = [];
  let merged: ModelFiles = {};
  return () => {
    const now = offered();
    if (now.length === sources.length && now.every((each, index) => each === sources[index])) return merged;
    const folders = Map.groupBy(now.flatMap(Object.entries<readonly string[]>), ([folder]) => folder);
    merged = Object.fromEntries(
      [...folders].map(([folder, lists]) => [
        folder,
        [...new Set(lists.flatMap(([, files]) => files))].toSorted(),
      ]),
    );
    sources = now;
    return merged;
  };
}
