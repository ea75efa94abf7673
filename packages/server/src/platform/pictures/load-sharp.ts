import { loadOnce } from '../load-once.ts';

/** Loaded at the first use, because it costs 20 MB and 150 ms. */
export const loadSharp = loadOnce(async () => {
  const { default: sharp } = await import('sharp');
  // Runners work beside this, so one picture takes one thread, and no file is decoded twice in a row.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
});
