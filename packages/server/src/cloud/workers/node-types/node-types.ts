import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import type { WorkerConflict } from '@atelier/contracts';
import { catalogueOf, mergeCatalogues, type NodeCatalogue, uniteCatalogues } from '@atelier/engine';

import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { hasModel, type ModelFiles } from '../matching/abilities.ts';
import type { EngineKind, JobNeeds } from '../matching/job-needs.ts';
import * as offersRepo from '../workers.repo.ts';
import * as repo from './node-types.repo.ts';
import { createBuiltInRanking } from './rank-built-in.ts';
import { createTypeSets, type TypeSet } from './type-sets.ts';

/** How long a request waits for the first worker: a pack can take 30 seconds to load. */
const WAIT_MS = 30_000;
const LOOK_MS = 50;
const RETRY_SECONDS = 5;
const START_WORKER = '`npm run worker -- --server URL --token TOKEN`';
const FORGET_MS = 30 * 24 * 3_600_000;
/** How long jobs are accepted for a ComfyUI worker that is away, for example during a restart. */
const AWAY_MS = 3_600_000;
/** How often the offer of a ComfyUI worker is written again to show that it is still there. */
const KEEP_MS = 300_000;
const MAX_KEPT = 100;
/** How many sets of the database are searched for the last one of each kind. */
const MAX_SEARCHED = 20;

/** A type that two workers of one kind define differently. */
export interface TypeConflict {
  readonly type: string;
  readonly difference: string;
  /** The hash of the set whose type is ignored. */
  readonly nodeTypes: string;
}

/** The node types of all workers. */
export interface NodeTypes {
  /** All types, for editors. A built-in type hides a ComfyUI type of the same name. */
  readonly catalogue: NodeCatalogue;
  /** A job runs in one place as a whole, so a graph is validated with the types of one kind. */
  readonly kinds: Readonly<Record<EngineKind, TypeSet>>;
  readonly conflicts: readonly TypeConflict[];
  /** Whether a worker has a model file of this name. */
  readonly isModel: (name: string) => boolean;
  /** Whether one ComfyUI worker has all node types and models of a job. */
  readonly isAtOneComfyUi: (needs: Pick<JobNeeds, 'nodeTypes' | 'models'>) => boolean;
}

export interface Offered {
  readonly name: string;
  readonly kind: EngineKind;
  readonly hash: string;
  readonly models: ModelFiles;
  /** Whether a server started the worker itself. */
  readonly isOwn: boolean;
}

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  /** What the connected workers offer now. */
  readonly offered: () => readonly Offered[];
  /** Whether a worker with built-in node types has yet to report them. Requests do not wait for a ComfyUI that starts. */
  readonly isBuiltInComing: () => boolean;
  readonly isAnyConnected: () => boolean;
  /** Whether this server has a built-in worker of its own. */
  readonly hasOwn: boolean;
  /** Called when different built-in types contradict each other. */
  readonly onContradictions?: (found: readonly TypeConflict[]) => void;
  /** Makes workers load their node types if they have not done so. */
  readonly askFor: () => void;
  readonly waitMs?: number;
}

export type NodeTypeStore = ReturnType<typeof createNodeTypes>;

/** The node types of all workers. While no worker of a kind is connected, its last offers count, and jobs wait for the next worker. */
export function createNodeTypes(parts: Parts) {
  const { db, clock, offered, isBuiltInComing, askFor, hasOwn, waitMs = WAIT_MS } = parts;
  const sets = createTypeSets({ db, clock });
  const builtIn = createBuiltInRanking({ sets, hasOwn, onContradictions: parts.onContradictions });
  /** The last offer of each ComfyUI worker, by its name. */
  const seen = new Map<string, Offered & { readonly at: number }>();
  /** The last offers of each kind. */
  const last = new Map<EngineKind, readonly Offered[]>();
  /** The offers of ComfyUI workers as last written. */
  const written = new Map<string, Offered & { readonly at: number }>();
  let remembered: Promise<void> | undefined;
  let waiting = 0;
  let current: { readonly key: string; readonly types: Promise<NodeTypes> } | undefined;

  /** What workers offer now, and the last offers of ComfyUI workers that are away. */
  function offers(): readonly Offered[] {
    const now = clock();
    const present = offered().filter(({ hash }) => sets.get(hash));
    for (const offer of present) {
      if (offer.kind === 'comfyui') seen.set(offer.name, { ...offer, at: now });
    }
    const here = new Set(present.map(({ name }) => name));
    for (const [name, { at }] of seen) if (now - at > AWAY_MS) seen.delete(name);
    return [...present, ...seen.values().filter(({ name, hash }) => !here.has(name) && sets.get(hash))];
  }

  /** Reads what was last offered before this server started. */
  async function remember(): Promise<void> {
    const now = clock();
    for (const offer of await offersRepo.listOffers(db, MAX_KEPT)) {
      if (!(await sets.find(offer.hash))) continue;
      const known = { ...offer, kind: 'comfyui' as const, isOwn: false };
      if (now - offer.at <= AWAY_MS) seen.set(offer.name, known);
      if (!last.has('comfyui')) last.set('comfyui', [known]);
    }
    if (last.size === 2) return;
    for await (const { hash, kind } of sets.last(MAX_SEARCHED)) {
      if (last.has(kind) || !(await sets.find(hash))) continue;
      last.set(kind, [{ name: '', kind, hash, models: {}, isOwn: false }]);
      if (last.size === 2) return;
    }
  }

  function arrange(): void {
    for (const [kind, group] of Map.groupBy(offers(), ({ kind: each }) => each)) last.set(kind, group);
    builtIn.update(last.get('built-in') ?? []);
  }

  async function look(): Promise<NodeTypes | undefined> {
    remembered ??= remember().catch((error: unknown) => {
      remembered = undefined;
      throw error;
    });
    await remembered;
    arrange();
    if (last.size === 0) return undefined;
    const comfyui = [...new Set(last.get('comfyui')?.map(({ hash }) => hash))].toSorted();
    const key = `${builtIn.hashes().join(' ')}/${comfyui.join(' ')}`;
    if (current?.key !== key) {
      current = { key, types: together(comfyui) };
      const used = [...lastOffers(), ...offered()].map(({ hash }) => hash);
      sets.forgetUnused(new Set([...used, ...builtIn.hashes()]));
    }
    return await current.types;
  }

  const lastOffers = (): readonly Offered[] => [...last.values()].flat();
  const isBuiltInOffered = (): boolean => offered().some(({ kind }) => kind === 'built-in');

  /** Computed once for each change. */
  async function together(comfyui: readonly string[]): Promise<NodeTypes> {
    const ranked = builtIn.hashes().flatMap((hash) => sets.get(hash) ?? []);
    const kinds = {
      'built-in': {
        // The last of several types with one name wins.
        catalogue: mergeCatalogues(ranked.map(({ catalogue }) => catalogue).toReversed()),
        descriptions: ranked.flatMap(({ descriptions }) => descriptions),
      },
      comfyui: { catalogue: catalogueOf([]), descriptions: [] as string[] },
    };
    const conflicts: TypeConflict[] = [...builtIn.contradictions()];
    for (const hash of comfyui) {
      const set = sets.get(hash);
      if (!set) continue;
      const { catalogue, conflicts: found } = uniteCatalogues(kinds.comfyui.catalogue, set.catalogue);
      kinds.comfyui = { catalogue, descriptions: [...kinds.comfyui.descriptions, ...set.descriptions] };
      conflicts.push(...found.map((conflict) => ({ ...conflict, nodeTypes: hash })));
      await turn();
    }
    const catalogue = mergeCatalogues([kinds.comfyui.catalogue, kinds['built-in'].catalogue]);
    const isModel = (name: string) => lastOffers().some(({ models }) => hasModel(models, name));
    const isAtOneComfyUi: NodeTypes['isAtOneComfyUi'] = ({ nodeTypes, models = [] }) =>
      (last.get('comfyui') ?? []).some(
        (offer) =>
          models.every((name) => hasModel(offer.models, name)) &&
          nodeTypes.every((type) => sets.get(offer.hash)?.catalogue.get(type)),
      );
    return { catalogue, kinds, conflicts, isModel, isAtOneComfyUi };
  }

  function showConflict(type: string, found: readonly TypeConflict[]): WorkerConflict {
    const odd = new Set(found.map(({ nodeTypes: hash }) => hash));
    // Workers of several servers can have the same name.
    const named = (which: (offer: Offered) => boolean): string[] =>
      [...new Set(lastOffers().flatMap((offer) => (which(offer) ? offer.name : [])))].toSorted();
    const kinds = new Set(lastOffers().flatMap(({ hash, kind }) => (odd.has(hash) ? kind : [])));
    return {
      type,
      used: named(
        ({ kind, hash }) =>
          kinds.has(kind) && !odd.has(hash) && sets.get(hash)?.catalogue.get(type) !== undefined,
      ),
      others: found.map(({ difference, nodeTypes: hash }) => ({
        workers: named((offer) => offer.hash === hash),
        difference,
      })),
    };
  }

  return {
    /** Whether a worker with this set has the type as it is offered to users. */
    has: (hash: string, nodeType: string): boolean =>
      sets.get(hash)?.catalogue.get(nodeType) !== undefined && builtIn.counts(hash, nodeType),
    /** Call it when a worker has connected or changed its offer. */
    arrange,
    /** The models of all workers, including ComfyUI workers that are away. */
    models(): readonly ModelFiles[] {
      arrange();
      return lastOffers().map(({ models }) => models);
    },
    isWanted: () => waiting > 0,
    knows: sets.knows,
    learn: sets.learn,
    /** Throws `cloud.node_types_loading` while there are none. */
    async get(): Promise<NodeTypes> {
      askFor();
      const deadline = performance.now() + waitMs;
      waiting += 1;
      try {
        for (;;) {
          const isLate = performance.now() >= deadline;
          const found = await look();
          const isOwnMissing = builtIn.isOwnMissing() && isBuiltInOffered();
          const isWhole = !isOwnMissing && (last.has('built-in') || !isBuiltInComing());
          if (found && (isWhole || isLate)) return found;
          // No worker will report any.
          if (isLate || !(hasOwn || parts.isAnyConnected())) break;
          await delay(LOOK_MS);
        }
      } finally {
        waiting -= 1;
      }
      throw new AppError(
        'cloud.node_types_loading',
        hasOwn || parts.isAnyConnected()
          ? `No worker has said yet what it can run. Try again in ${RETRY_SECONDS} seconds.`
          : `No worker is connected yet, so no node types are known. An administrator starts one with ${START_WORKER} (docs/guide/workers.md).`,
        { retryAfterSeconds: RETRY_SECONDS },
      );
    },
    /** Stores what ComfyUI workers offer, for the next start. Writes only what has changed or was written long ago. */
    async keepOffers(here: readonly Offered[]): Promise<void> {
      const at = clock();
      for (const offer of here) {
        const before = written.get(offer.name);
        const isWritten =
          before?.hash === offer.hash && before.models === offer.models && at - before.at < KEEP_MS;
        if (offer.kind !== 'comfyui' || isWritten) continue;
        written.set(offer.name, { ...offer, at });
        await offersRepo.putOffer(db, { ...offer, at });
      }
    },
    /** Does not wait for workers. */
    async conflicts(): Promise<WorkerConflict[]> {
      const all = (await look())?.conflicts ?? [];
      return [...Map.groupBy(all, ({ type }) => type)].map(([type, found]) => showConflict(type, found));
    },
    async tidy(): Promise<void> {
      await offersRepo.forgetOffers(db, clock() - FORGET_MS);
      await repo.forgetNodeTypes(db, clock() - FORGET_MS);
    },
  };
}
