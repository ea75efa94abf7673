import type { AudioSettings } from '../render-request.ts';
import { hash } from './dsp/random.ts';
import { SAMPLE_RATE, toSamples } from './dsp/sample-rate.ts';
import { addInto, type Stereo } from './dsp/stereo.ts';
import { renderEffects, renderRoomTone } from './effects/render-effects.ts';
import { mix } from './mix.ts';
import { renderMusic } from './music/render-music.ts';
import { renderSpeech } from './speech/render-speech.ts';

export interface AudioRequest {
  readonly prompt: string;
  readonly seconds: number;
  readonly seed: number;
  /** Absent: neither speech nor effects. */
  readonly audio?: AudioSettings | undefined;
  readonly music: boolean;
}

export interface RenderedAudio {
  readonly sampleRate: typeof SAMPLE_RATE;
  readonly left: Float32Array;
  readonly right: Float32Array;
}

/** The sound of a video, from its prompt. The same request gives the same samples. */
export function renderAudio({ prompt, seconds, seed, audio, music }: AudioRequest): RenderedAudio {
  const length = toSamples(seconds);
  const request = { prompt, seconds };
  const speaks = audio !== undefined && audio.kind !== 'sound_effect_only';
  const sounds = audio !== undefined && audio.kind !== 'speech_only';
  const mixed = mix(
    {
      speech: speaks
        ? inRoom(renderSpeech({ ...request, seed: hash(seed, 'speech'), voiceId: audio.voiceId }))
        : undefined,
      effects: sounds
        ? renderEffects({ ...request, seed: hash(seed, 'effects') })
        : speaks
          ? renderRoomTone({ seconds, seed: hash(seed, 'room') })
          : undefined,
      music: music ? renderMusic({ ...request, seed: hash(seed, 'music') }) : undefined,
    },
    length,
  );
  return { sampleRate: SAMPLE_RATE, ...mixed };
}

// Milliseconds and gain of the first reflections: on the left, on the right.
const WALLS = [
  [
    [11.3, 0.11],
    [23.9, -0.075],
    [41.7, 0.05],
  ],
  [
    [14.9, 0.1],
    [29.3, -0.07],
    [37.1, 0.055],
  ],
] as const;

/** The voice in the middle, with a trace of walls around it. */
function inRoom(voice: Float32Array): Stereo {
  const [left, right] = WALLS.map((walls) => {
    const side = voice.slice();
    for (const [ms, gain] of walls) addInto(side, voice, gain, toSamples(ms / 1000));
    return side;
  });
  return { left: left ?? voice, right: right ?? voice };
}
