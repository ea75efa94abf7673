import { createHash } from 'node:crypto';
import {
  kindsOf,
  type ProxyTaskPage,
  type ProxyTaskQuery,
  type TaskKind,
  type TaskState,
  VENDOR_NAMES,
  VENDORS,
  vendorOf,
} from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';

import { toIso } from '../platform/clock.ts';
import { type Db, withTransaction } from '../platform/db/database.ts';
import { AppError, notFound } from '../platform/errors/app-error.ts';
import { cursorNumber, decodeCursor, encodeCursor } from '../platform/http/cursor.ts';
import { newId } from '../platform/ids.ts';
import { type LocalRendering, originOf, prepareFor } from './local-rendering.ts';
import type { AcceptedPicture, AcceptPictures, CheckedPicture } from './pictures/accept-pictures.ts';
import type { TaskContents } from './pictures/task-contents.ts';
import type { ProxyParts } from './proxy-parts.ts';
import { assertNoProblems } from './requests/invalid-body.ts';
import type { TaskRequest } from './requests/task-request.ts';
import { creditReference } from './runs/change-held-task.ts';
import * as repo from './tasks.repo.ts';
import { errorOf, roomOf } from './tasks.repo.ts';
import type { VendorAdapter } from './vendors/vendor.ts';

/** Runs in the transaction that creates the task. Throws a 402 when the credits do not suffice. */
export type ReserveCredits = (
  tx: Db,
  booking: {
    readonly userId: string;
    readonly amount: number;
    readonly reference: string;
    readonly reason: string;
  },
) => Promise<void>;

interface Parts extends ProxyParts {
  readonly reserve: ReserveCredits;
  readonly contents: TaskContents;
  readonly acceptPictures: AcceptPictures;
  readonly assertWebhookUrl: (url: string, field: string) => Promise<void>;
  readonly adapterFor: (kind: TaskKind) => VendorAdapter;
  readonly localRendering: LocalRendering;
  /** After the commit that made a task. */
  readonly wake: () => void;
  readonly maxInFlight: number;
  readonly taskMs: number;
}

export interface NewTask {
  readonly userId: string;
  readonly request: TaskRequest;
  readonly idempotencyKey?: string | undefined;
  /** The same for equal requests. */
  readonly fingerprint: () => string;
}

export interface TaskWithFiles {
  readonly task: repo.Task;
  readonly files: readonly repo.TaskFile[];
}

export type TasksService = ReturnType<typeof createTasksService>;

const OFF_PEAK_MS = 48 * 3_600_000;
/** Put-off tasks cost nothing while they wait, so they have a limit of their own. */
const MAX_PUT_OFF = 100;
const RETRY_AFTER_SECONDS = 5;
const MAX_ROUNDS = 3;
const LISTING = { sort: 'created_at', order: 'desc' } as const;

export function createTasksService(parts: Parts) {
  const { db, clock, reserve, contents, acceptPictures, assertWebhookUrl, adapterFor, wake } = parts;
  const { countStorage, maxInFlight, taskMs } = parts;

  async function insert(tx: Db, wanted: NewTask, pictures: readonly AcceptedPicture[]) {
    const id = newId();
    const now = clock();
    const { userId, request, idempotencyKey } = wanted;
    const { kind, credits, offPeak } = request;
    // This comes first, so that a second request with the same key waits for the first and is not charged.
    if (idempotencyKey !== undefined) {
      const use = { user_id: userId, key: idempotencyKey, task_id: id, body_hash: wanted.fingerprint() };
      const isFirst = await repo.insertTaskKey(tx, { ...use, created_at: now });
      const known = isFirst ? undefined : await repeated(tx, wanted);
      if (known) return known;
      if (!isFirst) throw new Error(`The key of a task that is gone: ${idempotencyKey}`);
    }
    // It also locks the account's row, so that nobody else counts at the same time.
    await reserve(tx, { userId, amount: credits, reference: creditReference(id), reason: `${kind} task` });
    await assertRoom(tx, userId, offPeak);
    for (const { hash } of pictures) {
      if (hash !== null && !(await contents.claim(tx, hash))) throw new PictureGone();
    }
    const task = await repo.insertTask(tx, {
      id,
      user_id: userId,
      kind,
      adapter: adapterFor(kind).name,
      stage: pictures.some(({ hash }) => hash === null) ? 'fetch' : 'work',
      is_put_off: offPeak ? 1 : 0,
      credits,
      created_at: now,
      deadline_at: now + (offPeak ? OFF_PEAK_MS : taskMs),
      webhook_url: request.webhook?.url ?? null,
      seed: request.seed,
      settings: JSON.stringify(request.settings),
      shown: JSON.stringify(request.shown),
      payload: request.payload ?? null,
    });
    const files = await repo.insertFiles(
      tx,
      pictures.map(({ field, ...file }) => ({ task_seq: task.seq, role: field, is_input: 1, ...file })),
    );
    await countStorage(tx, userId, roomOf(files), { assertRoom: true });
    return { task, files };
  }

  async function assertRoom(tx: Db, userId: string, offPeak: boolean): Promise<void> {
    const count = await repo.countOpen(tx, userId, offPeak ? 1 : 0);
    const max = offPeak ? MAX_PUT_OFF : maxInFlight;
    if (count < max) return;
    const sentence = offPeak
      ? `An account has at most ${max} off-peak tasks waiting. Try again when one has begun.`
      : `An account has at most ${max} tasks under way at once. Try again when one has ended.`;
    throw new AppError('proxy.too_many_tasks', sentence, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  async function repeated(tx: Db, { userId, idempotencyKey, fingerprint }: NewTask) {
    if (idempotencyKey === undefined) return undefined;
    const known = await repo.findTaskKey(tx, userId, idempotencyKey);
    if (!known) return undefined;
    if (known.body_hash !== fingerprint()) {
      throw new AppError(
        'proxy.key_reused',
        'This Idempotency-Key was used with another request. Use a new one for each task.',
      );
    }
    const task = await repo.findTask(tx, userId, known.task_id);
    return task && { task, files: await repo.listFiles(tx, task.seq) };
  }

  /** Sweeps the stored pictures again when no task was created. */
  async function insertOrSweep(wanted: NewTask, pictures: readonly CheckedPicture[]): Promise<TaskWithFiles> {
    const accepted = await acceptPictures.store(pictures);
    const hashes = accepted.flatMap(({ hash }) => hash ?? []);
    try {
      const made = await withTransaction(db, async (tx) => await insert(tx, wanted, accepted));
      // With a key it may be the task of another request, which has its own pictures.
      if (wanted.idempotencyKey !== undefined) await contents.sweep(hashes);
      return made;
    } catch (error) {
      await contents.sweep(hashes);
      throw error;
    }
  }

  async function validateWebhook({ webhook }: TaskRequest): Promise<string[]> {
    if (!webhook) return [];
    try {
      await assertWebhookUrl(webhook.url, webhook.field);
      return [];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return [error.message.replace(/\.$/, '')];
    }
  }

  return {
    async create(asked: NewTask): Promise<TaskWithFiles> {
      const known = await repeated(db, asked);
      if (known) return known;
      const adapter = adapterFor(asked.request.kind);
      const wanted = { ...asked, request: prepareFor(adapter, asked.request, parts.localRendering) };
      const { userId, request } = wanted;
      const { pictures, problems } = await acceptPictures.check(request.pictures);
      assertNoProblems([...problems, ...(await validateWebhook(request))]);
      // Checked before anything is stored, and again in the transaction.
      await assertRoom(db, userId, request.offPeak);
      for (let round = 1; ; round += 1) {
        try {
          const made = await insertOrSweep(wanted, pictures);
          wake();
          return made;
        } catch (error) {
          if (!(error instanceof PictureGone) || round === MAX_ROUNDS) throw error;
        }
      }
    },

    /** Another user's task and one that does not exist look the same. */
    async find(userId: string, id: string, kinds: readonly TaskKind[]): Promise<TaskWithFiles> {
      const task = await repo.findTask(db, userId, id);
      if (!task || !kinds.includes(task.kind as TaskKind)) throw notFound('task', id);
      return { task, files: task.state === 'done' ? await repo.listFiles(db, task.seq) : [] };
    },

    async list(userId: string, { vendor, state, limit = 20, after }: ProxyTaskQuery): Promise<ProxyTaskPage> {
      const rows = await repo.listTasks(db, userId, {
        among: vendor === undefined && state === undefined ? undefined : matching(vendor, state),
        beforeSeq: after === undefined ? undefined : cursorNumber(decodeCursor(after, LISTING)),
        limit: limit + 1,
      });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        tasks: page.map(toListed),
        ...(last &&
          rows.length > limit && {
            next_cursor: encodeCursor({ ...LISTING, value: String(last.seq), id: last.id }),
          }),
      };
    },
  };
}

/** A sweep deleted the bytes after they were stored and before a row named them. */
class PictureGone extends Error {}

/** Does not depend on the order of fields. */
export function fingerprintOf(route: string, body: unknown): string {
  const text = JSON.stringify([route, body], (_, value: unknown) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(text).digest('hex');
}

function toListed(task: repo.ListedTask): ProxyTaskPage['tasks'][number] {
  const kind = task.kind as TaskKind;
  const vendor = vendorOf(kind);
  return {
    id: task.id,
    vendor,
    kind,
    state: VENDORS[vendor].states[task.state],
    credits: task.credits,
    progress: task.progress,
    created_at: toIso(task.created_at),
    updated_at: toIso(task.updated_at),
    ...(task.ended_at !== null && { ended_at: toIso(task.ended_at) }),
    ...originOf(task),
    ...errorOf(task),
  };
}

/** The tasks for which a vendor, or any vendor, shows this word. */
function matching(vendor: ProxyTaskQuery['vendor'], word: string | undefined): repo.TaskMatch[] {
  return (vendor === undefined ? VENDOR_NAMES : [vendor]).map((name) => ({
    kinds: kindsOf(name),
    states: (Object.entries(VENDORS[name].states) as [TaskState, string][])
      .filter(([, shown]) => word === undefined || shown === word)
      .map(([state]) => state),
  }));
}
