/** An animal on four legs, to the right. Lengths are of a field of 100 in height. */
export interface Beast {
  readonly wide: number;
  /** Middle of the body, its length, and how thick it is at the chest and at the loins. */
  readonly back: number;
  readonly long: number;
  readonly chest: number;
  readonly loin: number;
  readonly legs: number;
  readonly thick: number;
  readonly neck: { readonly length: number; readonly angle: number; readonly width: number };
  readonly head: { readonly length: number; readonly width: number; readonly droop: number };
  readonly ears: 'up' | 'hanging' | 'small' | 'large';
  readonly tail: {
    readonly length: number;
    readonly width: number;
    readonly angle: number;
    readonly wag: number;
  };
  readonly fur: string;
  readonly belly?: string | undefined;
  readonly mane?: string | undefined;
  readonly extra?: 'antlers' | 'trunk' | 'hump' | 'wool' | 'patches' | undefined;
}

const DOG: Beast = {
  wide: 124,
  back: 47,
  long: 52,
  chest: 29,
  loin: 19,
  legs: 44,
  thick: 8.5,
  neck: { length: 20, angle: 2.45, width: 17 },
  head: { length: 23, width: 16, droop: 0.25 },
  ears: 'hanging',
  tail: { length: 30, width: 6, angle: -2.4, wag: 0.55 },
  fur: '#a8743c',
  belly: '#d8b27c',
};

const HORSE: Beast = {
  wide: 122,
  back: 44,
  long: 52,
  chest: 27,
  loin: 23,
  legs: 50,
  thick: 8.5,
  neck: { length: 31, angle: 2.4, width: 18 },
  head: { length: 24, width: 11, droop: -0.35 },
  ears: 'small',
  tail: { length: 34, width: 9, angle: -0.75, wag: 0.25 },
  fur: '#70432a',
  mane: '#2a1a14',
};

export const BEASTS = {
  dog: DOG,
  wolf: {
    ...DOG,
    wide: 132,
    fur: '#5c5f6a',
    belly: '#8d909a',
    ears: 'up',
    tail: { length: 31, width: 11, angle: -1.05, wag: 0.22 },
  },
  fox: {
    ...DOG,
    wide: 140,
    long: 54,
    chest: 23,
    fur: '#c8632a',
    belly: '#f0dcc4',
    ears: 'up',
    head: { length: 22, width: 13, droop: 0.2 },
    tail: { length: 40, width: 15, angle: -1.25, wag: 0.2 },
  },
  cat: {
    ...DOG,
    wide: 132,
    long: 56,
    chest: 23,
    loin: 20,
    legs: 40,
    thick: 7.5,
    neck: { length: 12, angle: 2.2, width: 13 },
    head: { length: 12, width: 16, droop: 0.1 },
    ears: 'up',
    fur: '#5a5048',
    belly: '#8a7c6c',
    tail: { length: 42, width: 5.5, angle: -2.75, wag: 0.4 },
  },
  horse: HORSE,
  deer: {
    ...HORSE,
    back: 53,
    long: 45,
    chest: 22,
    loin: 19,
    thick: 5.8,
    legs: 45,
    neck: { length: 25, angle: 2.6, width: 11 },
    head: { length: 18, width: 9.5, droop: 0.1 },
    ears: 'up',
    tail: { length: 8, width: 6, angle: -1.3, wag: 0.5 },
    fur: '#94623c',
    belly: '#c8a47c',
    mane: undefined,
    extra: 'antlers',
  },
  cow: {
    ...HORSE,
    wide: 136,
    back: 46,
    long: 62,
    chest: 34,
    loin: 31,
    legs: 42,
    thick: 10,
    neck: { length: 18, angle: 1.95, width: 22 },
    head: { length: 24, width: 15, droop: -0.4 },
    ears: 'hanging',
    tail: { length: 36, width: 4, angle: -0.35, wag: 0.35 },
    fur: '#f0ebe2',
    mane: undefined,
    extra: 'patches',
  },
  sheep: {
    ...HORSE,
    wide: 124,
    back: 50,
    long: 52,
    chest: 40,
    loin: 38,
    legs: 36,
    thick: 7,
    neck: { length: 16, angle: 2.0, width: 16 },
    head: { length: 20, width: 12, droop: -0.35 },
    ears: 'hanging',
    tail: { length: 7, width: 6, angle: -0.8, wag: 0.3 },
    fur: '#efeadf',
    belly: undefined,
    mane: undefined,
    extra: 'wool',
  },
  bear: {
    ...DOG,
    wide: 130,
    back: 46,
    long: 58,
    chest: 38,
    loin: 38,
    legs: 40,
    thick: 14,
    neck: { length: 16, angle: 1.9, width: 26 },
    head: { length: 23, width: 20, droop: 0.05 },
    ears: 'small',
    tail: { length: 4, width: 5, angle: -1, wag: 0.1 },
    fur: '#5a3f2c',
    belly: undefined,
  },
  camel: {
    ...HORSE,
    wide: 128,
    back: 46,
    long: 50,
    chest: 28,
    loin: 22,
    legs: 50,
    thick: 8,
    neck: { length: 36, angle: 2.25, width: 12 },
    head: { length: 20, width: 11, droop: 0.15 },
    ears: 'small',
    tail: { length: 22, width: 4, angle: -0.4, wag: 0.3 },
    fur: '#b98a52',
    mane: undefined,
    extra: 'hump',
  },
  elephant: {
    ...HORSE,
    wide: 134,
    back: 42,
    long: 58,
    chest: 46,
    loin: 44,
    legs: 48,
    thick: 16,
    neck: { length: 14, angle: 2.0, width: 34 },
    head: { length: 16, width: 30, droop: -0.5 },
    ears: 'large',
    tail: { length: 30, width: 3.5, angle: -0.25, wag: 0.3 },
    fur: '#8a8684',
    mane: undefined,
    extra: 'trunk',
  },
} as const satisfies Readonly<Record<string, Beast>>;
