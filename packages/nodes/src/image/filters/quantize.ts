import { combo, defineNode, int, link, output } from '@atelier/engine';
import { mapPictures } from '../each-picture.ts';
import { inRuns } from './in-runs.ts';
import { addBayer } from './kernels/bayer.ts';
import { medianCut } from './kernels/median-cut.ts';
import { mapFloydSteinberg, mapNearest } from './kernels/palette-map.ts';

const DITHERS = ['none', 'floyd-steinberg', 'bayer-2', 'bayer-4', 'bayer-8', 'bayer-16'] as const;
const BAYER_ORDERS = { 'bayer-2': 2, 'bayer-4': 4, 'bayer-8': 8, 'bayer-16': 16 } as const;

export const imageQuantize = defineNode({
  type: 'ImageQuantize',
  title: 'Quantize Image',
  category: 'image/filters',
  inputs: {
    image: link('IMAGE'),
    colors: int({ default: 256, min: 1, max: 256, step: 1 }),
    dither: combo(DITHERS),
  },
  outputs: [output('IMAGE')],
  async run({ image, colors, dither }, context) {
    const { width, height, channels } = image;
    const pixels = context.memory.dirtyBytes(width * height * 3);
    const result = await mapPictures(image, context, (source, target) => {
      inRuns(width * height, context.checkpoint, (from, to) =>
        toBytes(source.subarray(from * channels, to * channels), channels, pixels.subarray(from * 3, to * 3)),
      );
      quantize(pixels, width, colors, dither, context.checkpoint);
      target.set(source);
      inRuns(width * height, context.checkpoint, (from, to) =>
        fromBytes(
          pixels.subarray(from * 3, to * 3),
          channels,
          target.subarray(from * channels, to * channels),
        ),
      );
    });
    context.memory.free(pixels);
    return [result];
  },
});

function quantize(
  pixels: Uint8Array,
  width: number,
  colors: number,
  dither: (typeof DITHERS)[number],
  checkpoint: () => void,
): void {
  const palette = medianCut(pixels, colors, checkpoint);
  if (dither === 'floyd-steinberg') return mapFloydSteinberg(pixels, { width, palette, checkpoint });
  if (dither !== 'none')
    addBayer(pixels, { width, order: BAYER_ORDERS[dither], colors: palette.length / 3, checkpoint });
  mapNearest(pixels, { width, palette, checkpoint });
}

/** Values outside 0 to 1 wrap around, as in ComfyUI's conversion. Gray fills all three channels. */
function toBytes(source: Float32Array, channels: number, pixels: Uint8Array): void {
  const [green, blue] = channels < 3 ? [0, 0] : [1, 2];
  for (let from = 0, to = 0; to < pixels.length; from += channels, to += 3) {
    pixels[to] = Math.fround((source[from] as number) * 255);
    pixels[to + 1] = Math.fround((source[from + green] as number) * 255);
    pixels[to + 2] = Math.fround((source[from + blue] as number) * 255);
  }
}

/** Channels after the third, such as alpha, stay the same. */
function fromBytes(pixels: Uint8Array, channels: number, target: Float32Array): void {
  const colors = Math.min(channels, 3);
  for (let from = 0, to = 0; from < pixels.length; from += 3, to += channels) {
    for (let channel = 0; channel < colors; channel++)
      target[to + channel] = (pixels[from + channel] as number) / 255;
  }
}
