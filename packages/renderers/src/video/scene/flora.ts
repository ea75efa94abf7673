import { lerp } from '../curves.ts';
import { noiseAlong } from '../noise.ts';
import { between, pick, type Random, seededRandom } from '../random.ts';
import { mix, type Rgb, rgb, scaled } from '../rgb.ts';
import { type Canvas, dab, drawLine, newCanvas, toTexture } from './canvas.ts';
import { type Board, drawBoard, type Element, type Site, textureSize } from './site.ts';
import { shadeOf } from './terrain.ts';

export type FlowerKind = 'daisy' | 'poppy' | 'tulip' | 'lavender' | 'sunflower';

export interface Flowers {
  readonly kind: FlowerKind;
  readonly colors: readonly [Rgb, ...Rgb[]];
}

/** The flowers that a prompt names. */
export function flowersOf({ brief }: Site, prompt: string): Flowers {
  const named = (words: RegExp): boolean => words.test(prompt);
  const own = brief.colors.filter((color) => color[1] < color[0] * 1.1 || color[2] > color[1]);
  const [first, ...others] = own;
  const said = first ? ([first, ...others] as const) : undefined;
  if (named(/lavender/i))
    return { kind: 'lavender', colors: [rgb('#8a6ad8'), rgb('#a48aec'), rgb('#7450bf')] };
  if (named(/sunflower/i)) return { kind: 'sunflower', colors: [rgb('#ffc928'), rgb('#ffb41e')] };
  if (named(/tulip/i))
    return {
      kind: 'tulip',
      colors: said ?? [rgb('#e8384a'), rgb('#ffb03a'), rgb('#f27aa8'), rgb('#fff2e0')],
    };
  if (named(/popp(y|ies)/i)) return { kind: 'poppy', colors: said ?? [rgb('#e63a2a'), rgb('#f2542f')] };
  return {
    kind: 'daisy',
    colors: said ?? [rgb('#ffffff'), rgb('#ffe07a'), rgb('#f6a6d0'), rgb('#b9a2f2'), rgb('#ff8a6a')],
  };
}

/** Grass, and flowers where there are any, right before the camera, swaying. */
export function createFlora(
  site: Site,
  flowers: Flowers | undefined,
  grass: readonly [Rgb, ...Rgb[]],
): Element {
  const layers = [0, 1, 2].map((layer) => growLayer(site, { layer, flowers, grass }));
  const { brief, size } = site;
  return {
    draw(planes, view) {
      for (const [index, { board, rows }] of layers.entries()) {
        const blow =
          (noiseAlong(view.seconds * (0.7 + 0.25 * index), site.seed + index) * 0.7 +
            Math.sin(view.seconds * 2.1 + index * 1.9) * 0.35) *
          (0.25 + brief.wind) *
          size.height *
          0.02;
        for (let row = 0; row < rows.length; row++) rows[row] = blow * (1 - row / rows.length) ** 1.6;
        drawBoard(planes, site, board, view, { sway: rows });
      }
    },
  };
}

interface Layer {
  readonly layer: number;
  readonly flowers: Flowers | undefined;
  readonly grass: readonly [Rgb, ...Rgb[]];
}

function growLayer(
  site: Site,
  { layer, flowers, grass }: Layer,
): { readonly board: Board; readonly rows: Float32Array } {
  const { size } = site;
  const random = seededRandom(site.seed + layer, 'flora');
  const near = layer / 2;
  const depth = lerp(0.6, 0.95, near);
  const room = site.room(depth);
  const tall = lerp(0.12, 0.2, near) * (flowers ? 1.2 : 0.8);
  const left = -room.x;
  const top = size.height * (1.02 - tall + near * 0.055);
  const canvas = newCanvas(
    textureSize(site, { width: size.width + 2 * room.x, height: size.height * 1.11 + room.y - top }),
  );
  const unit = size.height * site.density;
  const blades = Math.round((canvas.width / unit) * lerp(340, 190, near));
  const lightness = lerp(0.62, 0.3, near);
  for (let blade = 0; blade < blades; blade++) {
    const x = random() * canvas.width;
    const high = unit * tall * between(random, 0.3, 0.85);
    const bend = between(random, -0.3, 0.3) * high;
    const color = shadeOf(site, scaled(pick(random, grass), lightness * between(random, 0.75, 1.35)), 0.8);
    const foot = canvas.height - between(random, 0, 0.03) * unit;
    const middle: readonly [number, number] = [x + bend * 0.3, foot - high * 0.55];
    const thickness = unit * lerp(0.0028, 0.0052, near);
    drawLine(canvas, [x, foot], middle, { color, thickness });
    drawLine(canvas, middle, [x + bend, foot - high], {
      color: mix(color, site.light.horizon, 0.1),
      thickness,
      end: 0.5,
    });
  }
  const stems = flowers ? Math.round((canvas.width / unit) * lerp(34, 13, near)) : 0;
  for (let stem = 0; stem < stems; stem++) {
    if (!flowers) break;
    const x = random() * canvas.width;
    const head = unit * lerp(0.011, 0.024, near) * between(random, 0.75, 1.2);
    const y = unit * tall * between(random, 0.06, 0.55) + head * 2;
    drawLine(canvas, [x + between(random, -0.02, 0.02) * unit, canvas.height], [x, y], {
      color: shadeOf(site, scaled(pick(random, grass), 0.55), 0.7),
      thickness: unit * lerp(0.003, 0.005, near),
    });
    drawFlower(canvas, site, {
      kind: flowers.kind,
      color: pick(random, flowers.colors),
      x,
      y,
      radius: head,
      random,
    });
  }
  return {
    board: { texture: toTexture(canvas), left, top, depth },
    rows: new Float32Array(canvas.height),
  };
}

interface Flower {
  readonly kind: FlowerKind;
  readonly color: Rgb;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly random: Random;
}

function drawFlower(canvas: Canvas, site: Site, { kind, color, x, y, radius, random }: Flower): void {
  const shaded = (base: Rgb, by: number): Rgb => shadeOf(site, scaled(base, by), 0.95);
  if (kind === 'lavender') {
    for (let bud = 0; bud < 16; bud++) {
      const at = bud / 16;
      disk(
        canvas,
        x + between(random, -0.5, 0.5) * radius,
        y + (at * 3.4 - 1) * radius,
        radius * lerp(0.22, 0.4, at),
        shaded(color, between(random, 0.75, 1.15)),
      );
    }
    return;
  }
  if (kind === 'tulip') {
    for (const [offset, by] of [
      [-0.45, 0.85],
      [0.45, 0.92],
      [0, 1.08],
    ] as const) {
      drawLine(
        canvas,
        [x + offset * radius * 0.6, y + radius * 0.7],
        [x + offset * radius * 1.15, y - radius],
        { color: shaded(color, by), thickness: radius * 1.05, end: radius * 0.35 },
      );
    }
    return;
  }
  const petals = kind === 'sunflower' ? 17 : kind === 'poppy' ? 5 : 11;
  const squash = between(random, 0.55, 0.95);
  const turn = random() * 6.28;
  const wide = kind === 'poppy' ? 1.05 : kind === 'sunflower' ? 0.34 : 0.36;
  for (let petal = 0; petal < petals; petal++) {
    const angle = turn + (petal / petals) * 2 * Math.PI;
    const [dx, dy] = [Math.cos(angle), Math.sin(angle) * squash];
    drawLine(
      canvas,
      [x + dx * radius * 0.3, y + dy * radius * 0.3],
      [x + dx * radius * 0.88, y + dy * radius * 0.88],
      {
        color: shaded(color, between(random, 0.82, 1.08) - dy * 0.1),
        thickness: radius * wide,
        end: radius * wide * 0.8,
      },
    );
  }
  const heart = kind === 'sunflower' ? rgb('#5a3416') : kind === 'poppy' ? rgb('#2a1a1c') : rgb('#f2b92a');
  disk(canvas, x, y, radius * (kind === 'sunflower' ? 0.46 : 0.3), shaded(heart, 0.95));
}

function disk(canvas: Canvas, x: number, y: number, radius: number, color: Rgb): void {
  for (let row = Math.floor(y - radius - 1); row <= y + radius; row++) {
    for (let column = Math.floor(x - radius - 1); column <= x + radius; column++) {
      dab(
        canvas,
        column,
        row,
        color,
        Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(column + 0.5 - x, row + 0.5 - y))),
      );
    }
  }
}
