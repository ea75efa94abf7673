import type { Clock } from '../../platform/clock.ts';
import { createKept } from './catalogue-kept.ts';
import type { Listing } from './catalogue-listing.ts';
import type { Rendered } from './catalogue-rendered.ts';

interface Options {
  readonly clock: Clock;
  readonly readRevision: () => Promise<number>;
  /** How long a revision is believed although another server may have changed the catalogue. */
  readonly believeMs: number;
  /** For listings, and again for all other answers. */
  readonly maxBytes: number;
}

export type CatalogueCache = ReturnType<typeof createCatalogueCache>;

/**
 * What was made of the catalogue and can be used again. It is good while the catalogue's revision is the one it
 * was made from; a change made by this server is seen by the next request.
 */
export function createCatalogueCache({ clock, readRevision, believeMs, maxBytes }: Options) {
  let changes = 0;
  let known: { revision: number; readAt: number } | undefined;

  return {
    clock,
    answers: createKept<Rendered>({ clock, maxBytes }),
    listings: createKept<Listing>({ clock, maxBytes }),

    /** Read before anything that is made for it, so that what is made may be newer than its label but not older. */
    async revision(): Promise<number> {
      if (known && clock() - known.readAt < believeMs) return known.revision;
      const [readAt, changesBefore] = [clock(), changes];
      const revision = await readRevision();
      // A change that came while it was read makes it old already.
      if (changes === changesBefore) known = { revision, readAt };
      return revision;
    },

    /** Called after every change of the catalogue by this server. */
    changed(): void {
      changes += 1;
      known = undefined;
    },
  };
}
