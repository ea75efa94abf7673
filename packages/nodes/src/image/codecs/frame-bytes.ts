import type { NodeContext } from '@atelier/engine';
import type { Image } from '../../values/image.ts';
import { bytesFromFloats } from '../resize/bytes.ts';

/** A whole batch in 8 bits, clipped and cut off, as encoders of animations take it. */
export function batchBytes(
  { batch, height, width, channels, data }: Image,
  { memory, checkpoint }: Pick<NodeContext, 'memory' | 'checkpoint'>,
): Uint8Array<ArrayBuffer> {
  const bytes = memory.dirtyBytes(data.length);
  const rows = Math.max(1, Math.floor((1 << 18) / (width * channels)));
  const run = rows * width * channels;
  for (let from = 0; from < batch * height * width * channels; from += run) {
    checkpoint();
    bytesFromFloats(data, from, bytes.subarray(from, from + run));
  }
  return bytes;
}
