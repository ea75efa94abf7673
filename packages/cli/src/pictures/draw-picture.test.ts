import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PNG } from 'pngjs';

import { decodePicture } from './decode-picture.ts';
import type { PictureProtocol } from './detect-pictures.ts';
import { drawPicture } from './draw-picture.ts';

const WIDTH = 90;
const HEIGHT = 50;
const CELL = { width: 10, height: 20 };
/** Whole percentages, because sixel can express only those. */
const COLORS = [
  [255, 0, 0],
  [0, 255, 51],
  [0, 0, 255],
  [255, 204, 102],
] as const;

/** Diagonal stripes, so that swapped rows and columns are noticed. */
const colorAt = (x: number, y: number) => COLORS[(Math.floor(x / 7) + Math.floor(y / 5)) % 4] ?? COLORS[0];
const png = new PNG({ width: WIDTH, height: HEIGHT });
for (let y = 0; y < HEIGHT; y += 1)
  for (let x = 0; x < WIDTH; x += 1) png.data.set([...colorAt(x, y), 255], (y * WIDTH + x) * 4);
const SOURCE = PNG.sync.write(png);

function draw(protocol: PictureProtocol) {
  const drawn = drawPicture(SOURCE, { protocol, cell: CELL });
  assert.ok(drawn);
  return drawn;
}

describe('a picture in the terminal, read as the terminal reads it', () => {
  test('is the same pixels in parts of at most 4096 characters for kitty', () => {
    const { text, rows } = draw('kitty');
    const parts = [...text.matchAll(/\u001b_G([^;]*);([A-Za-z\d+/=]*)\u001b\\/g)];
    assert.ok(parts.length > 1);
    const heads = parts.map(
      ([, head = '']) => new Map(head.split(',').map((one) => one.split('=', 2) as [string, string])),
    );
    assert.deepEqual(
      heads.map((head) => head.get('m')),
      parts.map((_, index) => (index === parts.length - 1 ? '0' : '1')),
    );
    assert.ok(parts.every(([, , data = '']) => data.length <= 4096 && data.length % 4 === 0));
    const [first] = heads;
    assert.deepEqual(
      ['f', 's', 'v', 'r', 'c'].map((key) => first?.get(key)),
      ['32', '90', '50', '3', '9'],
    );
    assert.deepEqual(Buffer.from(parts.map(([, , data]) => data).join(''), 'base64'), png.data);
    assert.equal(rows, 3);
    assert.equal(text.replaceAll(/\u001b_G.*?\u001b\\/g, ''), '\n\n\n');
  });

  test('is the file itself for iTerm', () => {
    const { text } = draw('iterm');
    const [, head = '', data = ''] = /\u001b\]1337;File=([^:]*):([^\u0007]*)\u0007/.exec(text) ?? [];
    assert.ok(head.split(';').includes('inline=1'));
    assert.ok(head.split(';').includes(`size=${SOURCE.length}`));
    assert.deepEqual(Buffer.from(data, 'base64'), SOURCE);
  });

  test('is the same pixels for sixel', () => {
    const { text } = draw('sixel');
    const pixels = readSixel(text);
    for (let y = 0; y < HEIGHT; y += 1)
      for (let x = 0; x < WIDTH; x += 1)
        assert.deepEqual(pixels.get(`${x},${y}`), colorAt(x, y), `at ${x},${y}`);
    assert.equal(pixels.size, WIDTH * HEIGHT);
  });

  test('leaves the cursor below it, wherever the terminal leaves it', () => {
    for (const protocol of ['iterm', 'sixel'] as const) {
      const { text, rows } = draw(protocol);
      assert.ok(text.startsWith(`${'\n'.repeat(rows)}\u001b[${rows}A\u001b7`));
      assert.ok(text.endsWith(`\u001b8\u001b[${rows}B`));
    }
  });

  test('is none when the bytes are not a picture', () => {
    assert.equal(drawPicture(Buffer.from('no picture'), { protocol: 'kitty', cell: CELL }), undefined);
    assert.equal(decodePicture(SOURCE.subarray(0, 60)), undefined);
  });
});

/** The pixels of a sixel image, by its own rules: bands of six rows, colors in percent. */
function readSixel(text: string): Map<string, readonly number[]> {
  const body = /\u001bP[\d;]*q([^\u001b]*)\u001b\\/.exec(text)?.[1] ?? '';
  const palette = new Map<string, readonly number[]>();
  const pixels = new Map<string, readonly number[]>();
  let [x, top, color] = [0, 0, ''];
  const token = /"[\d;]*|#(\d+)(?:;2;(\d+);(\d+);(\d+))?|!(\d+)([?-~])|([?-~])|([$-])/g;
  for (const [, name, red, green, blue, count = '1', repeated, single, move] of body.matchAll(token)) {
    if (name !== undefined) {
      color = name;
      if (red !== undefined)
        palette.set(
          name,
          [red, green, blue].map((part) => Math.round(Number(part) * 2.55)),
        );
    } else if (move !== undefined) {
      x = 0;
      if (move === '-') top += 6;
    } else if (repeated ?? single) {
      const bits = (repeated ?? single ?? '?').charCodeAt(0) - 63;
      for (let times = Number(count); times > 0; times -= 1, x += 1)
        for (let bit = 0; bit < 6; bit += 1)
          if (((bits >> bit) & 1) === 1) pixels.set(`${x},${top + bit}`, palette.get(color) ?? []);
    }
  }
  return pixels;
}
