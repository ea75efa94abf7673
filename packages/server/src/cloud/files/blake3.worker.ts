import { open } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { createBLAKE3 } from 'hash-wasm';

export interface HashTask {
  readonly id: number;
  readonly path: string;
}

export type HashAnswer =
  | { readonly id: number; readonly hash: string }
  | { readonly id: number; readonly error: Error };

const PIECE_BYTES = 1024 * 1024;

parentPort?.on('message', (task: HashTask) => {
  void answer(task);
});

async function answer({ id, path }: HashTask): Promise<void> {
  const answered: HashAnswer = await hashOf(path).then(
    (hash) => ({ id, hash }),
    (error: Error) => ({ id, error }),
  );
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is not a window
  parentPort?.postMessage(answered);
}

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
