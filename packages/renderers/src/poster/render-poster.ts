import { NodeError } from '@atelier/engine';
import {
  createPixelConverter,
  framesOf,
  newFrame,
  newPacket,
  openDecoder,
  openMedia,
  pacer,
  readPacket,
  turnsOf,
  videoOf,
} from '@atelier/nodes/av';
import { loadSharp } from '@atelier/nodes/sharp';
import { AV_PIX_FMT_RGB24 } from 'node-av/constants';
import { Frame } from 'node-av/lib';
import { type PosterRequest, RenderError, type RenderOptions } from '../render-request.ts';

/** Writes the first frame of a video, upright. Throws a `RenderError` for an unreadable video. */
export async function renderPoster(
  { input, output, longestEdge }: PosterRequest,
  { signal }: RenderOptions = {},
): Promise<void> {
  try {
    using frame = await firstFrame(input, signal);
    const scale = Math.min(1, longestEdge / Math.max(frame.width, frame.height));
    const size = {
      width: Math.max(1, Math.round(frame.width * scale)),
      height: Math.max(1, Math.round(frame.height * scale)),
    };
    const pixels = toRgb(frame, size);
    const sharp = await loadSharp();
    await sharp(pixels, { raw: { ...size, channels: 3 } })
      .rotate(-90 * turnsOf(frame))
      .png({ compressionLevel: 1 })
      .toFile(output);
  } catch (error) {
    if (error instanceof NodeError) throw new RenderError(error.message, { cause: error });
    throw error;
  }
}

async function firstFrame(path: string, signal: AbortSignal | undefined): Promise<Frame> {
  const pace = pacer({ checkpoint: () => signal?.throwIfAborted() });
  using media = openMedia(path, 'The video');
  const stream = videoOf(media);
  using decoder = openDecoder(stream, media.name);
  using packet = newPacket();
  using owned = new DisposableStack();
  const frame = owned.use(new Frame());
  frame.alloc();
  for (;;) {
    await pace();
    const isMore = readPacket(media.format, packet);
    if (isMore && packet.streamIndex !== stream.index) continue;
    for (const found of framesOf(decoder, isMore ? packet : null, frame)) {
      owned.move();
      return found;
    }
    if (!isMore) throw new RenderError('No frame of the video can be decoded.');
  }
}

/** Rows without the padding that FFmpeg puts behind them. */
function toRgb(frame: Frame, size: { readonly width: number; readonly height: number }): Buffer {
  using rgb = newFrame(AV_PIX_FMT_RGB24, size);
  if (rgb.getBuffer() < 0) throw new Error('There is no memory for a frame.');
  using converter = createPixelConverter();
  converter.convert(rgb, frame);
  const [plane] = rgb.data ?? [];
  const [stride = 0] = rgb.linesize;
  const row = size.width * 3;
  const pixels = Buffer.alloc(row * size.height);
  for (let y = 0; y < size.height; y++) plane?.copy(pixels, y * row, y * stride, y * stride + row);
  return pixels;
}
