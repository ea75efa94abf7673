import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LINEAR_OF_BYTE } from '../../pixels/color.ts';
import { randomNumbers } from '../backdrop/noise.ts';
import { type KernelNumbers, type KernelTables, openRelightPass } from './relight-kernels.ts';

const random = randomNumbers(7);

function table(length: number, value: (at: number) => number): Float32Array {
  return Float32Array.from({ length }, (_, at) => value(at));
}

function tables(columns: number, rows: number): KernelTables {
  const layers = table(columns * rows * 20, (at) => {
    const place = at % 20;
    if (place >= 16) return (random() - 0.5) / 200;
    if (place === 3) return 0.5;
    if (place === 7) return 0.6;
    if (place === 11) return 0.2 * random();
    return (place % 8 < 4 ? 1.6 : 0.1) * random();
  });
  return {
    layers,
    linear: LINEAR_OF_BYTE,
    curve: table(4097, (at) => Math.min(255, at / 8)),
    compression: table(4097, (at) => 1 / (1 + at / 9000)),
    areaLight: table(1025, (at) => (at / 1024) ** 2.2),
    noise: table(8195, () => random() - 0.5),
  };
}

function plainNumbers(width: number, columns: number, rows: number, factor: number): KernelNumbers {
  return {
    width,
    columns,
    rows,
    factor,
    keepsDetails: true,
    saturation: 1,
    detail: 0,
    share: 1,
    shadows: [0, 0, 0],
    highlights: [0, 0, 0],
  };
}

/** The same in plain numbers, a pixel at a time. */
function expected(rgb: Uint8Array, height: number, given: KernelTables, numbers: KernelNumbers): Uint8Array {
  const { width, columns, rows, factor } = numbers;
  const result = new Uint8Array(rgb.length);
  const clamp = (value: number, least: number, most: number): number =>
    Math.min(most, Math.max(least, value));
  const byRoot = (of: Float32Array, light: number): number =>
    of[Math.floor(Math.min(4096, Math.sqrt(Math.max(0, light)) * 2048) + 0.5)] ?? 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const field = (place: number): number => {
        const [atX, atY] = [(x + 0.5) / factor - 0.5, (y + 0.5) / factor - 0.5];
        const [left, top] = [Math.floor(atX), Math.floor(atY)];
        const value = (column: number, row: number): number =>
          given.layers[(clamp(row, 0, rows - 1) * columns + clamp(column, 0, columns - 1)) * 20 + place] ?? 0;
        const above = value(left, top) + (value(left + 1, top) - value(left, top)) * (atX - left);
        const below = value(left, top + 1) + (value(left + 1, top + 1) - value(left, top + 1)) * (atX - left);
        return above + (below - above) * (atY - top);
      };
      const at = (y * width + x) * 3;
      const bytes = [rgb[at] ?? 0, rgb[at + 1] ?? 0, rgb[at + 2] ?? 0];
      const weigh = (of: readonly number[], weights: readonly number[]): number =>
        of.reduce((sum, value, n) => sum + value * (weights[n] ?? 0), 0);
      const inside = clamp(weigh(bytes, [field(16), field(17), field(18)]) + field(3), 0, 1);
      const mixed = (subject: number, background: number): number[] =>
        [0, 1, 2].map((n) => field(background + n) + (field(subject + n) - field(background + n)) * inside);
      const [gains, added] = [mixed(0, 8), mixed(4, 12)];
      const lit = bytes.map((value, n) => (given.linear[value] ?? 0) * (gains[n] ?? 0) + (added[n] ?? 0));
      const tone = weigh(bytes, [77, 150, 29]) / 65280;
      const area = clamp(field(7) * tone + field(11), 0.004, 1);
      const luminance = [0.2126, 0.7152, 0.0722];
      const areaLight = given.areaLight[Math.floor(area * 1024 + 0.5)] ?? 0;
      const more = weigh(added, luminance);
      const light = numbers.keepsDetails ? areaLight * weigh(gains, luminance) + more : weigh(lit, luminance);
      const own = clamp(1 - more / (light + 1e-6), 0, 1);
      const bigger = 1 + clamp(2.2 * numbers.detail * own * (tone / area - 1), -0.7, 1.2);
      const factorOf = byRoot(given.compression, light) * bigger;
      const out = lit.map((value) => byRoot(given.curve, value * factorOf));
      const grey = weigh(out, [0.30078125, 0.5859375, 0.11328125]);
      const pale = 1 - (Math.max(...out) - Math.min(...out)) / 255;
      const saturation = numbers.saturation > 1 ? 1 + (numbers.saturation - 1) * pale : numbers.saturation;
      const high = grey / 255;
      const noise = given.noise[(y * 2654435 + x) % 8192] ?? 0;
      for (const n of [0, 1, 2] as const) {
        const tint =
          6.75 * high * (1 - high) * ((1 - high) * numbers.shadows[n] + high * numbers.highlights[n]);
        const value = grey + saturation * ((out[n] ?? 0) - grey) + tint + noise;
        const from = bytes[n] ?? 0;
        result[at + n] = Math.floor(clamp(from + numbers.share * (value - from), 0, 255) + 0.5);
      }
    }
  }
  return result;
}

describe('relight-kernels.wasm', () => {
  const cases: readonly Partial<KernelNumbers>[] = [
    {},
    { keepsDetails: false, detail: -0.6, saturation: 0.4 },
    { detail: 0.7, saturation: 1.6, shadows: [8, -4, 12], highlights: [-6, 3, 9] },
    { share: 0.4 },
  ];
  for (const [width, height, factor] of [
    [37, 21, 4],
    [50, 9, 7],
    [13, 8, 1],
    [3, 40, 9],
    [64, 33, 2],
  ] as const) {
    it(`computes what its source says, ${width} by ${height} with a factor of ${factor}`, () => {
      const [columns, rows] = [Math.ceil(width / factor), Math.ceil(height / factor)];
      const given = tables(columns, rows);
      for (const changes of cases) {
        const numbers = { ...plainNumbers(width, columns, rows, factor), ...changes };
        const rgb = Uint8Array.from({ length: width * height * 3 }, () => Math.floor(random() * 256));
        const wanted = expected(rgb, height, given, numbers);
        openRelightPass(given, numbers).run(rgb, 0);
        let off = 0;
        for (const [at, value] of wanted.entries()) off = Math.max(off, Math.abs(value - (rgb[at] ?? 0)));
        // Single precision may fall on the other side of a step of a table.
        assert.ok(off <= 1, `${JSON.stringify(changes)}: ${off}`);
      }
    });
  }

  it('computes the same in parts', () => {
    const given = tables(9, 12);
    const numbers = plainNumbers(36, 9, 12, 4);
    const whole = Uint8Array.from({ length: 36 * 48 * 3 }, () => Math.floor(random() * 256));
    const parts = whole.slice();
    openRelightPass(given, numbers).run(whole, 0);
    const pass = openRelightPass(given, numbers);
    for (let row = 0; row < 48; row += 20) pass.run(parts.subarray(row * 108, (row + 20) * 108), row);
    assert.deepEqual(parts, whole);
  });
});
