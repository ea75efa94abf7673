import type { Worker } from '@atelier/contracts';
import { present } from '@atelier/contracts/present';

import { type Clock, toIso } from '../../platform/clock.ts';
import { type Db, engineOf } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors/app-error.ts';
import { type Actor, requireAdmin } from '../../platform/http/actor.ts';
import { type ConnectedWorker, stateOf, type WorkerIdentity } from './connected-worker.ts';
import type { Workers } from './create-workers.ts';
import type { WorkerOffer } from './matching/abilities.ts';
import type { EngineKind } from './matching/job-needs.ts';
import * as quarantines from './quarantines.repo.ts';
import { endedToday } from './worker-records.ts';
import * as repo from './workers.repo.ts';

/** A server that has written nothing for this long is gone, and its workers with it. */
const SEEN_MS = 30_000;

/** What an administrator wants a worker to do. Missing fields stay as they are; `drain: false` ends a drain and a quarantine. */
interface Wanted {
  readonly drain?: boolean;
  readonly quarantine?: string;
}

/** What servers tell each other about a worker. */
interface SharedWorker extends Worker {
  /** Missing from a server of an earlier version. */
  readonly model_files?: Record<string, string[]>;
}

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  /** The id of this process. */
  readonly server: string;
  readonly workers: Workers;
}

type OfferElsewhere = WorkerOffer & { readonly slots: number; readonly isOwn: boolean };

export type WorkersService = ReturnType<typeof createWorkersService>;

/** Workers as administrators see them, whichever server they are connected to. */
export function createWorkersService({ db, clock, server, workers }: Parts) {
  const isShared = engineOf(db) === 'postgres';
  let elsewhere: readonly OfferElsewhere[] = [];

  function describe(worker: ConnectedWorker): Worker {
    const { hello, identity, link, record, status } = worker;
    return {
      id: hello.instance,
      name: hello.name,
      kind: hello.kind,
      version: hello.version,
      state: stateOf(worker),
      ...present({
        reason: record.quarantine?.reason,
        problem: status?.problem,
        token_id: identity.isOwn ? undefined : identity.tokenId,
      }),
      server,
      slots: hello.slots,
      labels: hello.labels,
      memory_bytes: hello.memoryBytes,
      ...present({
        ram: status?.ram && { total_bytes: status.ram.totalBytes, free_bytes: status.ram.freeBytes },
        node_types: hello.nodeTypes,
      }),
      gpus: hello.gpus.map(({ name, memoryBytes }, index) => ({
        name,
        memory_bytes: memoryBytes,
        ...present({ free_bytes: status?.gpus[index]?.freeBytes }),
      })),
      models: Object.fromEntries(
        Object.entries(hello.models).map(([folder, files]) => [folder, files.length]),
      ),
      jobs: [...worker.attempts.values()].map(({ id, currentNode, heardAt }) => {
        const [jobId = '', attempt] = id.split('/');
        return { job_id: jobId, attempt: Number(attempt), ...currentNode(), heard_at: toIso(heardAt()) };
      }),
      jobs_today: endedToday(record, clock()),
      errors: record.errors.map(({ at, ...error }) => ({ ...error, at: toIso(at) })),
      connected_at: toIso(worker.connectedAt),
      seen_at: toIso(link ? clock() : worker.seenAt),
    };
  }

  const toRow = (worker: ConnectedWorker) => ({
    instance: worker.hello.instance,
    server,
    token_id: worker.identity.tokenId,
    about: JSON.stringify({ ...describe(worker), model_files: worker.hello.models }),
    seen_at: clock(),
  });

  async function others(): Promise<(SharedWorker & { readonly noted_at: number })[]> {
    if (!isShared) return [];
    const rows = await repo.listWorkers(db);
    return rows
      .filter((row) => row.server !== server && clock() - row.seen_at < SEEN_MS)
      .map(({ about, seen_at }) => ({ ...(JSON.parse(about) as SharedWorker), noted_at: seen_at }));
  }

  /** False when the worker may be connected to another server. */
  function apply(instance: string, { drain, quarantine: reason }: Wanted): boolean {
    const worker = workers.get(instance);
    if (!worker) return false;
    const { quarantine } = worker.record;
    workers.setWanted(worker, {
      drain: drain ?? worker.isDraining,
      quarantine:
        reason !== undefined ? { reason, isAutomatic: false } : drain === false ? undefined : quarantine,
    });
    return worker.link !== undefined;
  }

  async function find(id: string): Promise<Pick<Worker, 'name' | 'token_id'> | undefined> {
    const here = workers.get(id);
    return here ? describe(here) : (await others()).find((worker) => worker.id === id);
  }

  /** The quarantine of a worker that a server starts itself ends with the server. */
  async function keepQuarantine(
    { name, token_id }: Pick<Worker, 'name' | 'token_id'>,
    { drain, quarantine: reason }: Wanted,
  ): Promise<void> {
    if (token_id === undefined) return;
    if (reason !== undefined) await quarantines.put(db, { token_id, name, reason });
    else if (drain === false) await quarantines.remove(db, token_id, name);
  }

  return {
    async list(actor: Actor): Promise<Worker[]> {
      requireAdmin(actor);
      const there = (await others()).map(({ model_files: _files, noted_at: _at, ...worker }) => worker);
      // Two servers know a worker that has just moved.
      const moved = new Set(there.map(({ id }) => id));
      const here = workers.all().filter(({ link, hello }) => link || !moved.has(hello.instance));
      return [...here.map(describe), ...there.filter(({ id }) => !workers.get(id)?.link)];
    },
    async models(actor: Actor, id: string): Promise<Record<string, string[]>> {
      requireAdmin(actor);
      const found =
        workers.get(id)?.hello.models ?? (await others()).find((worker) => worker.id === id)?.model_files;
      if (!found) throw notFound('worker', id);
      return found;
    },
    /** Drains, quarantines or releases a worker. */
    async want(actor: Actor, id: string, wanted: Wanted): Promise<void> {
      requireAdmin(actor);
      const worker = await find(id);
      if (!worker) throw notFound('worker', id);
      await keepQuarantine(worker, wanted);
      if (apply(id, wanted) || !isShared) return;
      const here = workers.get(id);
      // It may be away since before the last exchange.
      if (here) await repo.putWorkers(db, [toRow(here)]);
      await repo.addWanted(db, id, JSON.stringify(wanted));
    },
    quarantineOf: async ({ isOwn, tokenId }: WorkerIdentity, name: string): Promise<string | undefined> =>
      isOwn ? undefined : await quarantines.find(db, tokenId, name),
    /** Labels and slots of the workers of all servers that take jobs. */
    offers: () => [
      ...workers
        .all()
        .filter((worker) => stateOf(worker) === 'ready' && worker.status?.problem === undefined)
        .map(({ hello }) => hello),
      ...elsewhere,
    ],
    /** Workers of other servers that take jobs, as of the last exchange. */
    elsewhere: (): readonly OfferElsewhere[] => elsewhere,
    /** Tells the other servers about the workers here, applies what administrators asked for there, and reads their workers. */
    async exchange(): Promise<readonly WorkerOffer[]> {
      if (!isShared) return elsewhere;
      const now = clock();
      for (const row of await repo.listWanted(db, server)) {
        const wanted = [JSON.parse(row.wanted)].flat() as Wanted[];
        const areDone = wanted.map((each) => apply(row.instance, each));
        if (!areDone.includes(false)) await repo.clearWanted(db, row);
      }
      for (const { id, state, noted_at } of await others()) {
        const before = workers.get(id);
        if (before && !before.link && state !== 'away' && noted_at > before.seenAt) workers.expel(before);
      }
      const all = workers.all();
      await repo.putWorkers(db, all.map(toRow));
      const kept = all.map(({ hello }) => hello.instance);
      await repo.forgetWorkers(db, server, { kept, seenBefore: now - SEEN_MS });
      elsewhere = (await others())
        .filter(({ state, problem }) => state === 'ready' && problem === undefined)
        .map(({ name, kind, labels, slots, memory_bytes, node_types, token_id, model_files = {} }) => ({
          name,
          isOwn: token_id === undefined,
          kind: kind as EngineKind,
          labels,
          slots,
          memoryBytes: memory_bytes,
          nodeTypes: node_types,
          models: model_files,
        }));
      return elsewhere;
    },
  };
}
