import { AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { avChannelLayoutDefault, SoftwareResampleContext } from 'node-av/lib';
import { type Audio, channelOf, newWaveform } from '../values/audio.ts';
import { check, type Work } from './ffmpeg.ts';

const CHUNK_SAMPLES = 1 << 16;

/** Mixes surround sound down to two channels, as players do. */
export function toStereo({ waveform, sampleRate }: Audio, { memory, checkpoint }: Work): Audio {
  const { batch, samples } = waveform;
  const stereo = newWaveform(memory, { batch, channels: 2, samples });
  using mixer = new SoftwareResampleContext();
  check(
    mixer.allocSetOpts2(
      avChannelLayoutDefault(2),
      AV_SAMPLE_FMT_FLTP,
      sampleRate,
      avChannelLayoutDefault(waveform.channels),
      AV_SAMPLE_FMT_FLTP,
      sampleRate,
    ),
    'Setting up the mix',
  );
  check(mixer.init(), 'Setting up the mix');
  for (let item = 0; item < batch; item += 1) {
    for (let start = 0; start < samples; start += CHUNK_SAMPLES) {
      checkpoint();
      const count = Math.min(CHUNK_SAMPLES, samples - start);
      const part = (from: typeof waveform, channel: number): Buffer => {
        const { buffer, byteOffset } = channelOf(from, item, channel);
        return Buffer.from(buffer, byteOffset + start * 4, count * 4);
      };
      const targets = [part(stereo, 0), part(stereo, 1)];
      const sources = Array.from({ length: waveform.channels }, (_, channel) => part(waveform, channel));
      check(mixer.convertSync(targets, count, sources, count), 'Mixing');
    }
  }
  return { waveform: stereo, sampleRate };
}
