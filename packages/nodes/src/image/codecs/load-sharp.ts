import type sharp from 'sharp';

let loaded: Promise<typeof sharp> | undefined;

/** Loaded at first use, because it takes 20 MB and 150 ms that declarations do not need. */
export async function loadSharp(): Promise<typeof sharp> {
  loaded ??= import('sharp').then(({ default: library }) => {
    // Several runners work in parallel, so a picture gets one thread. No file is decoded twice in a row, so caching operations would only take memory.
    library.cache(false);
    library.concurrency(1);
    return library;
  });
  return await loaded;
}
