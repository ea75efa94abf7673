import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawTexture, type Placement } from './draw-texture.ts';
import { newPlanes, type Planes } from './planes.ts';
import { type Layer, paintTexture, type Texture } from './texture.ts';

const SIZE = { width: 54, height: 22 };

/** Soft shapes with gaps between them. */
function paint(kind: 'opaque' | 'light' | 'mixed'): Texture {
  return paintTexture(
    { width: 46, height: 26 },
    (row, y) => {
      for (let x = 0, at = 0; x < 46; x++, at += 4) {
        const part = Math.max(0, Math.sin(x * 0.31 + y * 0.2));
        const alpha = kind === 'opaque' ? 1 : part;
        row[at] = 240 * alpha;
        row[at + 1] = (40 + 4 * x) * alpha;
        row[at + 2] = 8 * y * alpha;
        row[at + 3] = kind === 'light' ? 0 : alpha;
      }
    },
    { opaque: kind === 'opaque', premultiplied: true },
  );
}

/** A value between four pixels; beyond its edges a texture is empty, or goes on where it is opaque. */
function valueAt(read: (x: number, y: number) => number, x: number, y: number): number {
  const [left, above] = [Math.floor(x), Math.floor(y)];
  const across = (row: number): number =>
    read(left, row) + (read(left + 1, row) - read(left, row)) * (x - left);
  return across(above) + (across(above + 1) - across(above)) * (y - above);
}

function expected(under: number, layer: Layer, place: { x: number; y: number }): number {
  const { width, height, color, alpha } = layer;
  const held = (value: number, last: number): number => Math.min(last, Math.max(0, value));
  const reader =
    (data: ArrayLike<number>) =>
    (x: number, y: number): number => {
      if (alpha && (x < 0 || x >= width)) return 0;
      return data[held(y, height - 1) * width + held(x, width - 1)] ?? 0;
    };
  const y = held(place.y, height - 1);
  const seen = valueAt(reader(color), place.x, y);
  if (!alpha) return seen;
  const cover = valueAt(reader(alpha), place.x, y) / 255;
  return under * (1 - cover) + seen;
}

const UNDER = { y: 9000, u: -700, v: 1500 };

function filled(): Planes {
  const planes = newPlanes(SIZE);
  for (const name of ['y', 'u', 'v'] as const) planes[name].fill(UNDER[name]);
  return planes;
}

const PLACEMENTS: readonly (readonly [string, Placement])[] = [
  ['at its own size', { left: 3, top: -2, scale: 1 }],
  ['between pixels', { left: -4.3, top: 1.6, scale: 1 }],
  ['enlarged', { left: -9.2, top: -6.7, scale: 1.37 }],
  ['much enlarged', { left: -70, top: -31, scale: 4.1 }],
  ['made smaller', { left: 2.4, top: 0.3, scale: 0.71 }],
  ['made much smaller', { left: 8.8, top: 3.1, scale: 0.37 }],
  ['half beyond the right edge', { left: 30.5, top: 9.5, scale: 1.1 }],
];

for (const kind of ['opaque', 'light', 'mixed'] as const) {
  for (const [how, placement] of PLACEMENTS) {
    test(`a texture that is ${kind} is drawn ${how}`, () => {
      const planes = filled();
      const texture = paint(kind);
      drawTexture(planes, texture, placement);
      const { left, top, scale } = placement;
      let compared = 0;
      for (const name of ['y', 'u', 'v'] as const) {
        const half = name === 'y' ? 1 : 2;
        const width = SIZE.width / half;
        const layer = texture[name];
        for (let at = 0; at < planes[name].length; at++) {
          const x = ((at % width) + 0.5 - left / half) / scale - 0.5;
          const y = (Math.floor(at / width) + 0.5 - top / half) / scale - 0.5;
          // Edges between two rows may begin a pixel sooner or later.
          const isInside = x > 0 && x < layer.width - 1 && y > 0 && y < layer.height - 1;
          if (kind !== 'opaque' && !isInside) continue;
          const wanted = expected(UNDER[name], layer, { x, y });
          const is = planes[name][at] as number;
          assert.ok(Math.abs(is - wanted) <= 100, `${name} at ${at}: ${is}, not ${wanted}`);
          compared++;
        }
      }
      assert.ok(compared > 100);
    });
  }
}

test('pixels beyond a texture do not change', () => {
  const planes = filled();
  drawTexture(planes, paint('mixed'), { left: 20, top: 8, scale: 0.5 });
  for (let row = 0; row < SIZE.height; row++) {
    for (let x = 0; x < SIZE.width; x++) {
      if (x >= 19 && x <= 44 && row >= 7 && row <= 22) continue;
      assert.equal(planes.y[row * SIZE.width + x], UNDER.y);
    }
  }
});
