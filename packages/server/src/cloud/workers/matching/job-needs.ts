import { hash } from 'node:crypto';
import type { WorkerMessages } from '@atelier/contracts';

import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import * as repo from './job-needs.repo.ts';

/** What runs the jobs of a worker. */
export type EngineKind = WorkerMessages['hello']['kind'];

/** What a worker must have to run a job. */
export interface JobNeeds {
  /** Sorted and without duplicates, as are the labels. */
  readonly nodeTypes: readonly string[];
  readonly labels: readonly string[];
  /** Which kind of worker has its node types; `built-in` by default. */
  readonly kind?: EngineKind;
  /** The names of model files, sorted. */
  readonly models?: readonly string[];
  /** It ran out of memory at a worker with this many bytes. */
  readonly memoryAbove?: number;
  /** The names of the workers that lost it. */
  readonly lostAt?: readonly string[];
  /** Until then, it waits for another worker that can run it, if there is one. */
  readonly othersUntil?: number;
  /** How often its worker crashed while running it. */
  readonly crashes?: number;
  /** A node of the job, or another user of the ComfyUI, interrupted it. */
  readonly wasInterrupted?: true;
}

const ANY_WORKER: JobNeeds = { nodeTypes: [], labels: [] };
const DAY_MS = 24 * 3_600_000;
const KEPT_MS = 30 * DAY_MS;
/** How many needs this server remembers. Forgotten ones are read again when a job has them. */
const MAX_KNOWN = 20_000;

export type JobNeedsStore = ReturnType<typeof createJobNeedsStore>;

/** The needs of jobs. Equal needs are stored once, under the key that the jobs refer to. */
export function createJobNeedsStore({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  let byKey = new Map<string, JobNeeds>();
  const keys = new Map<string, { readonly key: Promise<string>; readonly putAt: number }>();

  function know(key: string, needs: JobNeeds): JobNeeds {
    if (byKey.size >= MAX_KNOWN) {
      byKey = new Map();
      keys.clear();
    }
    byKey.set(key, needs);
    return needs;
  }

  return {
    /** In the order in which they became known. Starts over with a new map when there are too many. */
    known: (): ReadonlyMap<string, JobNeeds> => byKey,
    /** Stores needs and returns their key. */
    async put(needs: JobNeeds): Promise<string> {
      const body = JSON.stringify(needs);
      const now = clock();
      const before = keys.get(body);
      // Written again now and then, so no server removes needs that another one still uses for new jobs.
      if (before && now - before.putAt < DAY_MS) return await before.key;
      const put = async (): Promise<string> => {
        const key = hash('sha256', body, 'base64url');
        await repo.putNeeds(db, { key, body, last_used_at: now });
        know(key, needs);
        return key;
      };
      // Remembered at once, so that concurrent jobs write it once.
      const key = put();
      keys.set(body, { key, putAt: now });
      key.catch(() => keys.delete(body));
      return await key;
    },
    async get(key: string | null): Promise<JobNeeds> {
      if (key === null) return ANY_WORKER;
      const known = byKey.get(key);
      if (known) return known;
      const body = await repo.findNeeds(db, key);
      if (body === undefined) throw new Error(`The needs ${key} are not in the database.`);
      return know(key, JSON.parse(body) as JobNeeds);
    },
    tidy: async (): Promise<void> => await repo.forgetNeeds(db, clock() - KEPT_MS),
  };
}
