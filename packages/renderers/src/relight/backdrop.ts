import { type Color, mixColors } from '../pixels/color.ts';
import { mapPlanes, type Planes, type Size, smoothstep, softBlur } from '../pixels/planes.ts';
import { seededRandom } from '../video/random.ts';
import type { Backdrop } from './light-plan.ts';

const LAMPS = 30;
const MAX_STARS = 240;

/** A place far out of focus: a gradient without a horizon, with blurred lamps or stars in it. In linear light. */
export function paintBackdrop({ sky, lamps, stars }: Backdrop, size: Size, seed: number): Planes {
  const { width, height } = size;
  const [top, middle, low] = sky;
  const longer = Math.max(width, height);
  const rows = Array.from({ length: height }, (_, y): Color => {
    const share = (y + 0.5) / height;
    return share < 0.55
      ? mixColors(top, middle, smoothstep(0, 0.55, share))
      : mixColors(middle, low, smoothstep(0.55, 1, share));
  });
  const plane = (channel: 0 | 1 | 2): Float32Array =>
    Float32Array.from({ length: width * height }, (_, at) => rows[Math.floor(at / width)]?.[channel] ?? 0);
  const planes: Planes = [plane(0), plane(1), plane(2)];
  const random = seededRandom(seed);
  const place = (reach: number): [number, number] => [random() * width, random() * height * reach];
  for (let star = 0; star < MAX_STARS * stars; star++) {
    const light = 0.06 + 0.5 * random() ** 6;
    addDisc(planes, size, place(0.85), longer * 0.002, [light, light, light * 1.1]);
  }
  for (let lamp = 0; lamp < (lamps.length > 0 ? LAMPS : 0); lamp++) {
    const [red, green, blue] = lamps[Math.floor(random() * lamps.length)] ?? [1, 1, 1];
    const light = 0.1 + 0.4 * random() ** 2;
    addDisc(planes, size, place(0.75), longer * (0.008 + 0.03 * random() ** 1.5), [
      red * light,
      green * light,
      blue * light,
    ]);
  }
  return mapPlanes(planes, (each) => softBlur(each, size, longer / 260));
}

function addDisc(
  planes: Planes,
  { width, height }: Size,
  [x, y]: [number, number],
  radius: number,
  color: Color,
): void {
  const reach = Math.ceil(radius + 1);
  for (let row = Math.max(0, Math.floor(y) - reach); row < Math.min(height, y + reach); row++) {
    for (let column = Math.max(0, Math.floor(x) - reach); column < Math.min(width, x + reach); column++) {
      const cover = Math.min(1, Math.max(0, radius - Math.hypot(column - x, row - y) + 0.5));
      const at = row * width + column;
      planes.forEach((plane, channel) => {
        plane[at] = (plane[at] ?? 0) + cover * (color[channel] ?? 0);
      });
    }
  }
}
