/** Flags at one place of a pattern. */
export interface Flags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly ascii: boolean;
  readonly verbose: boolean;
}

export type Category = 'digit' | 'space' | 'word';

export type SetItem =
  | { readonly first: number; readonly last: number }
  | { readonly category: Category; readonly negated: boolean };

/** Positions between characters. */
export type Place = 'start' | 'lineStart' | 'end' | 'endOrNewline' | 'lineEnd' | 'boundary' | 'notBoundary';

export type PatternNode =
  | {
      readonly kind: 'character';
      readonly code: number;
      readonly ignoreCase: boolean;
      readonly ascii: boolean;
    }
  | { readonly kind: 'any'; readonly dotAll: boolean }
  | {
      readonly kind: 'set';
      readonly items: readonly SetItem[];
      readonly negated: boolean;
      readonly ignoreCase: boolean;
      readonly ascii: boolean;
    }
  | { readonly kind: 'place'; readonly place: Place; readonly ascii: boolean }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly PatternNode[] }
  /** `(?:…)` and groups with flags; `number` is there for those that capture. */
  | { readonly kind: 'group'; readonly number: number | undefined; readonly item: PatternNode }
  | {
      readonly kind: 'repeat';
      readonly min: number;
      readonly max: number;
      readonly mode: 'greedy' | 'lazy' | 'possessive';
      readonly item: PatternNode;
    }
  | { readonly kind: 'atomic'; readonly item: PatternNode }
  | {
      readonly kind: 'look';
      /** The length of a look-behind; `undefined` for a look-ahead. */
      readonly behind: number | undefined;
      readonly negated: boolean;
      readonly item: PatternNode;
    }
  | {
      readonly kind: 'reference';
      readonly group: number;
      readonly ignoreCase: boolean;
      readonly ascii: boolean;
    }
  | {
      readonly kind: 'condition';
      readonly group: number;
      readonly yes: PatternNode;
      readonly no: PatternNode | undefined;
    };

export interface PatternTree {
  readonly root: PatternNode;
  /** The number of capturing groups, without the whole match. */
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
}

/** Python's `re.error`: the pattern or replacement is malformed. */
export class PatternError extends Error {
  constructor(message: string, position?: number) {
    super(position === undefined ? message : `${message} at position ${position}`);
    this.name = 're.error';
  }
}

/** The least and greatest length of a match. */
export type Width = readonly [min: number, max: number];

export function sequenceWidth(widths: readonly Width[]): Width {
  return widths.reduce<Width>((sum, width) => [sum[0] + width[0], sum[1] + width[1]], [0, 0]);
}

export function choiceWidth(widths: readonly Width[]): Width {
  return widths.reduce((sum, width) => [Math.min(sum[0], width[0]), Math.max(sum[1], width[1])]);
}
