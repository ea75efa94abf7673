import { type Color, eyeAt } from './portrait-eye.ts';
import {
  brows,
  faceRelief,
  headWidth,
  lips,
  openings,
  skinColor,
  skinRelief,
  spotsOf,
} from './portrait-face.ts';
import { hairAt } from './portrait-hair.ts';
import { bell, cloud, gaussian, mix, noise, step } from './portrait-noise.ts';
import { type SkinLook, shadeSkin } from './portrait-skin.ts';

export type SkinTone = 'porcelain' | 'light' | 'olive' | 'brown' | 'deep';

export const SKIN_TONES: readonly SkinTone[] = ['porcelain', 'light', 'olive', 'brown', 'deep'];

export interface PortraitOptions {
  readonly width: number;
  readonly height: number;
  readonly seed: number;
  readonly skinTone: SkinTone;
  /** Lipstick, rouge and eye shadow. */
  readonly makeUp?: boolean;
  /** `plastic` is skin as a renderer without texture makes it: smooth, glossy, too colorful. */
  readonly finish?: 'natural' | 'plastic';
}

/** What is seen at a pixel, where it is not a mixture. */
export const PART = { background: 0, skin: 1, hair: 2, eye: 3, lips: 4, brow: 5, cloth: 6, edge: 7 } as const;

export interface Portrait {
  readonly width: number;
  readonly height: number;
  /** sRGB, three bytes a pixel. */
  readonly rgb: Uint8Array;
  /** One of `PART` for each pixel. */
  readonly parts: Uint8Array;
}

interface Person {
  readonly albedo: Color;
  readonly hair: Color;
  readonly iris: Color;
  readonly cloth: Color;
  readonly backdrop: Color;
  readonly exposure: number;
}

/** Colors are linear light. */
const PEOPLE: Readonly<Record<SkinTone, Person>> = {
  porcelain: {
    albedo: [0.84, 0.61, 0.5],
    hair: [0.3, 0.115, 0.04],
    iris: [0.12, 0.25, 0.3],
    cloth: [0.06, 0.14, 0.13],
    backdrop: [0.32, 0.36, 0.39],
    exposure: 1,
  },
  light: {
    albedo: [0.75, 0.47, 0.345],
    hair: [0.13, 0.063, 0.028],
    iris: [0.1, 0.2, 0.09],
    cloth: [0.09, 0.13, 0.26],
    backdrop: [0.3, 0.29, 0.27],
    exposure: 1.02,
  },
  olive: {
    albedo: [0.58, 0.335, 0.205],
    hair: [0.045, 0.026, 0.017],
    iris: [0.18, 0.085, 0.03],
    cloth: [0.42, 0.4, 0.36],
    backdrop: [0.14, 0.19, 0.2],
    exposure: 1.08,
  },
  brown: {
    albedo: [0.335, 0.155, 0.083],
    hair: [0.022, 0.014, 0.011],
    iris: [0.12, 0.05, 0.02],
    cloth: [0.5, 0.3, 0.06],
    backdrop: [0.25, 0.24, 0.25],
    exposure: 1.2,
  },
  deep: {
    albedo: [0.16, 0.067, 0.039],
    hair: [0.013, 0.01, 0.009],
    iris: [0.07, 0.03, 0.015],
    cloth: [0.34, 0.05, 0.06],
    backdrop: [0.26, 0.22, 0.17],
    exposure: 1.4,
  },
};

/** A person who does not exist, painted in numbers: for tests and for the pictures of the documentation. */
export function portrait(options: PortraitOptions): Portrait {
  const { width, height, seed } = options;
  const unit = 0.29 * Math.min(width, height);
  const look: SkinLook = { plastic: options.finish === 'plastic', makeUp: options.makeUp === true };
  const relief = reliefOf(width, height, unit, seed, look);
  const person = PEOPLE[options.skinTone];
  const spots = look.plastic ? [] : spotsOf(seed);
  const rgb = new Uint8Array(width * height * 3);
  const parts = new Uint8Array(width * height);
  const paint = new Paint();
  for (let row = 0, at = 0; row < height; row++) {
    for (let column = 0; column < width; column++, at++) {
      const { x, y } = placeOf(column, row, width, height, unit);
      const scene = { x, y, edge: 1.2 / unit, seed, person, look, spots };
      const [tiltX, tiltY] = slopes(relief, at, width, unit);
      paintAt(paint, scene, tiltX, tiltY);
      parts[at] = paint.solid < 0.75 ? PART.edge : paint.part;
      develop(paint.color, rgb, at, { ...scene, column, row });
    }
  }
  return { width, height, rgb, parts };
}

/** One pixel as it is painted over, from back to front. */
class Paint {
  readonly color: [number, number, number] = [0, 0, 0];
  part: number = PART.background;
  solid = 1;

  start(color: Color): void {
    [this.color[0], this.color[1], this.color[2]] = color;
    this.part = PART.background;
    this.solid = 1;
  }

  over(cover: number, color: Color, part: number): void {
    if (cover <= 0) return;
    for (let band = 0; band < 3; band++) {
      this.color[band] = mix(this.color[band] ?? 0, color[band] ?? 0, cover);
    }
    if (cover > 0.5) this.part = part;
    this.solid = cover > 0.98 ? 1 : Math.min(this.solid, Math.abs(cover - 0.5) * 2);
  }
}

function paintAt(paint: Paint, scene: Scene, tiltX: number, tiltY: number): void {
  const { x, y, edge, seed, person } = scene;
  const width = headWidth(y);
  const head = width > 0 ? step(-edge, edge, width - Math.abs(x)) : 0;
  if (head < 1) {
    paint.start(backdropAt(scene));
    const back = hairAt(x * 1.03, y - 0.02, seed + 5);
    paint.over(back.cover, hairColor(person, back.shade * 0.5, back.shine * 0.4), PART.hair);
    const throat = neck(x, y, edge);
    if (throat > 0) paint.over(throat, neckColor(scene), PART.skin);
    const dressed = cloth(x, y, edge);
    if (dressed > 0) paint.over(dressed, clothColor(scene), PART.cloth);
  }
  if (head > 0) paintFace(paint, scene, head, tiltX, tiltY);
  const front = hairAt(x, y, seed);
  paint.over(front.cover, hairColor(person, front.shade, front.shine), PART.hair);
}

function paintFace(paint: Paint, scene: Scene, head: number, tiltX: number, tiltY: number): void {
  const { x, y, seed, person, look, spots } = scene;
  const onLips = lips(x, y);
  const spot = skinColor(x, y, seed, spots);
  const skin = shadeSkin({ x, y, tiltX, tiltY, spot, onLips, look, albedo: person.albedo });
  if (head === 1) paint.start(skin);
  paint.over(head, skin, onLips > 0.5 ? PART.lips : PART.skin);
  paint.over(openings(x, y), [0.02, 0.008, 0.006], PART.lips);
  const eye = eyeAt(x, y, person.iris, seed);
  if (eye !== undefined) {
    paint.over(eye.fold * 0.6, scaled(person.albedo, 0.22), paint.part);
    if (look.makeUp) paint.over(eye.lid * 0.5, [0.1, 0.09, 0.3], PART.skin);
    paint.over(eye.open, scaled(eye.color, 0.95 / person.exposure), PART.eye);
    paint.over(eye.lashes, [0.012, 0.009, 0.008], PART.eye);
  }
  paint.over(0.9 * brows(x, y, seed), scaled(person.hair, 0.42), PART.brow);
}

function scaled([red, green, blue]: Color, by: number): Color {
  return [red * by, green * by, blue * by];
}

interface Scene {
  readonly x: number;
  readonly y: number;
  /** Half the width of an edge that looks sharp in this picture. */
  readonly edge: number;
  readonly seed: number;
  readonly person: Person;
  readonly look: SkinLook;
  readonly spots: ReturnType<typeof spotsOf>;
}

function placeOf(
  column: number,
  row: number,
  width: number,
  height: number,
  unit: number,
): { x: number; y: number } {
  return { x: (column + 0.5 - width / 2) / unit, y: (row + 0.5 - height * 0.475) / unit };
}

/** The heights of the face, texture included; what is no face is no number. */
function reliefOf(width: number, height: number, unit: number, seed: number, look: SkinLook): Float32Array {
  const relief = new Float32Array(width * height).fill(Number.NaN);
  // What is smaller than a pixel would only flicker.
  const near = look.plastic ? 0 : Math.min(1, unit / 160);
  for (let row = 0, at = 0; row < height; row++) {
    for (let column = 0; column < width; column++, at++) {
      const { x, y } = placeOf(column, row, width, height, unit);
      if (Math.abs(x) > headWidth(y) + 2 / unit) continue;
      relief[at] = faceRelief(x, y) + (near === 0 ? 0 : near * skinRelief(x, y, seed, lips(x, y)));
    }
  }
  return relief;
}

function slopes(relief: Float32Array, at: number, width: number, unit: number): [number, number] {
  return [slope(relief, at, 1) * unit, slope(relief, at, width) * unit];
}

function slope(relief: Float32Array, at: number, by: number): number {
  const here = relief[at] ?? Number.NaN;
  const before = relief[at - by] ?? Number.NaN;
  const after = relief[at + by] ?? Number.NaN;
  const rise = ((Number.isNaN(after) ? here : after) - (Number.isNaN(before) ? here : before)) / 2;
  return Number.isNaN(rise) ? 0 : rise;
}

function backdropAt({ x, y, seed, person }: Scene): [number, number, number] {
  const light =
    0.34 + 0.85 * bell(x + 0.75, y + 0.35, 1.5, 1.3) + 0.06 * cloud(x * 0.8, y * 0.8, seed + 201, 2);
  let glow = 0;
  for (let lamp = 0; lamp < 6; lamp++) {
    const across = x - (((lamp * 0.618 + (seed % 97) * 0.13) % 1) * 3.4 - 1.7);
    const down = y - (((lamp * 0.414 + (seed % 89) * 0.17) % 1) * 2.2 - 1.5);
    glow += 0.055 * step(1.05, 0.85, Math.hypot(across, down) / (0.16 + 0.03 * (lamp % 4)));
  }
  const [red, green, blue] = person.backdrop;
  return [red * light + glow * 1.1, green * light + glow * 0.95, blue * light + glow * 0.75];
}

function hairColor({ hair, exposure }: Person, shade: number, shine: number): Color {
  const light = shade * 1.15 * exposure;
  const gloss = shine * 0.3;
  return [
    hair[0] * light + gloss * (0.25 + hair[0] * 2.4),
    hair[1] * light + gloss * (0.22 + hair[1] * 2.6),
    hair[2] * light + gloss * (0.2 + hair[2] * 2.6),
  ];
}

function neck(x: number, y: number, edge: number): number {
  if (y < 0.5 || y > 2.2) return 0;
  const width = 0.42 + 0.05 * step(0.9, 0.6, y) + 1.15 * step(1.25, 1.95, y) ** 1.5;
  return step(-edge, edge, width - Math.abs(x));
}

function neckColor({ x, y, seed, person, look, spots }: Scene): Color {
  const spot = skinColor(x * 0.9, y, seed + 3, spots);
  const round = Math.min(0.96, Math.abs(x) / (0.5 + 0.5 * step(1.3, 1.8, y))) * Math.sign(x);
  const tiltX = -(-round / Math.sqrt(1 - round * round)) * 0.9;
  const grain = look.plastic ? 0 : 0.12 * cloud(x * 90, y * 90, seed + 7, 2);
  const skin = {
    x,
    y: 2,
    tiltX: tiltX + grain,
    tiltY: 0.25 + grain,
    spot,
    onLips: 0,
    look,
    albedo: person.albedo,
  };
  const lit = shadeSkin(skin);
  // The shadow of the chin, warmer where light goes through.
  const chin = 0.16 + 0.84 * step(0.98, 1.44, y + 0.32 * x * x - 0.2 * x);
  const tendon = 1 - 0.12 * bell(Math.abs(x) - 0.26 + 0.3 * (y - 1.2), 0, 0.05, 1) * step(1, 1.35, y);
  const collarbone = 1 + 0.1 * bell(y - 1.56 - 0.1 * Math.abs(x), Math.abs(x) - 0.3, 0.03, 0.25);
  const shade = chin * tendon * collarbone * 0.8;
  return [lit[0] * (shade + 0.025), lit[1] * shade, lit[2] * shade];
}

function cloth(x: number, y: number, edge: number): number {
  const collar =
    1.36 + 0.34 * Math.sqrt(Math.max(0, 1 - (x / 0.6) ** 2)) - 0.12 * step(0.4, 0.75, Math.abs(x));
  const shoulder = 1.26 + 0.2 * Math.max(0, Math.abs(x) - 0.4) + 0.3 * step(0.9, 1.9, Math.abs(x));
  return step(-edge * 2, edge * 2, y - Math.max(collar, shoulder));
}

function clothColor({ x, y, seed, person }: Scene): Color {
  const fold = cloud(x * 1.6 + 0.5 * y, y * 1.1 - x * 0.5, seed + 301, 3);
  const weave =
    0.1 * Math.sin(x * 260) * Math.sin(y * 260) + 0.14 * (noise(x * 150, y * 60, seed + 303) - 0.5);
  const collar = 1.36 + 0.34 * Math.sqrt(Math.max(0, 1 - (x / 0.6) ** 2));
  const seam = Math.abs(x) < 0.6 ? 0.25 * Math.exp(-(((y - collar - 0.07) / 0.008) ** 2)) : 0;
  const light = (0.62 + 0.42 * fold + weave) * (0.62 + 0.5 * step(1.2, -1.4, x)) * (1 - seam);
  return [person.cloth[0] * light, person.cloth[1] * light, person.cloth[2] * light];
}

interface Shot extends Scene {
  readonly column: number;
  readonly row: number;
}

/** As a camera does: lens shading, noise of the light, a curve with a shoulder. */
function develop(
  color: readonly number[],
  rgb: Uint8Array,
  at: number,
  { x, y, seed, person, look, column, row }: Shot,
): void {
  const vignette = 1 - 0.07 * (x * x + y * y);
  for (let band = 0; band < 3; band++) {
    const light = Math.max(0, (color[band] ?? 0) * person.exposure * Math.max(0.45, vignette) * 1.12);
    const shoulder = light < 0.55 ? light : 0.55 + 0.45 * (1 - Math.exp(-(light - 0.55) / 0.45));
    const encoded = shoulder <= 0.0031308 ? shoulder * 12.92 : 1.055 * shoulder ** (1 / 2.4) - 0.055;
    const grain = look.plastic ? 0.3 : 0.9 + 0.5 * (1 - encoded);
    const value = encoded * 255 + grain * gaussian(column, row, seed + 401 + band * 5);
    rgb[at * 3 + band] = Math.min(255, Math.max(0, Math.round(value)));
  }
}
