import type sharp from 'sharp';

let loaded: Promise<typeof sharp> | undefined;

/** Loaded at the first use, because it costs 20 MB and 150 ms. */
export async function loadSharp(): Promise<typeof sharp> {
  loaded ??= import('sharp').then(({ default: library }) => {
    // Runners work beside this, so one picture takes one thread, and no file is decoded twice in a row.
    library.cache(false);
    library.concurrency(1);
    return library;
  });
  return await loaded;
}
