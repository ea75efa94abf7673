import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@atelier/testing';
import sharp from 'sharp';
import { RenderError } from '../render-request.ts';
import { enrichPrompt, recommendPrompt } from './recommend-prompt.ts';

type Paint = (x: number, y: number) => readonly [number, number, number];

async function promptFor(paint: Paint, width = 96, height = 64): Promise<string> {
  await using folder = await temporaryFolder();
  const pixels = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at++)
    pixels.set(paint((at % width) / width, Math.floor(at / width) / height), at * 3);
  const path = join(folder.path, 'a.png');
  await sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toFile(path);
  return await recommendPrompt(path);
}

test('the seed decides what the prompt leaves open', () => {
  assert.equal(enrichPrompt('a lake', 1), enrichPrompt('a lake', 1));
  assert.match(enrichPrompt('a lake', 1), /^a lake, .+, .+, .+/);
  assert.equal(enrichPrompt('a misty lake at dawn, pan left', 1), 'a misty lake at dawn, pan left');
});

test('a picture with blue in its lower half sounds of waves', async () => {
  assert.match(await promptFor((_, y) => (y < 0.5 ? [200, 190, 180] : [30, 80, 160])), /waves/);
});

test('a wide picture is panned, a tall one tilted', async () => {
  const noise: Paint = (x, y) => [90, 100 + 60 * Math.sin(y * 70), 120 + 60 * Math.sin(x * 90)];
  assert.match(await promptFor(noise, 200, 64), /pans right/);
  assert.match(await promptFor(noise, 64, 120), /tilts up/);
});

test('a file that is not a picture is refused', async () => {
  await assert.rejects(recommendPrompt('/nowhere/at-all.png'), RenderError);
});
