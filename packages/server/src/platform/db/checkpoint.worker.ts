import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** Whether all of the journal is in the file now. */
export type CheckpointAnswer = { readonly isDone: boolean } | { readonly error: Error };

const database = new DatabaseSync(String(workerData), { timeout: 0 });
database.exec('pragma synchronous = normal');
const checkpoint = database.prepare('pragma wal_checkpoint(passive)');

parentPort?.on('message', () => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is not a window
  parentPort?.postMessage(answer());
});

function answer(): CheckpointAnswer {
  try {
    const { busy, log, checkpointed } = checkpoint.get() ?? {};
    return { isDone: busy === 0 && log === checkpointed };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}
