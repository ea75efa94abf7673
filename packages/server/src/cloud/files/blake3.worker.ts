import { open } from 'node:fs/promises';
import { answerTasks } from '@atelier/engine/threads';
import { createBLAKE3 } from 'hash-wasm';

export type HashAnswer = { readonly hash: string } | { readonly error: Error };

const PIECE_BYTES = 1024 * 1024;

answerTasks<string, HashAnswer>(async (path) => {
  try {
    return { hash: await hashOf(path) };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
});

async function hashOf(path: string): Promise<string> {
  const hasher = await createBLAKE3();
  await using handle = await open(path, 'r');
  const { size } = await handle.stat();
  const piece = Buffer.allocUnsafeSlow(Math.max(1, Math.min(size, PIECE_BYTES)));
  for (;;) {
    const { bytesRead } = await handle.read(piece, 0, piece.length);
    if (bytesRead === 0) return hasher.digest('hex');
    hasher.update(piece.subarray(0, bytesRead));
  }
}
