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

/** The names FFmpeg has for the kinds of file. No other is tried. */
const DEMUXERS = { apng: 'apng', gif: 'gif', bmp: 'bmp_pipe', pnm: 'ppm_pipe' };

const ALPHA_FORMATS = /^(?:pal8|rgba|bgra|argb|abgr|ya8|ya16|rgba64)/;

/** Decodes pictures that libvips does not read. The caller has checked the bounds that are given. */
export async function decodeWithFfmpeg(
  source: FfmpegSource,
  bounds: PictureBounds,
): Promise<DecodedPictures> {
  const format = new FormatContext();
  try {
    return await decode(format, source, bounds);
  } finally {
    await format.closeInput();
  }
}

async function decode(
  format: FormatContext,
  { name, path, format: kind, checkpoint }: FfmpegSource,
  bounds: PictureBounds,
): Promise<DecodedPictures> {
  const stream = await openStream(format, path, DEMUXERS[kind], name);
  using decoder = await openDecoder(stream, name);
  using packet = newPacket();
  using frame = new Frame();
  frame.alloc();
  using converter = createPixelConverter();
  const size = bounds.width * bounds.height * 4;
  let samples: Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | undefined;
  let hasAlpha = false;
  let frames = 0;

  async function take(end: boolean): Promise<void> {
    for await (const decoded of framesOf(decoder, end ? null : packet, frame)) {
      checkpoint();
      if (decoded.width !== bounds.width || decoded.height !== bounds.height || frames === bounds.frames)
        return;
      const pixels = decoded.format as AVPixelFormat;
      const wide = bitDepthOf(pixels) > 8;
      hasAlpha ||= ALPHA_FORMATS.test(avGetPixFmtName(pixels) ?? '');
      samples ??= wide ? new Uint16Array(size * bounds.frames) : new Uint8Array(size * bounds.frames);
      await copyFrame(decoded, converter, samples.subarray(frames * size, (frames + 1) * size));
      frames++;
    }
  }

  while (await readPacket(format, packet)) await take(false);
  await take(true);
  if (!samples || frames < bounds.frames) throw damagedPicture(name);
  return { ...bounds, channels: 4, samples, hasAlpha };
}

async function openStream(
  format: FormatContext,
  path: string,
  demuxer: string,
  name: string,
): Promise<Stream> {
  using options = Dictionary.fromObject({ protocol_whitelist: 'file', format_whitelist: demuxer });
  const opened = await format.openInput(`file:${path}`, InputFormat.findInputFormat(demuxer), options);
  const [stream] = opened < 0 ? [] : format.streams;
  if (!stream) throw damagedPicture(name);
  return stream;
}

async function copyFrame(
  source: Frame,
  converter: PixelConverter,
  target: Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>,
): Promise<void> {
  const wide = target instanceof Uint16Array;
  using rgba = newFrame(wide ? AV_PIX_FMT_RGBA64LE : AV_PIX_FMT_RGBA, source);
  check(rgba.getBuffer(), 'Making room for a picture');
  await converter.convert(rgba, source);
  const [plane] = rgba.data ?? [];
  const [stride = 0] = rgba.linesize;
  if (!plane) throw new Error('A converted frame has no pixels.');
  const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
  const rowBytes = bytes.length / source.height;
  for (let y = 0; y < source.height; y++) {
    bytes.set(plane.subarray(y * stride, y * stride + rowBytes), y * rowBytes);
  }
}
