import { whiteNoise } from '../dsp/noise.ts';
import { createRandom, hash } from '../dsp/random.ts';
import { SAMPLE_RATE } from '../dsp/sample-rate.ts';
import { FRAME_SAMPLES, type Tracks } from './tracks.ts';
import type { Voice } from './voices.ts';

/**
 * The stream of air as the glottis lets it through, differentiated (which is how lips radiate it): a cubic pulse in
 * the open part of each cycle, as in Klatt's KLGLOTT88, and breath that is strong while the glottis is open.
 */
export function glottalSource(tracks: Tracks, voice: Voice, seed: number): Float32Array {
  const length = tracks.frames * FRAME_SAMPLES;
  const sound = whiteNoise(length, hash(seed, 'breath'));
  const random = createRandom(hash(seed, 'glottis'));
  const whispers = voice.breath >= 0.9;
  let phase = 0;
  let turn = (tracks.pitch[0] ?? 100) / SAMPLE_RATE;
  let loud = 1;
  let soft = 0;
  let hum = 0;
  let dark = 0;
  for (let start = 0; start < length; start += FRAME_SAMPLES) {
    const frame = start / FRAME_SAMPLES;
    const closed = Math.min(1, Math.max(0, tracks.closed[frame] ?? 0));
    const from = tracks.voicing[frame] ?? 0;
    const rise = ((tracks.voicing[frame + 1] ?? from) - from) / FRAME_SAMPLES;
    const blown = tracks.breath[frame] ?? 0;
    // A closed mouth lets only the lowest harmonics out; a breathy voice closes softly.
    const cutoff = (7200 - 4800 * Math.min(1, voice.breath * 2)) * (1 - closed) + 220 * closed;
    const tilt = 1 - Math.exp((-2 * Math.PI * cutoff) / SAMPLE_RATE);
    for (let n = 0; n < FRAME_SAMPLES; n += 1) {
      phase += turn;
      if (phase >= 1) {
        phase -= 1;
        const at = (start + n) / SAMPLE_RATE;
        const drift =
          0.004 *
          (Math.sin(79.8 * at) + Math.sin(44.6 * at) + Math.sin(29.5 * at)) *
          (voice.jitter > 0 ? 1 : 0);
        const wobble = (random() + random() - 1) * voice.jitter;
        turn = ((tracks.pitch[frame] ?? 100) * (1 + drift + wobble)) / SAMPLE_RATE;
        loud = 1 + (random() - 0.5) * voice.jitter * 8;
      }
      const x = phase / voice.open;
      const pulse = (x < 1 ? (2 - 3 * x) * x : 0) + closingCorrection(phase - voice.open, turn);
      const level = from + rise * n;
      const isOpen = x < 1 ? 1 : 0.35;
      soft += tilt * (pulse * loud * level - soft);
      hum += tilt * (soft - hum);
      const noise = sound[start + n] ?? 0;
      dark += 0.45 * (noise - dark);
      const voiced = whispers ? 0 : closed > 0.5 ? hum : soft;
      const whispered = whispers ? level * 0.55 : level * voice.breath * isOpen * 0.3;
      sound[start + n] = voiced + dark * (blown * 0.42 + whispered) * (1 - closed);
    }
  }
  return sound;
}

/** Smooths the sudden closing, which falls between two samples, so that it does not alias (a polynomial band-limited step). */
function closingCorrection(distance: number, turn: number): number {
  if (distance >= 0 && distance < turn) {
    const part = distance / turn;
    return (part + part - part * part - 1) * 0.5;
  }
  if (distance < 0 && distance > -turn) {
    const part = distance / turn;
    return (part * part + part + part + 1) * 0.5;
  }
  return 0;
}
