import { hash as hashOf } from 'node:crypto';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import type { WorkerConflict } from '@atelier/contracts';
import {
  catalogueOf,
  DescriptionError,
  eachNodeDescription,
  mergeCatalogues,
  type NodeCatalogue,
  uniteCatalogues,
} from '@atelier/engine';

import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { inSlices } from '../../platform/in-slices.ts';
import { hasModel, type ModelFiles } from './able.ts';
import type { EngineKind } from './job-needs.ts';
import * as kept from './kept-offers.repo.ts';
import * as repo from './node-types.repo.ts';
import { BadMessage } from './read-message.ts';

/** How long a request waits for the first worker: a pack may take 30 seconds to load. */
const WAIT_MS = 30_000;
const LOOK_MS = 50;
const RETRY_SECONDS = 5;
const START_WORKER = '`npm run worker -- --server URL --token TOKEN`';
/** Some 7 ms of reading. */
const READ_AT_ONCE = 100;
const FORGET_MS = 30 * 24 * 3_600_000;
/** How long jobs are accepted for a ComfyUI worker that is away, such as for a restart. */
const AWAY_MS = 3_600_000;
/** How often it is written that a ComfyUI worker is still there. */
const KEEP_MS = 300_000;
const MAX_KEPT = 100;
/** A set that nobody offers stays in memory for so long. */
const UNUSED_MS = 600_000;
/** Among so many sets of the database the last one of each kind is looked for. */
const MAX_LOOKED = 20;
/** A member that only types of a ComfyUI server have. */
const FOREIGN = '"foreign":{';

/** Node types as workers describe them. None of their code is in this process. */
interface TypeSet {
  readonly catalogue: NodeCatalogue;
  /** What it was read from, for a thread. */
  readonly descriptions: readonly string[];
}

/** A type that a worker has otherwise than another one of its kind. */
export interface TypeConflict {
  readonly type: string;
  readonly difference: string;
  /** The hash of the node types whose type does not count. */
  readonly nodeTypes: string;
}

/** The node types of all workers. */
export interface NodeTypes {
  /** All of them, for editors. Of one name a built-in type is shown. */
  readonly catalogue: NodeCatalogue;
  /** A job runs in one place as a whole, so that a graph is judged by the types of one kind. */
  readonly kinds: Readonly<Record<EngineKind, TypeSet>>;
  readonly conflicts: readonly TypeConflict[];
  /** Whether a worker has a model file of this name. */
  readonly isModel: (name: string) => boolean;
}

export interface Offered {
  /** Of the worker. */
  readonly name: string;
  readonly kind: EngineKind;
  readonly hash: string;
  readonly models: ModelFiles;
  /** A server has started the worker itself. */
  readonly isOwn: boolean;
}

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  /** What workers offer now. */
  readonly offered: () => readonly Offered[];
  /** Whether a worker with built-in node types has still to say what it offers. Nobody waits for a ComfyUI that starts. */
  readonly isBuiltInComing: () => boolean;
  /** Whether any worker is connected, to any server. */
  readonly isAnyConnected: () => boolean;
  /** Whether this server has a built-in worker of its own. */
  readonly hasOwn: boolean;
  /** Other built-in types contradict each other now. */
  readonly onContradictions?: (found: readonly TypeConflict[]) => void;
  /** Workers that have not loaded their node types do so. */
  readonly askFor: () => void;
  readonly waitMs?: number;
}

/** The node types of all workers together. When none of a kind is connected, those that were offered last: jobs wait for the next worker. */
export function createNodeTypes(parts: Parts) {
  const { db, clock, offered, isBuiltInComing, askFor, hasOwn, waitMs = WAIT_MS } = parts;
  const sets = new Map<string, TypeSet & { readonly readAt: number }>();
  /** Many workers may come at once with the same set. */
  const finding = new Map<string, Promise<TypeSet | undefined>>();
  /** What each ComfyUI worker offered when it was last there, by its name. */
  const seen = new Map<string, Offered & { readonly at: number }>();
  /** What was there of each kind when there was something. */
  const last = new Map<EngineKind, readonly Offered[]>();
  /** The offers of ComfyUI workers as they were written last. */
  const written = new Map<string, Offered & { readonly at: number }>();
  let remembered: Promise<void> | undefined;
  /** Built-in sets that a server's own worker has offered. They count before all others, also while that worker starts again. */
  let own: readonly string[] = [];
  /** All built-in sets, those that count first. */
  let ranked: readonly string[] = [];
  /** Built-in types that do not count, and the same by the sets that have them. */
  let contradictions: readonly TypeConflict[] = [];
  let contradicted: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  /** How many wait for node types. */
  let waiting = 0;
  let current: { readonly key: string; readonly types: Promise<NodeTypes> } | undefined;

  async function keep(hash: string, description: string): Promise<TypeSet> {
    const nodes = eachNodeDescription(description);
    const entries: Parameters<typeof catalogueOf>[0][number][] = [];
    await inSlices(async () => {
      for (let count = 0; count < READ_AT_ONCE; count += 1) {
        const next = nodes.next();
        if (next.done) return false;
        entries.push(next.value);
      }
      return true;
    });
    const set = { catalogue: catalogueOf(entries), descriptions: [description], readAt: clock() };
    sets.set(hash, set);
    return set;
  }

  async function find(hash: string): Promise<TypeSet | undefined> {
    const known = sets.get(hash) ?? finding.get(hash);
    if (known) return await known;
    const found = load(hash).finally(() => finding.delete(hash));
    finding.set(hash, found);
    return await found;
  }

  async function load(hash: string): Promise<TypeSet | undefined> {
    const body = await repo.findNodeTypes(db, hash);
    return body === undefined ? undefined : await keep(hash, body);
  }

  /** What workers offer now, and what ComfyUI workers have offered that are away. */
  function offers(): readonly Offered[] {
    const now = clock();
    const present = offered().filter(({ hash }) => sets.has(hash));
    for (const offer of present) {
      if (offer.kind === 'comfyui') seen.set(offer.name, { ...offer, at: now });
    }
    const here = new Set(present.map(({ name }) => name));
    for (const [name, { at }] of seen) if (now - at > AWAY_MS) seen.delete(name);
    return [...present, ...seen.values().filter(({ name, hash }) => !here.has(name) && sets.has(hash))];
  }

  /** What was offered last before this server started. */
  async function remember(): Promise<void> {
    const now = clock();
    for (const offer of await kept.listOffers(db, MAX_KEPT)) {
      if (!(await find(offer.hash))) continue;
      const known = { ...offer, kind: 'comfyui' as const, isOwn: false };
      if (now - offer.at <= AWAY_MS) seen.set(offer.name, known);
      if (!last.has('comfyui')) last.set('comfyui', [known]);
    }
    for (const hash of await repo.listLastHashes(db, MAX_LOOKED)) {
      if (last.size === 2) return;
      const body = (await repo.findNodeTypes(db, hash)) ?? '';
      const kind = body.split('\n', 1)[0]?.includes(FOREIGN) ? 'comfyui' : 'built-in';
      if (!last.has(kind) && (await find(hash)))
        last.set(kind, [{ name: '', kind, hash, models: {}, isOwn: false }]);
    }
  }

  /**
   * Which sets count, and of built-in ones in which order: those of a server's own worker, then those that were there before, then by
   * hash. So a worker that somebody connects redefines nothing.
   */
  function arrange(): void {
    for (const [kind, group] of Map.groupBy(offers(), ({ kind: each }) => each)) last.set(kind, group);
    const hashes = hashesOf('built-in');
    const ownNow = last.get('built-in')?.flatMap(({ hash, isOwn }) => (isOwn ? hash : [])) ?? [];
    if (ownNow.length > 0 || !hasOwn) own = ownNow.toSorted();
    const before = ranked;
    ranked = [...new Set([...own, ...before.filter((hash) => hashes.includes(hash)), ...hashes])];
    if (ranked.join(' ') !== before.join(' ')) findContradictions();
  }

  function findContradictions(): void {
    let known = catalogueOf([]);
    const found: TypeConflict[] = [];
    for (const hash of ranked) {
      const { catalogue = catalogueOf([]) } = sets.get(hash) ?? {};
      const { conflicts } = uniteCatalogues(known, catalogue);
      found.push(...conflicts.map((conflict) => ({ ...conflict, nodeTypes: hash })));
      known = mergeCatalogues([catalogue, known]);
    }
    contradictions = found;
    const byHash = Map.groupBy(found, ({ nodeTypes }) => nodeTypes);
    contradicted = new Map([...byHash].map(([hash, all]) => [hash, new Set(all.map(({ type }) => type))]));
    parts.onContradictions?.(found);
  }

  async function look(): Promise<NodeTypes | undefined> {
    remembered ??= remember().catch((error: unknown) => {
      remembered = undefined;
      throw error;
    });
    await remembered;
    arrange();
    if (last.size === 0) return undefined;
    const comfyui = hashesOf('comfyui');
    const key = `${ranked.join(' ')}/${comfyui.join(' ')}`;
    if (current?.key !== key) {
      current = { key, types: together(comfyui) };
      forgetUnused();
    }
    return await current.types;
  }

  const lastOffers = (): readonly Offered[] => [...last.values()].flat();
  const isBuiltInOffered = (): boolean => offered().some(({ kind }) => kind === 'built-in');

  function hashesOf(kind: EngineKind): readonly string[] {
    return [...new Set(last.get(kind)?.map(({ hash }) => hash))].toSorted();
  }

  /** Computed once for each change. */
  async function together(comfyui: readonly string[]): Promise<NodeTypes> {
    const builtIn = ranked.flatMap((hash) => sets.get(hash) ?? []);
    const kinds = {
      'built-in': {
        // Of two with the same name the later one counts.
        catalogue: mergeCatalogues(builtIn.map(({ catalogue }) => catalogue).toReversed()),
        descriptions: builtIn.flatMap(({ descriptions }) => descriptions),
      },
      comfyui: { catalogue: catalogueOf([]), descriptions: [] as string[] },
    };
    const conflicts: TypeConflict[] = [...contradictions];
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
    return { catalogue, kinds, conflicts, isModel };
  }

  function forgetUnused(): void {
    const used = new Set([...lastOffers(), ...offered()].map(({ hash }) => hash).concat(ranked));
    for (const [hash, { readAt }] of sets) {
      if (!used.has(hash) && clock() - readAt > UNUSED_MS) sets.delete(hash);
    }
  }

  function showConflict(type: string, found: readonly TypeConflict[]): WorkerConflict {
    const odd = new Set(found.map(({ nodeTypes: hash }) => hash));
    const named = (which: (offer: Offered) => boolean): string[] =>
      lastOffers()
        .filter(which)
        .map(({ name }) => name)
        .toSorted();
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
    /** Whether a worker with this set runs the type as everybody knows it. */
    has: (hash: string, nodeType: string): boolean =>
      sets.get(hash)?.catalogue.get(nodeType) !== undefined && !contradicted.get(hash)?.has(nodeType),
    /** A worker has come, or offers something else. */
    arrange,
    isWanted: () => waiting > 0,
    /** Whether the set is known, here or in the database. */
    async knows(hash: string): Promise<boolean> {
      if (!(await find(hash))) return false;
      await repo.noteUse(db, hash, clock());
      return true;
    },
    /** Takes a description of a worker. Throws `BadMessage` when it is not what its hash says, or not one at all. */
    async learn(hash: string, body: string): Promise<void> {
      if (hashOf('sha256', body) !== hash)
        throw new BadMessage('The node types do not have the hash that was offered.');
      try {
        await keep(hash, body);
      } catch (error) {
        throw error instanceof DescriptionError ? new BadMessage(error.message) : error;
      }
      await repo.putNodeTypes(db, { hash, body, last_used_at: clock() });
    },
    /** Refuses with 503 while there are none. */
    async get(): Promise<NodeTypes> {
      askFor();
      const deadline = performance.now() + waitMs;
      waiting += 1;
      try {
        for (;;) {
          const isLate = performance.now() >= deadline;
          const found = await look();
          // What others offer must not stand for what this server's own worker has.
          const isOwnMissing = hasOwn && own.length === 0 && isBuiltInOffered();
          const isWhole = !isOwnMissing && (last.has('built-in') || !isBuiltInComing());
          if (found && (isWhole || isLate)) return found;
          // Nothing is on its way.
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
    /** Remembers for the next start what ComfyUI workers offer here. Writes only what has changed, or was written long ago. */
    async keepOffers(here: readonly Offered[]): Promise<void> {
      const at = clock();
      for (const offer of here) {
        const before = written.get(offer.name);
        const isWritten =
          before?.hash === offer.hash && before.models === offer.models && at - before.at < KEEP_MS;
        if (offer.kind !== 'comfyui' || isWritten) continue;
        written.set(offer.name, { ...offer, at });
        await kept.putOffer(db, { ...offer, at });
      }
    },
    /** Does not wait for workers. */
    async conflicts(): Promise<WorkerConflict[]> {
      const all = (await look())?.conflicts ?? [];
      return [...Map.groupBy(all, ({ type }) => type)].map(([type, found]) => showConflict(type, found));
    },
    async tidy(): Promise<void> {
      await kept.forgetOffers(db, clock() - FORGET_MS);
      await repo.forgetNodeTypes(db, clock() - FORGET_MS);
    },
  };
}
