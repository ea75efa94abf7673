import type sharp from 'sharp';

let loaded: Promise<typeof sharp> | undefined;

/** Loaded at the first use, since who only asks for declarations should not pay 20 MB and 150 ms for it. */
export async function loadSharp(): Promise<typeof sharp> {
  loaded ??= import('sharp').then(({ default: library }) => {
    // Several runners work side by side, so one picture takes one thread; and no file is decoded twice in a row, so
    // that libvips would keep operations in memory for nobody.
    library.cache(false);
    library.concurrency(1);
    return library;
  });
  return await loaded;
}
