import {
  defineNode,
  int,
  link,
  type NodeContext,
  optional,
  output,
  parseFileName,
  string,
  valueError,
} from '@atelier/engine';
import { type Image, type Mask, newImage, newMask, picture } from '../../values/image.ts';
import { rgbaBytes } from '../codecs/byte-colors.ts';
import { fillArea } from '../geometry/kernels/place.ts';
import { type PixelSize, pillowBytes } from '../resize/pillow-resize.ts';
import { paintOver } from './paint-over.ts';
import { readPicture } from './picture-files.ts';
import { savePreviews } from './save-pictures.ts';

const EDGE = { default: 512, min: 64, max: 4096, step: 64, socketless: true, hidden: true };
/** Makes editors show the input as a canvas. */
const CANVAS = { widgetType: 'PAINTER', image_upload: true };

export const painter = defineNode({
  type: 'Painter',
  title: 'Painter',
  category: 'image',
  hasIntermediateOutput: true,
  inputs: {
    image: optional(link('IMAGE', { tooltip: 'A picture to paint on; without it, a plain ground.' })),
    mask: string({ default: '', socketless: true, ...CANVAS }),
    width: int(EDGE),
    height: int(EDGE),
    bg_color: link('COLOR', { default: '#000000', socketless: true }),
  },
  outputs: [output('IMAGE'), output('MASK')],
  async fingerprint({ mask = '' }, { files }) {
    if (mask.trim() === '') return '';
    const ref = parseFileName(mask);
    return (await files.exists(ref)) ? await files.contentHash(ref) : '';
  },
  async run({ image, mask, width, height, bg_color: color }, context) {
    const { memory } = context;
    const ground = image ? firstOf(image) : plain({ width, height }, color, context);
    const painted = mask.trim() === '' ? undefined : await paint(ground, mask, context);
    const result = painted?.image ?? ground;
    const unpainted = { batch: 1, height: ground.height, width: ground.width };
    const drawn = painted?.mask ?? { ...unpainted, data: memory.floats(ground.height * ground.width) };
    const images = await savePreviews(result, context);
    return { outputs: [result, drawn], ui: { images, animated: [false] } };
  },
});

function firstOf(image: Image): Image {
  return image.batch === 1 ? image : { ...image, batch: 1, data: picture(image, 0).slice() };
}

async function paint(
  ground: Image,
  name: string,
  context: NodeContext,
): Promise<{ readonly image: Image; readonly mask: Mask }> {
  const { memory, checkpoint } = context;
  const size = { width: ground.width, height: ground.height };
  const decoded = await readPicture(name, context);
  const shape = { width: decoded.width, height: decoded.height, channels: 4 };
  const strokes = pillowBytes(rgbaBytes(decoded), shape, { ...size, filter: 'lanczos' }, context);
  const image = newImage(memory, { batch: 1, ...size, channels: 3 });
  const mask = newMask(memory, { batch: 1, ...size });
  paintOver(ground, strokes, image.data, mask.data, checkpoint);
  memory.free(strokes);
  return { image, mask };
}

function plain({ width, height }: PixelSize, color: unknown, { memory }: NodeContext): Image {
  const image = newImage(memory, { batch: 1, height, width, channels: 3 });
  fillArea(image, 0, { x: 0, y: 0, width, height }, unitColor(color));
  return image;
}

/** `#rrggbb`; anything of another length is black. */
function unitColor(color: unknown): readonly [red: number, green: number, blue: number] {
  const digits = typeof color === 'string' ? color.replace(/^#+/, '') : '';
  if (digits.length !== 6) return [0, 0, 0];
  if (!/^[\da-f]{6}$/i.test(digits)) throw valueError(`bg_color is not a color: #${digits}`);
  const value = Number.parseInt(digits, 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}
