import type { NodeContext } from '@atelier/engine';
import { AV_PIX_FMT_RGBA, AV_PIX_FMT_RGBA64LE, type AVPixelFormat } from 'node-av/constants';
import { avGetPixFmtName, Dictionary, FormatContext, Frame, InputFormat, type Stream } from 'node-av/lib';
import { framesOf, newPacket, openDecoder, readPacket } from '../../av/decoder.ts';
import { check } from '../../av/ffmpeg.ts';
import { bitDepthOf, createPixelConverter, newFrame, type PixelConverter } from '../../av/pixels.ts';
import { type DecodedPictures, damagedPicture, type PictureBounds } from './decoded-pictures.ts';

export interface FfmpegSource {
  readonly name: string;
  readonly path: string;
  readonly format: 'apng' | 'gif' | 'bmp' | 'pnm';
  readonly checkpoint: NodeContext['checkpoint'];
}

/** The only demuxer that is tried for each format. */
const DEMUXERS = { apng: 'apng', gif: 'gif', bmp: 'bmp_pipe', pnm: 'ppm_pipe' };

const ALPHA_FORMATS = /^(?:pal8|rgba|bgra|argb|abgr|ya8|ya16|rgba64)/;

/** Decodes pictures that libvips does not read. The caller has checked the bounds. */
export function decodeWithFfmpeg(source: FfmpegSource, bounds: PictureBounds): DecodedPictures {
  const format = new FormatContext();
  try {
    return decode(format, source, bounds);
  } finally {
    format.closeInputSync();
  }
}

function decode(
  format: FormatContext,
  { name, path, format: kind, checkpoint }: FfmpegSource,
  bounds: PictureBounds,
): DecodedPictures {
  const stream = openStream(format, path, DEMUXERS[kind], name);
  using decoder = openDecoder(stream, name);
  using packet = newPacket();
  using frame = new Frame();
  frame.alloc();
  using converter = createPixelConverter();
  const size = bounds.width * bounds.height * 4;
  let samples: Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | undefined;
  let hasAlpha = false;
  let frames = 0;

  function take(end: boolean): void {
    for (const decoded of framesOf(decoder, end ? null : packet, frame)) {
      checkpoint();
      if (decoded.width !== bounds.width || decoded.height !== bounds.height || frames === bounds.frames)
        return;
      const pixels = decoded.format as AVPixelFormat;
      const wide = bitDepthOf(pixels) > 8;
      hasAlpha ||= ALPHA_FORMATS.test(avGetPixFmtName(pixels) ?? '');
      samples ??= wide ? new Uint16Array(size * bounds.frames) : new Uint8Array(size * bounds.frames);
      copyFrame(decoded, converter, samples.subarray(frames * size, (frames + 1) * size));
      frames++;
    }
  }

  while (readPacket(format, packet)) take(false);
  take(true);
  if (!samples || frames < bounds.frames) throw damagedPicture(name);
  return { ...bounds, channels: 4, samples, hasAlpha };
}

function openStream(format: FormatContext, path: string, demuxer: string, name: string): Stream {
  using options = Dictionary.fromObject({ protocol_whitelist: 'file', format_whitelist: demuxer });
  const opened = format.openInputSync(`file:${path}`, InputFormat.findInputFormat(demuxer), options);
  const [stream] = opened < 0 ? [] : format.streams;
  if (!stream) throw damagedPicture(name);
  return stream;
}

function copyFrame(
  source: Frame,
  converter: PixelConverter,
  target: Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>,
): void {
  const wide = target instanceof Uint16Array;
  using rgba = newFrame(wide ? AV_PIX_FMT_RGBA64LE : AV_PIX_FMT_RGBA, source);
  check(rgba.getBuffer(), 'Making room for a picture');
  converter.convert(rgba, source);
  const [plane] = rgba.data ?? [];
  const [stride = 0] = rgba.linesize;
  if (!plane) throw new Error('A converted frame has no pixels.');
  const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
  const rowBytes = bytes.length / source.height;
  for (let y = 0; y < source.height; y++) {
    bytes.set(plane.subarray(y * stride, y * stride + rowBytes), y * rowBytes);
  }
}
