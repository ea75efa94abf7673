import { catalogueOf, mergeCatalogues, uniteCatalogues } from '@atelier/engine';

import type { Offered, TypeConflict } from './node-types.ts';
import type { TypeSets } from './type-sets.ts';

interface Parts {
  readonly sets: Pick<TypeSets, 'get'>;
  /** Whether this server has a built-in worker of its own. */
  readonly hasOwn: boolean;
  /** Called when different types contradict each other. */
  readonly onContradictions?: ((found: readonly TypeConflict[]) => void) | undefined;
}

/**
 * The precedence of built-in sets: those of a server's own worker, then those that were there before, then by hash. So a worker that
 * connects redefines nothing.
 */
export function createBuiltInRanking({ sets, hasOwn, onContradictions }: Parts) {
  /** The sets of a server's own worker. They come first, even while that worker restarts. */
  let own: readonly string[] = [];
  let ranked: readonly string[] = [];
  let contradictions: readonly TypeConflict[] = [];
  /** The types that are ignored, by their set. */
  let contradicted: ReadonlyMap<string, ReadonlySet<string>> = new Map();

  function findContradictions(): void {
    let known = catalogueOf([]);
    const found: TypeConflict[] = [];
    for (const hash of ranked) {
      const catalogue = sets.get(hash)?.catalogue ?? catalogueOf([]);
      const { conflicts } = uniteCatalogues(known, catalogue);
      found.push(...conflicts.map((conflict) => ({ ...conflict, nodeTypes: hash })));
      known = mergeCatalogues([catalogue, known]);
    }
    contradictions = found;
    const byHash = Map.groupBy(found, ({ nodeTypes }) => nodeTypes);
    contradicted = new Map([...byHash].map(([hash, all]) => [hash, new Set(all.map(({ type }) => type))]));
    onContradictions?.(found);
  }

  return {
    update(offers: readonly Pick<Offered, 'hash' | 'isOwn'>[]): void {
      const hashes = [...new Set(offers.map(({ hash }) => hash))].toSorted();
      const ownNow = offers.flatMap(({ hash, isOwn }) => (isOwn ? hash : []));
      if (ownNow.length > 0 || !hasOwn) own = ownNow.toSorted();
      const before = ranked;
      ranked = [...new Set([...own, ...before.filter((hash) => hashes.includes(hash)), ...hashes])];
      if (ranked.join(' ') !== before.join(' ')) findContradictions();
    },
    /** In the order of precedence. */
    hashes: (): readonly string[] => ranked,
    contradictions: (): readonly TypeConflict[] => contradictions,
    counts: (hash: string, type: string): boolean => !contradicted.get(hash)?.has(type),
    /** While true, the offers of others must not replace those of this server's own worker. */
    isOwnMissing: (): boolean => hasOwn && own.length === 0,
  };
}
