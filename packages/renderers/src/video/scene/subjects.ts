import type { Figure } from './figures/figure.ts';
import { createFlight } from './figures/flight.ts';
import { createFloat } from './figures/float.ts';
import { createLandmark } from './figures/landmark.ts';
import { createDrive, createWalk, focusOn } from './figures/walk.ts';
import type { Element, Focus, Site } from './site.ts';

/** A place for something to stand: its foot, how near it is, and how large things are there. */
export interface Anchor {
  readonly x: number;
  readonly y: number;
  readonly depth: number;
  readonly scale: number;
  /** The row of the ground at a column; level where it is absent. */
  footAt?(x: number): number;
}

export type Anchors = Readonly<Record<'near' | 'far' | 'water' | 'road', Anchor>>;

/** The elements of the figures, by where they are. */
export interface Cast {
  readonly sky: readonly Element[];
  readonly far: readonly Element[];
  readonly water: readonly Element[];
  readonly near: readonly Element[];
  readonly focus: Focus | undefined;
}

/** About where things fly. */
function overhead({ size, horizon }: Site): Focus {
  return { x: size.width / 2, y: horizon * 0.5 };
}

/** Lets the figures act: at their places, or on their way through the film. */
export function createSubjects(site: Site, figures: readonly Figure[], anchors: Anchors): Cast {
  const at = (home: Figure['shape']['home']): readonly Figure[] =>
    figures.filter(({ shape }) => shape.home === home);
  // Those of one place stand beside each other.
  const spread = (anchor: Anchor, index: number): Anchor => {
    if (index === 0) return anchor;
    const x = anchor.x + (index % 2 === 0 ? 1 : -1) * Math.ceil(index / 2) * 0.3 * site.size.height;
    return { ...anchor, x };
  };
  const placed = (home: 'near' | 'far' | 'water' | 'road'): readonly (readonly [Figure, Anchor])[] =>
    at(home).map((figure, index) => [figure, spread(anchors[home], index)]);
  const seen = [...placed('near'), ...placed('road'), ...placed('water'), ...placed('far')][0];
  return {
    sky: at('sky').map((figure) => createFlight(site, figure)),
    far: placed('far').map(([figure, anchor]) => createLandmark(site, figure, anchor)),
    water: placed('water').map(([figure, anchor]) => createFloat(site, figure, anchor)),
    near: [
      ...placed('road').map(([figure, anchor]) => createDrive(site, figure, anchor)),
      ...placed('near').map(([figure, anchor]) => createWalk(site, figure, anchor)),
    ],
    focus: seen ? focusOn(site, ...seen) : at('sky').length > 0 ? overhead(site) : undefined,
  };
}
