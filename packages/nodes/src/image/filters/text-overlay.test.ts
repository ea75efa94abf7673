import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeContext, noiseImage, runNode } from '../../test/run-node.ts';
import type { Image } from '../../values/image.ts';
import { drawText } from './text/draw-text.ts';
import { parseColor } from './text/parse-color.ts';
import { textOverlay } from './text-overlay.ts';

const defaults = {
  text: 'Hi',
  font_size: 20,
  color: '#ffffff',
  position: 'top',
  align: 'left',
  outline: false,
};

function even(height: number, width: number, value = 0, channels = 3): Image {
  const image = noiseImage({ height, width, channels });
  image.data.fill(value);
  return image;
}

async function drawn(images: Image, options: object = {}): Promise<Image> {
  return (await runNode(textOverlay, { images, ...defaults, ...options })).outputs[0] as Image;
}

/** The rows and columns that have any ink. */
function inked({ data, width, channels }: Image): {
  top: number;
  bottom: number;
  left: number;
  right: number;
} {
  const places = [...data.keys()]
    .filter((index) => data[index] !== 0)
    .map((index) => Math.floor(index / channels));
  const [rows, columns] = [
    places.map((place) => Math.floor(place / width)),
    places.map((place) => place % width),
  ];
  return {
    top: Math.min(...rows),
    bottom: Math.max(...rows),
    left: Math.min(...columns),
    right: Math.max(...columns),
  };
}

const draw = (options: object) =>
  drawText({
    width: 200,
    height: 100,
    text: 'Hi',
    fontSize: 20,
    position: 'top',
    align: 'left',
    outline: false,
    checkpoint() {},
    ...options,
  });

/** Where ink begins after a row without any. */
function lineTops({ ink, width, height }: Awaited<ReturnType<typeof draw>>): number[] {
  const has = (row: number): boolean =>
    ink.subarray(row * width, (row + 1) * width).some((value) => value > 0);
  return [...Array(height).keys()].filter((row) => has(row) && (row === 0 || !has(row - 1)));
}

test('the ink begins at the margin of one hundredth and ends at the other one', async () => {
  const top = inked(await drawn(even(200, 400)));
  assert.ok(Math.abs(top.top - 2) <= 1 && top.left >= 2 && top.left < 10);
  const bottom = inked(await drawn(even(200, 400), { position: 'bottom', align: 'right' }));
  assert.ok(Math.abs(bottom.bottom - 197) <= 1 && bottom.right <= 398 && bottom.right > 388);
  const middle = inked(await drawn(even(200, 400), { align: 'center' }));
  assert.ok(Math.abs((middle.left + middle.right) / 2 - 200) < 5);
});

test('lines break at words, words that are too long are cut, and empty lines stay', async () => {
  const lines = async (text: string) => lineTops(await draw({ text, width: 80, height: 300, fontSize: 5 }));
  const broken = await lines('one two three\n\nsupercalifragilistic end');
  assert.deepEqual(broken, await lines('one two\nthree\n\nsupercalifr\nagilistic\nend'));
  assert.equal(broken.length, 5);
});

test('blank lines before the text lower it, and those after it raise it', async () => {
  const top = async (text: string, position = 'top') => (await draw({ text, position, height: 300 })).top;
  assert.equal((await top('\n\nHi')) - (await top('Hi')), 2 * 72);
  assert.equal((await top('Hi', 'bottom')) - (await top('Hi\n\n', 'bottom')), 72);
});

test('text that does not fit shrinks by tenths, but not below ten pixels or two hundredths', async () => {
  const size = async (options: object) => (await draw(options)).size;
  assert.equal(await size({}), 20);
  assert.equal(await size({ text: 'a\n'.repeat(6) }), 14);
  assert.equal(await size({ text: 'a\n'.repeat(100) }), 10);
  assert.equal(await size({ text: 'a\n'.repeat(500), height: 1000 }), 20);
  assert.equal(await size({ fontSize: 0.5 }), 1);
});

test('lines are one and a fifth of the size apart, and the outline is a twenty-fifth of it', async () => {
  for (const fontSize of [1, 1.3, 3.3, 5, 10, 10.1]) {
    const text = await draw({ text: 'l\nl\nl', height: 1000, width: 1000, fontSize, outline: true });
    const [first = 0, second = 0, third = 0] = lineTops(text);
    const pitch = Math.round(1.2 * 10 * fontSize);
    assert.deepEqual([second - first, third - second], [pitch, pitch]);
    assert.equal(text.stroke, Math.max(1, Math.round(0.4 * fontSize)));
  }
});

test('letters have the color that was asked for, and an outline is black', async () => {
  const plain = await drawn(even(100, 100, 0.5), { color: '#ff0000', text: 'I', font_size: 50 });
  assert.ok(
    [...plain.data.keys()].some((at) => at % 3 === 0 && plain.data[at] === 1 && plain.data[at + 1] === 0),
  );
  assert.ok(plain.data.every((value, at) => at % 3 !== 0 || value >= 0.5));
  const outlined = await drawn(even(100, 100, 0.5), {
    color: '#ff0000',
    text: 'I',
    font_size: 50,
    outline: true,
  });
  assert.ok(
    [...outlined.data.keys()].some(
      (at) => at % 3 === 0 && outlined.data[at] === 0 && outlined.data[at + 1] === 0,
    ),
  );
});

test('on a transparent picture the text becomes opaque and keeps its color', async () => {
  const { data } = await drawn(even(60, 60, 0, 4), { color: '#00ff00', text: 'I', font_size: 50 });
  const covered = [...Array(3600).keys()].filter((pixel) => data[pixel * 4 + 3]! > 0);
  assert.ok(covered.some((pixel) => data[pixel * 4 + 3] === 1));
  for (const pixel of covered) assert.deepEqual([...data.subarray(pixel * 4, pixel * 4 + 3)], [0, 1, 0]);
});

test('every picture of a batch gets the same text, and gray ones too', async () => {
  const { data } = await drawn(
    { ...even(20, 30), batch: 3, data: new Float32Array(5400) },
    { font_size: 50 },
  );
  assert.deepEqual(data.slice(0, 1800), data.slice(3600));
  assert.ok(inked(await drawn(even(20, 30, 0, 1), { font_size: 50 })).right > 0);
});

test('blank text gives the images themselves', async () => {
  const image = even(4, 4);
  assert.equal(await drawn(image, { text: ' \n\t' }), image);
});

test('all of Latin 1 is drawn, markup too, and what no typeface has gets a box', async () => {
  for (let code = 33; code < 256; code++) {
    if ((code >= 127 && code <= 160) || code === 0xad) continue;
    const text = String.fromCodePoint(code);
    assert.ok(
      (await draw({ text })).ink.some((value) => value > 0),
      text,
    );
  }
  assert.ok((await draw({ text: '<b>&amp;</b>' })).width > (await draw({ text: '&' })).width * 3);
  assert.ok((await draw({ text: '\u{10ffff}' })).width > 0);
});

test('text of invisible and control characters draws nothing', async () => {
  const { data } = await drawn(even(20, 20), { text: '\u200b\u0001\0', outline: true });
  assert.ok(data.every((value) => value === 0));
});

test('pictures of one pixel, and text far too long for its picture, do no harm', async () => {
  assert.equal((await drawn(even(1, 1), { outline: true })).data.length, 3);
  const { data } = await drawn(even(16, 16), {
    text: 'word '.repeat(100_000),
    position: 'bottom',
    outline: true,
  });
  assert.ok(data.every((value) => value >= 0 && value <= 1));
  assert.equal((await drawn(even(16, 16), { text: 'x'.repeat(300_000) })).data.length, 768);
});

test('a job that is cancelled stops while text is laid out', async () => {
  using context = nodeContext();
  context.cancel();
  const inputs = { images: even(16, 16), ...defaults, text: 'word '.repeat(50_000) };
  await assert.rejects(runNode(textOverlay, inputs, context), { name: 'Interrupted' });
});

test('colors are written in hexadecimal digits', async () => {
  assert.deepEqual(parseColor('#f80'), [255, 136, 0, 255]);
  assert.deepEqual(parseColor('#f808'), [255, 136, 0, 136]);
  assert.deepEqual(parseColor('#01020304'), [1, 2, 3, 4]);
  await assert.rejects(drawn(even(4, 4), { color: 'nothing' }), { exceptionType: 'ValueError' });
});
