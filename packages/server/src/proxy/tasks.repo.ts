import type { TaskKind, TaskState } from '@atelier/contracts';
import { type Selectable, sql } from 'kysely';

import type { Db } from '../platform/db/database.ts';
import { prepareQuery } from '../platform/db/prepared-query.ts';
import type { TaskFileRow, TaskKeyRow, TaskRow } from '../platform/db/schema/proxy.ts';
import { slowRead } from '../platform/db/slow-read.ts';

export type Task = Selectable<TaskRow>;
export type TaskFile = Selectable<TaskFileRow>;

const LISTED = [
  'seq',
  'id',
  'kind',
  'state',
  'credits',
  'progress',
  'error_code',
  'error_message',
  'created_at',
  'updated_at',
  'ended_at',
  'adapter',
  'shown',
] as const;
/** Without the payload, which may be a megabyte. */
export type ListedTask = Pick<Task, (typeof LISTED)[number]>;

type NewTask = Pick<
  Task,
  'id' | 'user_id' | 'kind' | 'adapter' | 'stage' | 'is_put_off' | 'credits' | 'created_at' | 'deadline_at'
> &
  Pick<Task, 'webhook_url' | 'seed' | 'settings' | 'shown' | 'payload'>;

const insertion = prepareQuery((db, task: NewTask) =>
  db
    .insertInto('tasks')
    .values({
      id: task.id,
      user_id: task.user_id,
      kind: task.kind,
      adapter: task.adapter,
      state: 'created',
      stage: task.stage,
      is_put_off: task.is_put_off,
      credits: task.credits,
      progress: 0,
      due_at: task.created_at,
      deadline_at: task.deadline_at,
      losses: 0,
      troubles: 0,
      looks: 0,
      webhook_url: task.webhook_url,
      created_at: task.created_at,
      updated_at: task.created_at,
      seed: task.seed,
      settings: task.settings,
      shown: task.shown,
      payload: task.payload,
    })
    .returningAll(),
);

export async function insertTask(tx: Db, task: NewTask): Promise<Task> {
  const [row] = await insertion(tx, task);
  if (!row) throw new Error(`Task ${task.id} was not written.`);
  return row;
}

type NewTaskFile = Omit<TaskFile, 'seq'>;

const fileInsertion = prepareQuery((db, file: NewTaskFile) =>
  db
    .insertInto('task_files')
    .values({
      task_seq: file.task_seq,
      role: file.role,
      is_input: file.is_input,
      url: file.url,
      hash: file.hash,
      media_type: file.media_type,
      size: file.size,
    })
    .returningAll(),
);

/** Files whose bytes are not stored count for nothing. */
export function roomOf(files: readonly Pick<TaskFile, 'hash' | 'size'>[]) {
  const kept = files.filter(({ hash }) => hash !== null);
  return { files: kept.length, bytes: kept.reduce((sum, { size }) => sum + (size ?? 0), 0) };
}

export async function insertFiles(tx: Db, files: readonly NewTaskFile[]): Promise<readonly TaskFile[]> {
  const rows: TaskFile[] = [];
  for (const file of files) rows.push(...(await fileInsertion(tx, file)));
  return rows;
}

const openOf = prepareQuery((db, { userId, isPutOff }: { userId: string; isPutOff: number }) =>
  db
    .selectFrom('tasks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('is_put_off', '=', isPutOff)
    .where('due_at', 'is not', null),
);

/** How many tasks of an account are under way, or with `isPutOff` wait for an idle queue. */
export async function countOpen(db: Db, userId: string, isPutOff: 0 | 1): Promise<number> {
  const [row] = await openOf(db, { userId, isPutOff });
  return row?.count ?? 0;
}

export type OpenTasks = Awaited<ReturnType<typeof countAllOpen>>[number];

/**
 * `later` are tasks that a server or a vendor has, or that wait for a retry. Reads only the index `tasks_due`, which has no ended tasks.
 * States and kinds would need the rows.
 */
export async function countAllOpen(db: Db, now: number) {
  return await db
    .selectFrom('tasks')
    .select(['adapter', 'is_put_off'])
    .select([
      sql<number>`count(case when due_at <= ${now} then 1 end)`.as('due'),
      sql<number>`count(case when due_at > ${now} then 1 end)`.as('later'),
    ])
    .where('due_at', 'is not', null)
    // The first columns of the index in its order, so that nothing has to be sorted.
    .groupBy(['stage', 'adapter', 'is_put_off'])
    .execute();
}

const byId = prepareQuery((db, { id, userId }: { id: string; userId: string }) =>
  db.selectFrom('tasks').selectAll().where('id', '=', id).where('user_id', '=', userId),
);

export async function findTask(db: Db, userId: string, id: string): Promise<Task | undefined> {
  const [task] = await byId(db, { id, userId });
  return task;
}

const filesOf = prepareQuery((db, { taskSeq }: { taskSeq: number }) =>
  db.selectFrom('task_files').selectAll().where('task_seq', '=', taskSeq).orderBy('seq'),
);

export async function listFiles(db: Db, taskSeq: number): Promise<TaskFile[]> {
  return await filesOf(db, { taskSeq });
}

/** Stores a fetched input. False when another step was faster. */
export async function setInputFile(
  tx: Db,
  seq: number,
  file: { readonly hash: string; readonly media_type: string; readonly size: number },
): Promise<boolean> {
  const result = await tx
    .updateTable('task_files')
    .set(file)
    .where('seq', '=', seq)
    .where('hash', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export interface TaskMatch {
  readonly kinds: readonly TaskKind[];
  readonly states: readonly TaskState[];
}

interface ListOptions {
  /** Tasks that match one of these. Absent: all. */
  readonly among: readonly TaskMatch[] | undefined;
  readonly beforeSeq?: number | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function listTasks(db: Db, userId: string, options: ListOptions): Promise<ListedTask[]> {
  const { beforeSeq, limit } = options;
  const among = options.among?.filter(({ states }) => states.length > 0);
  if (among?.length === 0) return [];
  let query = db
    .selectFrom('tasks')
    .select(LISTED)
    .where('user_id', '=', userId)
    .orderBy('seq', 'desc')
    .limit(limit);
  if (among) {
    query = query.where((eb) =>
      eb.or(among.map(({ kinds, states }) => eb.and([eb('kind', 'in', kinds), eb('state', 'in', states)]))),
    );
  }
  if (beforeSeq !== undefined) query = query.where('seq', '<', beforeSeq);
  return among ? await slowRead(db, userId, query) : await query.execute();
}

/** False when the account has used that key already. The first insert makes the others wait for its outcome. */
export async function insertTaskKey(tx: Db, row: TaskKeyRow): Promise<boolean> {
  const result = await tx
    .insertInto('task_keys')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function findTaskKey(db: Db, userId: string, key: string): Promise<TaskKeyRow | undefined> {
  return await db
    .selectFrom('task_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst();
}

export async function isContentUsed(db: Db, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom('task_files')
    .select('seq')
    .where('hash', '=', hash)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function listSeqsOf(db: Db, userId: string, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('tasks')
    .select('seq')
    .where('user_id', '=', userId)
    .limit(limit)
    .execute();
  return rows.map((row) => row.seq);
}

/** Oldest first. */
export async function listTasksAfter(db: Db, userId: string, seq: number, limit: number): Promise<Task[]> {
  return await db
    .selectFrom('tasks')
    .selectAll()
    .where('user_id', '=', userId)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

export async function deleteTaskKeysOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('task_keys').where('user_id', '=', userId).execute();
}

export async function listEndedBefore(db: Db, time: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('tasks')
    .select('seq')
    .where('ended_at', '<', time)
    .orderBy('ended_at')
    .limit(limit)
    .execute();
  return rows.map((row) => row.seq);
}

export interface ForgottenFile extends Pick<TaskFile, 'hash' | 'size'> {
  readonly user_id: string;
}

export async function deleteTasks(tx: Db, seqs: readonly number[]): Promise<ForgottenFile[]> {
  const files = await tx
    .deleteFrom('task_files')
    .where('task_seq', 'in', seqs)
    .returning(['task_seq', 'hash', 'size'])
    .execute();
  const tasks = await tx.deleteFrom('tasks').where('seq', 'in', seqs).returning(['seq', 'user_id']).execute();
  const owners = new Map(tasks.map(({ seq, user_id }) => [seq, user_id]));
  return files.flatMap(({ task_seq, ...file }) => {
    const user_id = owners.get(task_seq);
    return user_id === undefined ? [] : [{ ...file, user_id }];
  });
}

export async function listSpentInputs(db: Db, endedBefore: number, limit: number) {
  return await db
    .selectFrom('task_files')
    .innerJoin('tasks', 'tasks.seq', 'task_files.task_seq')
    .select(['task_files.seq', 'task_files.hash', 'task_files.size', 'tasks.user_id'])
    .where('task_files.is_input', '=', 1)
    .where('task_files.hash', 'is not', null)
    .where('tasks.ended_at', '<', endedBefore)
    .limit(limit)
    .execute();
}

/** Returns the inputs that were not forgotten before. */
export async function forgetInputs<T extends ForgottenFile & Pick<TaskFile, 'seq'>>(
  tx: Db,
  inputs: readonly T[],
): Promise<T[]> {
  const rows = await tx
    .updateTable('task_files')
    .set({ hash: null })
    .where(
      'seq',
      'in',
      inputs.map(({ seq }) => seq),
    )
    .where('hash', 'is not', null)
    .where(sql<boolean>`is_input = 1`)
    .returning('seq')
    .execute();
  const forgotten = new Set(rows.map(({ seq }) => seq));
  return inputs.filter(({ seq }) => forgotten.has(seq));
}

/** Only of a task that has failed. */
export function errorOf(task: Pick<Task, 'error_code' | 'error_message'>) {
  const { error_code: code, error_message: message } = task;
  return code === null ? {} : { error: { code, message: message ?? '' } };
}
