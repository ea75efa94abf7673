import { type Size, softBlur } from '../../pixels/box-blur.ts';
import { smoothstep } from '../field.ts';
import type { Face } from './face.ts';
import { inflate } from './inflate.ts';

/** Where every part of the subject faces (x to the right, y down, z to the viewer), and how deep in a hollow it lies. */
export interface Shape {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly z: Float32Array;
  /** Above the plane of the picture, in its longer edges. */
  readonly height: Float32Array;
  /** 1 in the open, less where surroundings are higher. */
  readonly open: Float32Array;
}

interface Looks {
  readonly mask: Float32Array;
  /** The sRGB brightness, 0 to 1. */
  readonly tone: Float32Array;
  readonly face: Face | undefined;
}

/** How much of the form is read from brightness: light is taken for near. */
const FINE_RELIEF = 0.045;
const BROAD_RELIEF = 0.16;

/** A rough form: the outline blown up like a balloon, a ball for a face, and the relief that brightness hints at. */
export function shapeOf({ mask, tone, face }: Looks, size: Size): Shape {
  const longer = Math.max(size.width, size.height);
  const height = inflate(mask, size);
  if (face !== undefined) addFace(height, face, size);
  const body = softBlur(height, size, longer / 70);
  const fine = softBlur(tone, size, longer / 190);
  const broad = softBlur(tone, size, longer / 48);
  const relief = new Float32Array(body.length);
  for (let at = 0; at < relief.length; at++) {
    const inside = mask[at] ?? 0;
    relief[at] =
      (body[at] ?? 0) +
      inside * (FINE_RELIEF * ((fine[at] ?? 0) - (broad[at] ?? 0)) + BROAD_RELIEF * 0.25 * (broad[at] ?? 0));
  }
  const around = softBlur(relief, size, longer / 36);
  const open = relief.map((value, at) => 1 - smoothstep(0, 0.035, (around[at] ?? 0) - value) * 0.45);
  return { ...normalsOf(relief, size), height: body, open };
}

function addFace(
  height: Float32Array,
  { x: centerX, y: centerY, radiusX, radiusY }: Face,
  { width, height: rows }: Size,
): void {
  const depth = (0.55 * radiusX) / Math.max(width, rows);
  for (let y = 0, at = 0; y < rows; y++) {
    for (let x = 0; x < width; x++, at++) {
      const off = ((x - centerX) / (radiusX * 1.05)) ** 2 + ((y - centerY) / (radiusY * 1.05)) ** 2;
      if (off < 1) height[at] = (height[at] ?? 0) + depth * Math.sqrt(1 - off);
    }
  }
}

function normalsOf(relief: Float32Array, { width, height }: Size): Pick<Shape, 'x' | 'y' | 'z'> {
  const longer = Math.max(width, height);
  const normals = {
    x: new Float32Array(relief.length),
    y: new Float32Array(relief.length),
    z: new Float32Array(relief.length),
  };
  for (let row = 0, at = 0; row < height; row++) {
    const up = row > 0 ? -width : 0;
    const down = row < height - 1 ? width : 0;
    for (let column = 0; column < width; column++, at++) {
      const left = column > 0 ? -1 : 0;
      const right = column < width - 1 ? 1 : 0;
      const slopeX = ((relief[at + right] ?? 0) - (relief[at + left] ?? 0)) * longer * 0.5;
      const slopeY = ((relief[at + down] ?? 0) - (relief[at + up] ?? 0)) * longer * 0.5;
      const length = 1 / Math.sqrt(1 + slopeX * slopeX + slopeY * slopeY);
      normals.x[at] = -slopeX * length;
      normals.y[at] = -slopeY * length;
      normals.z[at] = length;
    }
  }
  return normals;
}
