import { hash } from 'node:crypto';

import type { Clock } from '../../../platform/clock.ts';
import type { EngineKind, JobNeeds } from './job-needs.ts';

/** How many combinations of ready workers are cached. */
const MAX_OFFERS = 1000;

const modelNames = new WeakMap<ModelFiles, ReadonlySet<string>>();

/** Whether any folder has such a file. Graphs do not name the folder. */
export function hasModel(models: ModelFiles, name: string): boolean {
  return modelNames.getOrInsertComputed(models, () => new Set(Object.values(models).flat())).has(name);
}

/** What a worker has that decides which jobs it can run. */
export interface WorkerOffer {
  readonly name: string;
  readonly kind: EngineKind;
  readonly labels: readonly string[];
  readonly memoryBytes: number;
  readonly nodeTypes?: string | undefined;
  /** File names by folder. */
  readonly models: ModelFiles;
}

export type ModelFiles = Readonly<Record<string, readonly string[]>>;

interface Parts {
  readonly clock: Clock;
  readonly known: () => ReadonlyMap<string, JobNeeds>;
  /** Whether the set of node types with this hash has a type. */
  readonly hasNodeType: (hash: string, nodeType: string) => boolean;
}

/** The needs that a combination of workers does not meet. */
const newUnable = (of: ReadonlyMap<string, JobNeeds>) => ({
  of,
  keys: [] as string[],
  /** How many of the known needs were examined. */
  examined: 0,
  /** The needs of jobs that a worker has lost: whether it may have them again depends on the other workers and on the time. */
  lost: [] as string[],
});

export type Abilities = ReturnType<typeof createAbilities>;

/** Which worker can run which job. */
export function createAbilities({ clock, known, hasNodeType }: Parts) {
  const unableOf = new Map<string, ReturnType<typeof newUnable>>();
  const kinds = new WeakMap<WorkerOffer, string>();

  const has = (worker: WorkerOffer, needs: JobNeeds): boolean => {
    const { nodeTypes, labels, kind = 'built-in', models = [], memoryAbove = -1 } = needs;
    return (
      worker.kind === kind &&
      worker.memoryBytes > memoryAbove &&
      // Every ComfyUI worker has the label `comfyui`, whatever its token allows.
      labels.every((label) => worker.labels.includes(label) || worker.kind === label) &&
      nodeTypes.every((type) => worker.nodeTypes !== undefined && hasNodeType(worker.nodeTypes, type)) &&
      models.every((name) => hasModel(worker.models, name))
    );
  };

  /** A job that was lost at this worker waits a while for one of `all` that has not lost it. */
  const isAble = (worker: WorkerOffer, needs: JobNeeds, all: readonly WorkerOffer[]): boolean => {
    if (!has(worker, needs)) return false;
    const lostAt = ({ name }: WorkerOffer) => needs.lostAt?.includes(name) ?? false;
    if (!lostAt(worker) || clock() >= (needs.othersUntil ?? 0)) return true;
    return !all.some((other) => !lostAt(other) && has(other, needs));
  };

  /** Identifies workers with the same offer, so what they cannot do is computed once. */
  const kindOf = (worker: WorkerOffer): string =>
    kinds.getOrInsertComputed(worker, ({ kind, nodeTypes, labels, memoryBytes, models }) => {
      const files = hash('sha256', JSON.stringify(models));
      return `${kind} ${nodeTypes} ${files} ${memoryBytes} ${labels.toSorted().join(' ')}`;
    });

  function examine(ready: readonly WorkerOffer[]) {
    const needs = known();
    const offers = [...new Set(ready.map(kindOf))].toSorted().join('\n');
    let unable = unableOf.get(offers);
    if (!unable || unable.of !== needs || unable.examined > needs.size) {
      unable = newUnable(needs);
      if (unableOf.size > MAX_OFFERS) unableOf.clear();
      unableOf.set(offers, unable);
    }
    if (unable.examined === needs.size) return unable;
    for (const [key, each] of needs.entries().drop(unable.examined)) {
      if (each.lostAt) unable.lost.push(key);
      else if (!ready.some((worker) => has(worker, each))) unable.keys.push(key);
    }
    unable.examined = needs.size;
    return unable;
  }

  return {
    known,
    isAble,
    kindOf,
    /** Call it when node types of a set are ignored or count again. */
    forget: (): void => unableOf.clear(),
    /** The needs that none of the `ready` workers meets now; `all` are the workers that take jobs at all. */
    unable(ready: readonly WorkerOffer[], all: readonly WorkerOffer[]): readonly string[] {
      const { keys, lost } = examine(ready);
      if (lost.length === 0) return keys;
      const isUnable = (key: string): boolean => {
        const needs = known().get(key);
        return !needs || !ready.some((worker) => isAble(worker, needs, all));
      };
      return [...keys, ...lost.filter(isUnable)];
    },
    /** Whether one of `all` meets the needs and has more memory than this. */
    hasMoreMemory: (needs: JobNeeds, memoryAbove: number, all: readonly WorkerOffer[]): boolean =>
      all.some((worker) => has(worker, { ...needs, memoryAbove })),
  };
}
