import type * as MediaWork from './media-work.ts';

/** What reads and writes sound and video, loaded at the first use: who asks for declarations should not pay 30 MB for FFmpeg. */
export async function loadMediaWork(): Promise<typeof MediaWork> {
  return await import('./media-work.ts');
}
