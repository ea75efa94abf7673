import { SAMPLE_RATE } from './sample-rate.ts';
import { createStereo, type Stereo } from './stereo.ts';

// Walls leave little above 8 kHz: half the rate is enough and takes half the time.
const RATE = SAMPLE_RATE / 2;

export interface Room {
  /** Until it has fallen by 60 dB. */
  readonly seconds: number;
  /** 0.5 a small room, 1 a hall, 1.6 a cathedral. */
  readonly size: number;
  /** Above it the walls take more away. */
  readonly dampHz: number;
  readonly preDelaySeconds?: number | undefined;
}

const LINES = 8;
// Prime lengths in samples: lines that share no factor build no audible pitch.
const LENGTHS = [709, 829, 953, 1069, 1201, 1361, 1499, 1657] as const;

// Shorter than the shortest line: within a block no line hears what the block itself puts in.
const BLOCK = 256;

/** The room's answer alone, without the sound itself: eight delay lines that feed one another through a Hadamard matrix. */
export function reverb(sound: Stereo, { seconds, size, dampHz, preDelaySeconds = 0.012 }: Room): Stereo {
  const left = halve(sound.left);
  const right = halve(sound.right);
  const length = left.length;
  const room = createStereo(length);
  const damp = 1 - Math.exp((-2 * Math.PI * dampHz) / RATE);
  const lines = LENGTHS.map((each) => createLine(Math.max(BLOCK, Math.round(each * size)), seconds));
  const taken = Array.from({ length: LINES }, () => new Float32Array(BLOCK));
  const preDelay = Math.round(preDelaySeconds * RATE);
  for (let start = preDelay; start < length; start += BLOCK) {
    const count = Math.min(BLOCK, length - start);
    for (const [k, line] of lines.entries()) take(line, taken[k] ?? EMPTY, { count, damp });
    listen(taken, room, { start, count });
    for (let half = 1; half < LINES; half *= 2) {
      for (let k = 0; k < LINES; k += 1)
        if ((k & half) === 0) cross(taken[k] ?? EMPTY, taken[k + half] ?? EMPTY, count);
    }
    for (const [k, line] of lines.entries()) {
      give(line, taken[k] ?? EMPTY, { input: k % 2 === 0 ? left : right, from: start - preDelay, count });
    }
  }
  return { left: double(room.left, sound.left.length), right: double(room.right, sound.left.length) };
}

function halve(samples: Float32Array): Float32Array {
  const half = new Float32Array(Math.ceil(samples.length / 2));
  for (let n = 0; n < half.length; n += 1) half[n] = ((samples[2 * n] ?? 0) + (samples[2 * n + 1] ?? 0)) / 2;
  return half;
}

function double(half: Float32Array, length: number): Float32Array {
  const samples = new Float32Array(length);
  for (let n = 0; n < half.length; n += 1) {
    const value = half[n] ?? 0;
    samples[2 * n] = value;
    if (2 * n + 1 < length) samples[2 * n + 1] = (value + (half[n + 1] ?? value)) / 2;
  }
  return samples;
}

const EMPTY = new Float32Array(0);

interface Line {
  readonly samples: Float32Array;
  readonly gain: number;
  place: number;
  damped: number;
}

const createLine = (length: number, seconds: number): Line => ({
  samples: new Float32Array(length),
  gain: 10 ** ((-3 * length) / (RATE * seconds)),
  place: 0,
  damped: 0,
});

function take(line: Line, into: Float32Array, { count, damp }: { count: number; damp: number }): void {
  const { samples, gain } = line;
  let { place, damped } = line;
  for (let n = 0; n < count; n += 1) {
    damped += damp * ((samples[place] ?? 0) * gain - damped);
    into[n] = damped;
    place += 1;
    if (place === samples.length) place = 0;
  }
  line.damped = damped;
}

function give(
  line: Line,
  from: Float32Array,
  { input, from: first, count }: { input: Float32Array; from: number; count: number },
): void {
  const { samples } = line;
  let { place } = line;
  for (let n = 0; n < count; n += 1) {
    // 1/sqrt(8) keeps the matrix from adding energy; the tiny number keeps slow denormals away.
    samples[place] = (from[n] ?? 0) * 0.353553 + (input[first + n] ?? 0) * 0.35 + 1e-18;
    place += 1;
    if (place === samples.length) place = 0;
  }
  line.place = place;
}

function cross(one: Float32Array, other: Float32Array, count: number): void {
  for (let n = 0; n < count; n += 1) {
    const a = one[n] ?? 0;
    const b = other[n] ?? 0;
    one[n] = a + b;
    other[n] = a - b;
  }
}

function listen(
  taken: readonly Float32Array[],
  room: Stereo,
  { start, count }: { start: number; count: number },
): void {
  for (const [k, line] of taken.entries()) {
    const into = k % 2 === 0 ? room.left : room.right;
    const sign = k % 4 < 2 ? 0.5 : -0.5;
    for (let n = 0; n < count; n += 1) into[start + n] = (into[start + n] ?? 0) + (line[n] ?? 0) * sign;
  }
}
