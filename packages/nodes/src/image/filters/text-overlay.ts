import { boolean, combo, defineNode, float, link, output, string } from '@atelier/engine';
import { mapPictures } from '../each-picture.ts';
import { inRuns } from './in-runs.ts';
import { drawText } from './text/draw-text.ts';
import { grow, paint, place } from './text/paint.ts';
import { parseColor } from './text/parse-color.ts';

export const textOverlay = defineNode({
  type: 'TextOverlay',
  title: 'Draw Text Overlay',
  category: 'text',
  description:
    'Draws text over an image or a batch of images, in Aileron. Letters it lacks come from a typeface of the machine.',
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
    const rgba = parseColor(color);
    const plain = text.replaceAll('\\n', '\n').replaceAll('\\t', '\t');
    const drawn = await drawText({
      width,
      height,
      text: plain,
      fontSize,
      position,
      align,
      outline,
      checkpoint,
    });
    const top = Math.max(0, drawn.top - drawn.stroke);
    const bottom = Math.min(height, drawn.top + drawn.height + drawn.stroke);
    const pixels = width * Math.max(0, bottom - top);
    const letters = memory.dirtyBytes(pixels).fill(0);
    place(drawn, letters, width, top);
    const outlined = outline ? memory.dirtyBytes(pixels) : letters;
    if (outline) grow(letters, outlined, { width, radius: drawn.stroke, checkpoint });
    const result = await mapPictures(images, context, (source, target) => {
      target.set(source);
      inRuns(pixels, checkpoint, (from, to) => {
        const masks = { letters: letters.subarray(from, to), outlined: outlined.subarray(from, to) };
        const [start, end] = [(top * width + from) * channels, (top * width + to) * channels];
        paint(masks, outline, rgba, source.subarray(start, end), target.subarray(start, end), channels);
      });
    });
    for (const bytes of new Set([letters, outlined])) memory.free(bytes);
    return [result];
  },
});
