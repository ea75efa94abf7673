import type * as MediaWork from './media-work.ts';

/** Reads and writes sound and video. Loaded at first use, because FFmpeg takes 30 MB that declarations do not need. */
export async function loadMediaWork(): Promise<typeof MediaWork> {
  return await import('./media-work.ts');
}
