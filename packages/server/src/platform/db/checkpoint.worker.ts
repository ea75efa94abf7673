import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { answerTasks } from '@atelier/engine/threads';

let checkpoint: StatementSync | undefined;

/** Answers whether the whole journal is in the file now. */
answerTasks<string, boolean>((file) => {
  checkpoint ??= prepare(file);
  const { busy, log, checkpointed } = checkpoint.get() ?? {};
  return busy === 0 && log === checkpointed;
});

function prepare(file: string): StatementSync {
  const database = new DatabaseSync(file, { timeout: 0 });
  database.exec('pragma synchronous = normal');
  return database.prepare('pragma wal_checkpoint(passive)');
}
