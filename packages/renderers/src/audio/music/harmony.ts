export type Mode = 'major' | 'lydian' | 'minor' | 'harmonicMinor';

const SCALES: Readonly<Record<Mode, readonly number[]>> = {
  major: [0, 2, 4, 5, 7, 9, 11],
  lydian: [0, 2, 4, 6, 7, 9, 11],
  minor: [0, 2, 3, 5, 7, 8, 10],
  harmonicMinor: [0, 2, 3, 5, 7, 8, 11],
};

export interface Key {
  /** 0 is C. */
  readonly root: number;
  readonly mode: Mode;
}

/** A note's number counts semitones; 69 is the A of 440 Hz. */
export const toHz = (note: number): number => 440 * 2 ** ((note - 69) / 12);

/** The note on a step of the scale; step 0 is the root nearest below `from`, and the scale goes on both ways. */
export function noteOf({ root, mode }: Key, step: number, from: number): number {
  const scale = SCALES[mode];
  const base = from - ((((from - root) % 12) + 12) % 12);
  const octave = Math.floor(step / 7);
  return base + 12 * octave + (scale[step - 7 * octave] ?? 0);
}

export const isInKey = ({ root, mode }: Key, note: number): boolean =>
  SCALES[mode].includes((((note - root) % 12) + 12) % 12);

/** The steps of the chord on a degree of the scale (0 is the tonic). */
export const chordSteps = (degree: number, size: 3 | 4): readonly number[] =>
  [0, 2, 4, 6].slice(0, size).map((third) => degree + third);

/** The chord's notes within an octave above `low`, near the last chord's so that no voice leaps. */
export function voiceChord(
  key: Key,
  steps: readonly number[],
  { low, last }: { low: number; last: readonly number[] },
): readonly number[] {
  const inversions = Array.from({ length: 12 }, (_, shift) =>
    steps
      .map((step) => {
        const note = noteOf(key, step, 60);
        const floor = low + shift - 6;
        return floor + ((((note - floor) % 12) + 12) % 12);
      })
      .toSorted((a, b) => a - b),
  );
  const cost = (notes: readonly number[]): number =>
    notes.reduce((sum, note, n) => sum + Math.abs(note - (last[n] ?? low + 4 * n)), 0) +
    Math.abs((notes[0] ?? low) - low) * 0.3;
  return inversions.reduce((best, each) => (cost(each) < cost(best) ? each : best));
}
