import type { NodeContext } from '@atelier/engine';
import { atRate } from '../audio/match-rates.ts';
import { type Audio, channelOf, type Waveform } from '../values/audio.ts';
import { type AudioCodec, addAudioTrack, rateFor } from './audio-track.ts';
import { pacer } from './ffmpeg.ts';
import { createMediaWriter, type Tags } from './media-writer.ts';
import { toStereo } from './remix.ts';

const CHUNK_SAMPLES = 1 << 14;

export interface AudioFile {
  readonly codec: Exclude<AudioCodec, 'aac'>;
  readonly bitRate?: number | 'best';
  readonly tags: Tags;
}

/** Encodes one item of a batch to a file of its own. */
export async function writeAudio(
  path: string,
  audio: Audio,
  { codec, bitRate, tags }: AudioFile,
  context: Pick<NodeContext, 'memory' | 'checkpoint'>,
): Promise<void> {
  const sampleRate = codec === 'flac' ? audio.sampleRate : rateFor(codec, audio.sampleRate);
  const fitting = codec === 'mp3' && audio.waveform.channels > 2 ? toStereo(audio, context) : audio;
  const waveform = atRate(fitting, sampleRate, context);
  using writer = createMediaWriter(path, codec, tags);
  const { channels } = waveform;
  const settings = { codec, channels, sampleRate, ...(bitRate === undefined ? {} : { bitRate }) };
  const track = addAudioTrack(writer, settings);
  writer.start();
  const pace = pacer(context);
  for (let start = 0; start < waveform.samples; start += CHUNK_SAMPLES) {
    await pace();
    track.write(slice(waveform, start, start + CHUNK_SAMPLES));
  }
  await writer.finish(pace);
  for (const { data } of new Set([fitting.waveform, waveform])) {
    if (data !== audio.waveform.data) context.memory.free(data);
  }
}

export function slice(waveform: Waveform, start: number, end: number): Float32Array[] {
  return Array.from({ length: waveform.channels }, (_, channel) =>
    channelOf(waveform, 0, channel).subarray(start, end),
  );
}
