import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeContext, noiseImage, runNode } from '../../test/run-node.ts';
import type { Image } from '../../values/image.ts';
import { layOut } from './text/layout.ts';
import { parseColor } from './text/parse-color.ts';
import { glyphOf } from './text/typeface.ts';
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

const lay = (options: object) =>
  layOut({
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

test('the ink begins at the margin of one hundredth and ends at the other one', async () => {
  const top = inked(await drawn(even(200, 400)));
  assert.ok(Math.abs(top.top - 2) <= 1 && top.left >= 2 && top.left < 10);
  const bottom = inked(await drawn(even(200, 400), { position: 'bottom', align: 'right' }));
  assert.ok(Math.abs(bottom.bottom - 197) <= 1 && bottom.right <= 398 && bottom.right > 388);
  const middle = inked(await drawn(even(200, 400), { align: 'center' }));
  assert.ok(Math.abs((middle.left + middle.right) / 2 - 200) < 5);
});

test('lines break at words, words that are too long are cut, and empty lines stay', () => {
  const text = 'one two three\n\nsupercalifragilistic end';
  const { lines, size } = lay({ text, width: 80, height: 300, fontSize: 5 });
  const texts = lines.map((line) => line.text);
  assert.deepEqual(texts, ['one two', 'three', '', 'supercalifr', 'agilistic', 'end']);
  const widthOf = (line: string): number =>
    Array.from(line, (each) => glyphOf(each).advance * size).reduce((a, b) => a + b, 0);
  for (const line of texts) assert.ok(widthOf(line) <= 78);
});

test('text that does not fit shrinks by tenths, but not below ten pixels or two hundredths', () => {
  assert.equal(lay({}).size, 20);
  assert.equal(lay({ text: 'a\n'.repeat(5) }).size, 16);
  assert.equal(lay({ text: 'a\n'.repeat(100) }).size, 10);
  assert.equal(lay({ text: 'a\n'.repeat(500), height: 1000 }).size, 20);
  assert.equal(lay({ fontSize: 0.5 }).size, 1);
});

test('lines are one and a fifth of the size apart, and the outline is a twenty-fifth of it', () => {
  const { lines, stroke, size } = lay({
    text: 'a\nb',
    height: 1000,
    width: 1000,
    fontSize: 10,
    outline: true,
  });
  assert.deepEqual([size, stroke, lines[1]!.baseline - lines[0]!.baseline], [100, 4, 120]);
  assert.equal(lay({ outline: true }).stroke, 1);
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

test('all of Latin 1 is drawn, and what is not has a box', () => {
  const box = glyphOf('中');
  for (let code = 33; code < 256; code++) {
    if (code >= 127 && code <= 160) continue;
    const character = String.fromCodePoint(code);
    if ('\u00ad\u00a8\u00af\u00b4\u00b8'.includes(character)) continue;
    assert.notEqual(glyphOf(character), box, character);
  }
  assert.equal(glyphOf('🙂'), box);
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
