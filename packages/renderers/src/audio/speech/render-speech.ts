import { highPass } from '../dsp/filter.ts';
import { hash } from '../dsp/random.ts';
import { toSamples } from '../dsp/sample-rate.ts';
import { synthesise } from './formant-voice.ts';
import { planSpeech } from './plan-speech.ts';
import { readAloud, type Word } from './read-aloud.ts';
import { findSpokenText } from './spoken-text.ts';
import { tracksOf } from './tracks.ts';
import { chooseVoice } from './voices.ts';

interface SpeechRequest {
  readonly prompt: string;
  readonly seconds: number;
  readonly seed: number;
  readonly voiceId?: string | undefined;
}

const HUM = readAloud('hm, mm hm.');

/** The voice alone, as long as the video; silent before and after the words. */
export function renderSpeech({ prompt, seconds, seed, voiceId }: SpeechRequest): Float32Array {
  const { text, quoted } = findSpokenText(prompt);
  const voice = chooseVoice({ voiceId, prompt, seed });
  const lead = Math.min(0.3, seconds * 0.1);
  const tail = Math.min(0.35, seconds * 0.12);
  const words = wordsOf(text);
  const plan = planSpeech(words, { seconds: seconds - lead - tail, pace: voice.pace, whole: quoted });
  const said = highPass(
    synthesise(tracksOf(plan, voice, hash(seed, 'melody')), voice, hash(seed, 'voice')),
    70,
  );
  const sound = new Float32Array(toSamples(seconds));
  const from = toSamples(lead);
  sound.set(said.subarray(0, Math.max(0, sound.length - from)), from);
  return sound;
}

/** Without a word to say, the voice hums. */
function wordsOf(text: string): readonly Word[] {
  const words = readAloud(text).filter((word) => word.sounds.length > 0);
  return words.length > 0 ? words : HUM;
}
