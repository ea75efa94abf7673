import {
  type AudioTrack,
  addAudioTrack,
  addVideoTrack,
  createMediaWriter,
  newFrame,
  SRGB_TAGS,
} from '@atelier/nodes/av';
import { AV_PIX_FMT_YUV420P } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import type { Sound } from '../audio/render-audio.ts';
import type { Size, StoredPlanes } from './planes.ts';

export const FRAME_RATE = 24;

/** Fast, with artifacts that are not visible in pictures as soft as these. */
const ENCODING = { preset: 'veryfast', crf: '19', g: String(FRAME_RATE * 2) };

/** Writes an MP4 frame by frame. */
export function openFilm(path: string, size: Size, sound: Sound | undefined) {
  const writer = createMediaWriter(path, 'mp4', {});
  try {
    const video = addVideoTrack(writer, {
      codec: 'h264',
      ...size,
      pixelFormat: AV_PIX_FMT_YUV420P,
      frameRate: { num: FRAME_RATE, den: 1 },
      timeBase: { num: 1, den: FRAME_RATE },
      colors: SRGB_TAGS,
      options: ENCODING,
      reorder: true,
    });
    const writeSoundUntil =
      sound &&
      soundWriter(
        addAudioTrack(writer, { codec: 'aac', channels: 2, sampleRate: sound.sampleRate, bitRate: 160_000 }),
        sound,
      );
    writer.start();
    let count = 0;
    return {
      /** Lends the memory of the next frame to `paint`. */
      add<T>(paint: (stored: StoredPlanes) => T): T {
        using frame = newFrame(AV_PIX_FMT_YUV420P, size);
        Object.assign(frame, SRGB_TAGS);
        if (frame.getBuffer() < 0) throw new Error('There is no memory for a frame.');
        const result = paint(planesOf(frame));
        video.write(frame, { stamp: count, duration: 1 });
        count += 1;
        writeSoundUntil?.(count / FRAME_RATE);
        return result;
      },
      finish: writer.finish,
      [Symbol.dispose]: writer[Symbol.dispose],
    };
  } catch (error) {
    writer[Symbol.dispose]();
    throw error;
  }
}

/** Interleaves sound with frames, so that players find both at the same place of the file. */
function soundWriter(track: AudioTrack, { sampleRate, left, right }: Sound): (seconds: number) => void {
  let written = 0;
  return (seconds) => {
    const end = Math.min(left.length, Math.round(seconds * sampleRate));
    if (end > written) track.write([left.subarray(written, end), right.subarray(written, end)]);
    written = end;
  };
}

function planesOf(frame: Frame): StoredPlanes {
  const [y, u, v] = frame.data ?? [];
  const [ofY = 0, ofU = 0, ofV = 0] = frame.linesize;
  if (!y || !u || !v) throw new Error('A new frame has no room for its pixels.');
  return { y: { data: y, stride: ofY }, u: { data: u, stride: ofU }, v: { data: v, stride: ofV } };
}
