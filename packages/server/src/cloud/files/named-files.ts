import { placeKey } from '../workers/node-types/names-in-graph.ts';
import { type FilePlace, isFolderName, toPlace } from './file-place.ts';
import type { NodeOutput } from './user-files.ts';

/** A file that an output names, and where in the output. */
export interface NamedFile extends FilePlace {
  readonly outputKey: string;
  readonly outputIndex: number;
}

/** The files that a node says it made, each once. Names of inputs, which existed before, and invalid names are left out. */
export function namedFiles(output: NodeOutput): NamedFile[] {
  const found = Object.entries(output).flatMap(([outputKey, list]) =>
    Array.isArray(list)
      ? list.flatMap((entry, outputIndex) => toNamedFile(entry, outputKey, outputIndex))
      : [],
  );
  const byPlace = new Map(found.toReversed().map((file) => [placeKey(file), file]));
  return [...byPlace.values()].toReversed();
}

function toNamedFile(entry: unknown, outputKey: string, outputIndex: number): NamedFile[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const { filename, subfolder = '', type } = entry as Readonly<Record<string, unknown>>;
  if (typeof filename !== 'string' || typeof subfolder !== 'string' || !isFolderName(type)) return [];
  const place = toPlace(filename, { folder: type, subfolder });
  return place && place.folder !== 'input' ? [{ ...place, outputKey, outputIndex }] : [];
}
