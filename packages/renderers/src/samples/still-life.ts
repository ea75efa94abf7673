import { srgbFromLinear } from '../pixels/color.ts';
import type { Picture } from '../pixels/picture.ts';

export interface StillLife extends Picture {
  /** 1 where the bottle and the box are. */
  readonly subject: Uint8Array;
  /** Where the letters of the label are, in pixels. */
  readonly label: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
}

type Light = readonly [red: number, green: number, blue: number];

const GLYPHS: Readonly<Record<string, readonly string[]>> = {
  A: ['01110', '10001', '10001', '11111', '10001', '10001', '10001'],
  T: ['11111', '00100', '00100', '00100', '00100', '00100', '00100'],
  E: ['11111', '10000', '10000', '11110', '10000', '10000', '11111'],
  L: ['10000', '10000', '10000', '10000', '10000', '10000', '11111'],
  I: ['01110', '00100', '00100', '00100', '00100', '00100', '01110'],
  R: ['11110', '10001', '10001', '11110', '10100', '10010', '10001'],
};

const BOTTLE = { center: 0.4, radius: 0.115, top: 0.14, bottom: 0.83 };
const LABEL = { top: 0.5, bottom: 0.72 };
const BOX = { left: 0.55, right: 0.82, top: 0.5, bottom: 0.85, lid: 0.035 };
const TABLE = 0.7;

/** A product picture: a green bottle with a printed label and a carton on a wooden table, lit from the upper left. */
export function stillLife({ size }: { readonly size: number }): StillLife {
  const rgb = new Uint8Array(size * size * 3);
  const subject = new Uint8Array(size * size);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const x = (column + 0.5) / size;
      const y = (row + 0.5) / size;
      const at = row * size + column;
      const object = bottleAt(x, y) ?? boxAt(x, y);
      if (object !== undefined) subject[at] = 1;
      const light = object ?? surroundings(x, y);
      const grain = (hash(column, row) - 0.5) * 2.2;
      for (let channel = 0; channel < 3; channel++) {
        const value = srgbFromLinear(Math.min(1, Math.max(0, light[channel] ?? 0))) * 255 + grain;
        rgb[at * 3 + channel] = Math.min(255, Math.max(0, Math.round(value)));
      }
    }
  }
  const left = Math.round((BOTTLE.center - BOTTLE.radius * 0.72) * size);
  const label = {
    left,
    top: Math.round((LABEL.top + 0.05) * size),
    width: Math.round(BOTTLE.radius * 1.44 * size),
    height: Math.round(0.06 * size),
  };
  return { width: size, height: size, rgb, format: 'jpeg', subject, label };
}

function bottleRadius(y: number): number {
  const { radius, top, bottom } = BOTTLE;
  if (y < top || y > bottom + 0.012) return 0;
  if (y < top + 0.05) return radius * 0.36;
  if (y < top + 0.16) return radius * 0.3;
  const shoulder = Math.min(1, (y - top - 0.16) / 0.14);
  const base = y > bottom ? Math.sqrt(Math.max(0, 1 - ((y - bottom) / 0.012) ** 2)) : 1;
  return radius * (0.3 + 0.7 * Math.sin((shoulder * Math.PI) / 2) ** 1.5) * (0.9 + 0.1 * base);
}

function bottleAt(x: number, y: number): Light | undefined {
  const radius = bottleRadius(y);
  const across = (x - BOTTLE.center) / Math.max(1e-6, radius);
  if (Math.abs(across) >= 1) return undefined;
  const facing = Math.sqrt(1 - across * across);
  const diffuse = Math.max(0, -0.55 * across + 0.7 * facing) + 0.12;
  if (y < BOTTLE.top + 0.05) return scale([0.5, 0.36, 0.12], diffuse + gleam(across, -0.45, 0.1) * 0.8);
  // The edges of a label curve downwards on a bottle that is seen from a little above.
  const bend = 0.008 * (1 - facing);
  if (y > LABEL.top - bend && y < LABEL.bottom - bend)
    return scale(labelInk(across, (y + bend - LABEL.top) / (LABEL.bottom - LABEL.top)), diffuse);
  const through = 0.05 + 0.1 * (1 - facing) + 0.06 * Math.max(0, across);
  const shine = gleam(across, -0.52, 0.075) * 0.9 + gleam(across, 0.78, 0.05) * 0.25;
  return [
    0.02 * diffuse + shine * 0.9 + through * 0.15,
    0.09 * diffuse + shine + through,
    0.035 * diffuse + shine * 0.92 + through * 0.35,
  ];
}

function labelInk(across: number, down: number): Light {
  const paper: Light = [0.78, 0.72, 0.58];
  if (down < 0.06 || down > 0.94) return [0.45, 0.08, 0.06];
  const flat = Math.asin(across) / 1.05;
  if (inkAt('ATELIER', (flat + 0.76) / 1.52, (down - 0.22) / 0.27)) return [0.06, 0.05, 0.05];
  const line = (down - 0.58) * 28;
  const fine =
    line > 0 &&
    line < 9 &&
    line % 2 < 0.8 &&
    Math.abs(flat) < 0.5 &&
    hash(Math.floor(flat * 40), Math.floor(line)) > 0.2;
  return fine ? [0.2, 0.17, 0.15] : paper;
}

function inkAt(word: string, across: number, down: number): boolean {
  if (across < 0 || across >= 1 || down < 0 || down >= 1) return false;
  const cell = across * word.length;
  const glyph = GLYPHS[word[Math.floor(cell)] ?? ''];
  return glyph?.[Math.floor(down * 7)]?.[Math.floor((cell % 1) * 6)] === '1';
}

function boxAt(x: number, y: number): Light | undefined {
  const { left, right, top, bottom, lid } = BOX;
  const skew = (x - left) * 0.06;
  const face = y - skew;
  if (x < left || x > right || face < top - lid || face > bottom) return undefined;
  if (face < top) {
    const depth = (top - face) / lid;
    return x < left + depth * 0.025 || x > right - depth * 0.02 ? undefined : [0.72, 0.46, 0.2];
  }
  const stripe = Math.abs(face - (top + bottom) / 2) < 0.05;
  const shade = 0.78 - 0.25 * ((x - left) / (right - left)) + 0.04 * fibre(x * 40, y * 9);
  if (
    stripe &&
    inkAt('ATELIER', (x - left - 0.03) / (right - left - 0.06), (face - (top + bottom) / 2 + 0.03) / 0.06)
  ) {
    return scale([0.85, 0.8, 0.7], shade);
  }
  return scale(stripe ? [0.1, 0.16, 0.34] : [0.5, 0.3, 0.13], shade);
}

function surroundings(x: number, y: number): Light {
  const fromLamp = Math.hypot(x - 0.2, y - 0.1);
  if (y < TABLE) return scale([0.5, 0.5, 0.52], 0.95 - 0.55 * fromLamp + 0.02 * fibre(x * 6, y * 6));
  const near = (y - TABLE) / (1 - TABLE);
  const grain = fibre(x * 3 + 4 * fibre(x * 2, near * 2), near * 30 + 2);
  const wood: Light = [0.33 + 0.07 * grain, 0.19 + 0.05 * grain, 0.1 + 0.03 * grain];
  return scale(wood, (0.95 - 0.35 * x) * (1 - shadowAt(x, y)));
}

function shadowAt(x: number, y: number): number {
  const of = (center: number, foot: number, width: number): number => {
    const along = x - center - (y - foot) * 0.4;
    const across = (y - foot) / 0.05;
    return 0.7 * Math.exp(-((Math.max(0, Math.abs(along) - width) / 0.035) ** 2) - across * across);
  };
  return Math.max(of(BOTTLE.center + 0.05, BOTTLE.bottom + 0.005, 0.11), of(0.72, BOX.bottom + 0.015, 0.13));
}

function gleam(across: number, at: number, width: number): number {
  return Math.exp(-(((across - at) / width) ** 2));
}

function scale([red, green, blue]: Light, factor: number): Light {
  return [red * factor, green * factor, blue * factor];
}

/** Smooth noise from -1 to 1. */
function fibre(x: number, y: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const shareX = (x - left) ** 2 * (3 - 2 * (x - left));
  const shareY = (y - top) ** 2 * (3 - 2 * (y - top));
  const above = hash(left, top) * (1 - shareX) + hash(left + 1, top) * shareX;
  const below = hash(left, top + 1) * (1 - shareX) + hash(left + 1, top + 1) * shareX;
  return (above * (1 - shareY) + below * shareY) * 2 - 1;
}

function hash(x: number, y: number): number {
  let value = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return ((value ^ (value >>> 12)) >>> 0) / 0xffffffff;
}
