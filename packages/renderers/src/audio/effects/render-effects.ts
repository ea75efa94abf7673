import { loudness } from '../dsp/loudness.ts';
import { createRandom, hash } from '../dsp/random.ts';
import { type Room, reverb } from '../dsp/reverb.ts';
import { toSamples } from '../dsp/sample-rate.ts';
import { addStereo, createStereo, type Stereo, scale } from '../dsp/stereo.ts';
import { chooseEffects, type EffectKind, forceOf, ROOM } from './choose-effects.ts';

interface EffectsRequest {
  readonly prompt: string;
  readonly seconds: number;
  readonly seed: number;
}

// Every effect is first brought to the same loudness, whatever its nature; then the later named stand further back.
const LEVEL_LUFS = -20;
const STEP_BACK_DB = 2.5;
// Out of doors most sounds have no echo worth its cost.
const LEAST_ECHO = 0.1;
const ROOM_LUFS = -50;

export function renderEffects({ prompt, seconds, seed }: EffectsRequest): Stereo {
  const words = prompt.slice(0, 4000).toLowerCase();
  const length = toSamples(seconds);
  const layer = createStereo(length);
  const effects = chooseEffects(words);
  const echoes = effects.some(({ echo }) => echo >= LEAST_ECHO);
  const sent = createStereo(echoes ? length : 0);
  for (const [index, effect] of effects.entries()) {
    const sound = renderOne(effect, { words, seconds, seed: hash(seed, effect.name) });
    const found = loudness(sound);
    if (!Number.isFinite(found)) continue;
    const gain = 10 ** ((LEVEL_LUFS + effect.level - STEP_BACK_DB * index - found) / 20);
    addStereo(layer, sound, gain);
    if (effect.echo >= LEAST_ECHO) addStereo(sent, sound, gain * effect.echo);
  }
  if (echoes) addStereo(layer, reverb(sent, roomOf(words)));
  return layer;
}

/** The air around a voice that speaks alone: without it the pauses would be dead. */
export function renderRoomTone({ seconds, seed }: { seconds: number; seed: number }): Stereo {
  const sound = renderOne(ROOM, { words: '', seconds, seed });
  return scale(sound, 10 ** ((ROOM_LUFS - loudness(sound)) / 20));
}

function renderOne(
  effect: EffectKind,
  { words, seconds, seed }: { words: string; seconds: number; seed: number },
): Stereo {
  const length = toSamples(seconds);
  const out = createStereo(length);
  let noises = 0;
  const nextSeed = (): number => {
    noises += 1;
    return hash(seed, noises);
  };
  effect.render({ out, length, seconds, force: forceOf(words), random: createRandom(seed), nextSeed, words });
  return out;
}

function roomOf(words: string): Room {
  if (
    /cave|cavern|dungeon|cathedral|church|temple|canyon|underwater|space|höhle|kirche|grotte|église/u.test(
      words,
    )
  ) {
    return { seconds: 3.2, size: 1.5, dampHz: 4200 };
  }
  if (/room|house|office|kitchen|studio|indoor|hall\b/u.test(words))
    return { seconds: 0.6, size: 0.5, dampHz: 5000 };
  return { seconds: 1.6, size: 1.2, dampHz: 3600, preDelaySeconds: 0.03 };
}
