import type { Image } from '../../../values/image.ts';
import type { Area } from '../../batch.ts';

/** Fills a part of a picture with one pixel, as far as the picture has its channels. */
export function fillArea(target: Image, index: number, area: Area, pixel: readonly number[]): void {
  const { width, channels, data } = target;
  if (area.width < 1 || area.height < 1) return;
  const first = ((index * target.height + area.y) * width + area.x) * channels;
  const length = area.width * channels;
  for (let at = 0; at < length; at++) data[first + at] = pixel[at % channels] ?? 0;
  for (let row = 1; row < area.height; row++) {
    data.copyWithin(first + row * width * channels, first, first + length);
  }
}

/** Centers a picture in a part of another, with `padding` around it. Missing channels become 1. */
export function placePicture(
  source: Image,
  sourceIndex: number,
  target: Image,
  targetIndex: number,
  { area, padding }: { readonly area: Area; readonly padding: number },
): void {
  const above = Math.floor((area.height - source.height) / 2);
  const before = Math.floor((area.width - source.width) / 2);
  if (source.width !== area.width || source.height !== area.height) {
    const pixel = Array.from({ length: target.channels }, (_, channel) =>
      channel < source.channels ? padding : 1,
    );
    fillArea(target, targetIndex, area, pixel);
  }
  const length = source.width * source.channels;
  for (let y = 0; y < source.height; y++) {
    const from = (sourceIndex * source.height + y) * length;
    const line = targetIndex * target.height + area.y + above + y;
    const to = (line * target.width + area.x + before) * target.channels;
    if (source.channels === target.channels) target.data.set(source.data.subarray(from, from + length), to);
    else widenRow(source, from, target, to);
  }
}

function widenRow(source: Image, from: number, target: Image, to: number): void {
  for (let x = 0; x < source.width; x++) {
    for (let channel = 0; channel < target.channels; channel++) {
      target.data[to++] = channel < source.channels ? (source.data[from++] ?? 0) : 1;
    }
  }
}
