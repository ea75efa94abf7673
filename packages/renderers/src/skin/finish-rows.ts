import { type KernelMemory, makeRoom, type Room } from '../pixels/kernel-memory.ts';
import { type NoiseField, noiseField } from '../pixels/noise-tile.ts';
import type { Picture } from '../pixels/picture.ts';
import { planeKernels } from '../pixels/plane-kernels.ts';
import type { Plan } from './plan.ts';
import type { Recipe } from './recipe.ts';
import { rowStrengths } from './row-strengths.ts';
import { skinKernels } from './skin-kernels.ts';

/** Writes rows of the finished picture over the rows they are made of. */
export type RowFinisher = (from: number, to: number) => void;

export function rowFinisher(picture: Picture, plan: Plan, recipe: Recipe, seed: number): RowFinisher {
  const { width } = picture;
  const strengths = rowStrengths(recipe, plan.noise);
  const pores =
    plan.skin !== undefined && recipe.micro > 0
      ? noiseField(seed + 1, plan.skin.pore, 'pitted', width)
      : undefined;
  const grain = recipe.grain > 0 ? noiseField(seed + 2, grainSize(picture), 'soft', width) : undefined;
  return (from, to) => {
    const room = makeRoom();
    const rows = rowsIn(room, width);
    const planes = smallPlanesIn(room, plan);
    const fields = [noiseIn(room, pores), noiseIn(room, grain)] as const;
    const wides = [...planes, ...fields].map(() => room.take(width * 4));
    const row = room.take(64 * 4);
    const memory = room.open();
    for (const { address, plane } of planes) if (plane !== undefined) memory.floats.set(plane, address / 4);
    for (const field of fields) copyTiles(field, memory);
    for (const wide of wides) memory.floats.fill(0, wide / 4, wide / 4 + width);
    memory.longs.set([width, ...rows.lumas, rows.soft, rows.red, rows.green, rows.blue, ...wides], row / 4);
    memory.floats.set(strengths, row / 4 + 8 + wides.length);
    for (let y = from; y < to; y++) {
      readRow(picture, plan, y, rows, memory);
      planes.forEach(({ address, plane }, index) => {
        if (plane !== undefined) widenRow(plan, picture, y, address, wides[index] ?? 0);
      });
      fields.forEach((field, index) => repeatRow(field, y, wides[planes.length + index] ?? 0, width));
      skinKernels().finishRow(row);
      skinKernels().joinRow(rows.red, rows.green, rows.blue, rows.rgb, width);
      picture.rgb.set(memory.bytes.subarray(rows.rgb, rows.rgb + width * 3), y * width * 3);
    }
  };
}

/** Film of the same sensitivity has finer grain, relative to the picture, the larger it is. */
function grainSize({ width, height }: Picture): number {
  return Math.min(1.5, Math.max(0.45, Math.max(width, height) / 2400));
}

interface Rows {
  readonly rgb: number;
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  /** Of the row above, the row itself and the row below. */
  readonly lumas: readonly [number, number, number];
  readonly soft: number;
}

function rowsIn(room: Room, width: number): Rows {
  return {
    rgb: room.take(width * 3),
    red: room.take(width),
    green: room.take(width),
    blue: room.take(width),
    lumas: [room.take(width * 2), room.take(width * 2), room.take(width * 2)],
    soft: room.take(width * 2),
  };
}

function readRow(
  { rgb, width, height }: Picture,
  plan: Plan,
  y: number,
  rows: Rows,
  memory: KernelMemory,
): void {
  memory.bytes.set(rgb.subarray(y * width * 3, (y + 1) * width * 3), rows.rgb);
  planeKernels().splitRow(rows.rgb, rows.red, rows.green, rows.blue, width);
  memory.shorts.set(plan.soft.subarray(y * width, (y + 1) * width), rows.soft / 2);
  rows.lumas.forEach((address, index) => {
    const from = Math.min(height - 1, Math.max(0, y + index - 1)) * width;
    const to = address / 2;
    memory.shorts.set(plan.luma.subarray(from, from + width), to);
    // The neighbours of the first and the last pixel.
    memory.shorts[to - 1] = plan.luma[from] ?? 0;
    memory.shorts[to + width] = plan.luma[from + width - 1] ?? 0;
  });
}

interface PlaneIn {
  readonly address: number;
  readonly plane: Float32Array | undefined;
}

/** In the order in which `Row` of skin-kernels.c has them. */
function smallPlanesIn(room: Room, { skin, base, light }: Plan): readonly PlaneIn[] {
  const corrections = skin?.corrections;
  return [
    skin?.slope,
    skin?.offset,
    base,
    skin?.healed,
    skin?.room,
    skin?.micro,
    corrections?.luma,
    corrections?.cb,
    corrections?.cr,
    light,
  ].map((plane) => ({ plane, address: room.take(plane?.byteLength ?? 0) }));
}

function widenRow({ planes }: Plan, { width }: Picture, y: number, plane: number, wide: number): void {
  const { factor } = planes;
  const place = (y + 0.5) / factor - 0.5;
  const upper = Math.floor(place);
  const above = plane + Math.max(0, upper) * planes.width * 4;
  const below = plane + Math.min(planes.height - 1, upper + 1) * planes.width * 4;
  const half = Math.ceil(factor / 2 - 0.5);
  const first = (half + 0.5) / factor - 0.5;
  planeKernels().widen(above, below, place - upper, wide, planes.width, width, factor, half - factor, first);
}

interface NoiseIn {
  readonly field: NoiseField;
  readonly large: number;
  readonly small: number;
}

function noiseIn(room: Room, field: NoiseField | undefined): NoiseIn | undefined {
  if (field === undefined) return undefined;
  return {
    field,
    large: room.take(field.large.values.byteLength),
    small: room.take(field.small.values.byteLength),
  };
}

function copyTiles(noise: NoiseIn | undefined, { floats }: KernelMemory): void {
  if (noise === undefined) return;
  floats.set(noise.field.large.values, noise.large / 4);
  floats.set(noise.field.small.values, noise.small / 4);
}

function repeatRow(noise: NoiseIn | undefined, y: number, wide: number, width: number): void {
  if (noise === undefined) return;
  const { large, small } = noise.field;
  const above = noise.large + (y % large.side) * large.side * 4;
  const below = noise.small + (y % small.side) * small.side * 4;
  planeKernels().repeatRows(above, large.side, below, small.side, Math.SQRT1_2, wide, width);
}
