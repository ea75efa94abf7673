import { smoothStep } from './dsp/curve.ts';
import { highPass } from './dsp/filter.ts';
import { loudness } from './dsp/loudness.ts';
import { SAMPLE_RATE, toSamples } from './dsp/sample-rate.ts';
import { addStereo, createStereo, type Stereo, scale } from './dsp/stereo.ts';

interface Layers {
  readonly speech?: Stereo | undefined;
  readonly effects?: Stereo | undefined;
  readonly music?: Stereo | undefined;
}

const SPEECH_LUFS = -18;
// Alone a layer may be louder than under another.
const MUSIC_LUFS = { alone: -19, under: -24 } as const;
// Effects below this are the air of a room: music need not make way for it.
const QUIET_LUFS = -28;
const EFFECTS_GAIN_DB = { alone: 0, under: -4 } as const;
const DUCK_DB = { effects: -5, music: -7 } as const;

/** -1.2 dBFS: a little under the promised -1, for what rounding adds. */
const CEILING = 10 ** (-1.2 / 20);
const FADE_SECONDS = 0.01;

/** Speech above effects above music; where someone speaks the others make room. */
export function mix({ speech, effects, music }: Layers, length: number): Stereo {
  const out = createStereo(length);
  const room = speech ? speechEnvelope(level(speech, SPEECH_LUFS)) : undefined;
  if (effects) {
    scale(effects, 10 ** ((speech ? EFFECTS_GAIN_DB.under : EFFECTS_GAIN_DB.alone) / 20));
    if (room) duck(effects, room, DUCK_DB.effects);
    addStereo(out, effects);
  }
  if (music) {
    const under = speech !== undefined || (effects !== undefined && loudness(effects) > QUIET_LUFS);
    level(music, under ? MUSIC_LUFS.under : MUSIC_LUFS.alone);
    if (room) duck(music, room, DUCK_DB.music);
    addStereo(out, music);
  }
  if (speech) addStereo(out, speech);
  finish(out);
  return out;
}

function level(sound: Stereo, lufs: number): Stereo {
  const found = loudness(sound);
  return Number.isFinite(found) ? scale(sound, 10 ** ((lufs - found) / 20)) : sound;
}

const STEP = 480;

/** From 0 to 1, every 10 ms: someone speaks. It opens before the word and closes slowly after it. */
function speechEnvelope({ left }: Stereo): Float32Array {
  const steps = Math.ceil(left.length / STEP);
  const heard = new Float32Array(steps + 1);
  for (let n = 0; n < steps; n += 1) {
    let peak = 0;
    for (let k = n * STEP; k < Math.min((n + 1) * STEP, left.length); k += 1)
      peak = Math.max(peak, Math.abs(left[k] ?? 0));
    heard[n] = smoothStep(0.01, 0.06, peak);
  }
  let value = 0;
  for (let n = 0; n <= steps; n += 1) {
    const ahead = heard[Math.min(steps, n + 8)] ?? 0;
    value += (ahead - value) * (ahead > value ? 0.25 : 0.03);
    heard[n] = value;
  }
  return heard;
}

function duck({ left, right }: Stereo, room: Float32Array, decibels: number): void {
  const gains = room.map((value) => 10 ** ((decibels * value) / 20));
  for (let n = 0; n < left.length; n += 1) {
    const step = Math.floor(n / STEP);
    const from = gains[step] ?? 1;
    const gain = from + ((gains[step + 1] ?? from) - from) * ((n % STEP) / STEP);
    left[n] = (left[n] ?? 0) * gain;
    right[n] = (right[n] ?? 0) * gain;
  }
}

/** No rumble below hearing, no peak above the ceiling, no click at either end, no offset. */
function finish(sound: Stereo): void {
  for (const channel of [sound.left, sound.right]) highPass(channel, 22);
  limit(sound);
  const fade = Math.min(toSamples(FADE_SECONDS), Math.floor(sound.left.length / 2));
  for (const channel of [sound.left, sound.right]) {
    for (let n = 0; n < fade; n += 1) {
      channel[n] = ((channel[n] ?? 0) * n) / fade;
      const end = channel.length - 1 - n;
      channel[end] = ((channel[end] ?? 0) * n) / fade;
    }
  }
}

const LOOK_AHEAD = Math.round(0.005 * SAMPLE_RATE);

/** Turns the gain down before a peak arrives and slowly up again, on both sides alike. */
function limit({ left, right }: Stereo): void {
  const length = left.length;
  const wanted = new Float32Array(length);
  let over = false;
  for (let n = 0; n < length; n += 1) {
    const peak = Math.max(Math.abs(left[n] ?? 0), Math.abs(right[n] ?? 0));
    wanted[n] = peak > CEILING ? CEILING / peak : 1;
    if (peak > CEILING) over = true;
  }
  if (!over) return;
  const least = leastAhead(wanted);
  const release = 1 - Math.exp(-1 / (0.12 * SAMPLE_RATE));
  let held = 1;
  let sum = LOOK_AHEAD;
  for (let n = 0; n < length; n += 1) {
    held = Math.min(least[n] ?? 1, held + (1 - held) * release);
    // `wanted` is read no more: it keeps what leaves the mean.
    sum += held - (n >= LOOK_AHEAD ? (wanted[n - LOOK_AHEAD] ?? 1) : 1);
    wanted[n] = held;
    const gain = sum / LOOK_AHEAD;
    left[n] = (left[n] ?? 0) * gain;
    right[n] = (right[n] ?? 0) * gain;
  }
}

/**
 * The least of each value and those up to the look-ahead after it. A mean of these over the same time is never above
 * what any one sample wants, and has no corners: a peak keeps its form.
 */
function leastAhead(values: Float32Array): Float32Array {
  const least = new Float32Array(values.length);
  // Places of values that may yet be the least, in rising order of value from the front.
  const places = new Int32Array(values.length);
  let front = 0;
  let back = 0;
  for (let n = values.length - 1; n >= 0; n -= 1) {
    const value = values[n] ?? 1;
    while (back > front && (values[places[back - 1] ?? 0] ?? 1) >= value) back -= 1;
    places[back] = n;
    back += 1;
    while ((places[front] ?? 0) > n + LOOK_AHEAD) front += 1;
    least[n] = values[places[front] ?? n] ?? 1;
  }
  return least;
}
