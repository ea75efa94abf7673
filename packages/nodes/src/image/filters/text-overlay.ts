import { boolean, combo, defineNode, float, link, output, string } from '@atelier/engine';
import { inRuns } from './in-runs.ts';
import { mapPictures } from './map-pictures.ts';
import { layOut } from './text/layout.ts';
import { overlay, paint } from './text/paint.ts';
import { parseColor } from './text/parse-color.ts';
import { rasterize } from './text/rasterize.ts';

/** Where, how large and in which lines the text stands is as in the host; the shapes of the letters are our own. */
export const textOverlay = defineNode({
  type: 'TextOverlay',
  title: 'Draw Text Overlay',
  category: 'text',
  description:
    'Draws text over an image or a batch of images. The letters are of a typeface of our own, which has the Latin alphabet.',
  searchAliases: ['text', 'label', 'caption', 'subtitle', 'watermark', 'title', 'addlabel', 'overlay'],
  inputs: {
    images: link('IMAGE'),
    text: string({ multiline: true, default: '' }),
    font_size: float({
      default: 5,
      min: 0.5,
      max: 50,
      step: 0.5,
      tooltip: 'How tall the text is, in hundredths of the height of the image.',
    }),
    color: link('COLOR', { default: '#ffffff', socketless: true, tooltip: 'The color of the letters.' }),
    position: combo(['top', 'bottom'], { default: 'top' }),
    align: combo(['left', 'center', 'right'], { default: 'left' }),
    outline: boolean({ default: true, tooltip: 'Draws a black line around the letters.' }),
  },
  outputs: [output('IMAGE', { name: 'images' })],
  async run({ images, text, font_size: fontSize, color, position, align, outline }, context) {
    if (text.trim() === '') return [images];
    const { memory, checkpoint } = context;
    const { width, height, channels } = images;
    const ink = { color: parseColor(color), outline };
    const plain = text.replaceAll('\\n', '\n').replaceAll('\\t', '\t');
    const layout = layOut({ width, height, text: plain, fontSize, position, align, outline, checkpoint });
    const { top, rows, letters, outlined } = rasterize(layout, { width, height, memory, checkpoint });
    const layer = memory.dirtyBytes(width * rows * 4);
    inRuns(width * rows, checkpoint, (from, to) => {
      const masks = { letters: letters.subarray(from, to), outlined: outlined.subarray(from, to) };
      paint(masks, ink, layer.subarray(from * 4, to * 4));
    });
    const result = await mapPictures(images, context, (source, target) => {
      target.set(source);
      inRuns(width * rows, checkpoint, (from, to) => {
        const [start, end] = [(top * width + from) * channels, (top * width + to) * channels];
        overlay(
          layer.subarray(from * 4, to * 4),
          source.subarray(start, end),
          target.subarray(start, end),
          channels,
        );
      });
    });
    for (const bytes of [letters, outlined, layer]) memory.free(bytes);
    return [result];
  },
});

export const textOverlayNodes = [textOverlay];
