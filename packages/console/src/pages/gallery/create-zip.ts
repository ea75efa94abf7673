import { type Asset, safeFileName } from '@atelier/sdk';
import { makeZip } from 'client-zip';

import { atelier } from '../../atelier.ts';

interface Options {
  readonly signal: AbortSignal;
  readonly onBytes: (done: number) => void;
}

/** Streams a zip of files, one after another, so that only a chunk is in memory. */
export function createZip(
  assets: readonly Asset[],
  { signal, onBytes }: Options,
): ReadableStream<Uint8Array> {
  const names = uniqueNames(assets.map(({ name }) => safeFileName(name)));
  let before = 0;
  async function* entries() {
    for (const [place, asset] of assets.entries()) {
      yield {
        name: names[place],
        lastModified: new Date(asset.created_at),
        input: atelier.assets.open(asset).stream({
          signal,
          onProgress: ({ loaded }) => onBytes(before + loaded),
        }),
        ...(asset.size !== undefined && { size: asset.size }),
      };
      before += asset.size ?? 0;
    }
  }
  return makeZip(entries());
}

/** `cat.png`, `cat (2).png`: names in a zip are unique. */
function uniqueNames(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  const taken = new Set(names);
  return names.map((name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    if (count === 1) return name;
    const dot = name.lastIndexOf('.');
    const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    let next = count;
    while (taken.has(`${stem} (${next})${ending}`)) next += 1;
    const unique = `${stem} (${next})${ending}`;
    taken.add(unique);
    return unique;
  });
}
