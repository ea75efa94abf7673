import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@atelier/testing';
import sharp from 'sharp';
import { RenderError } from '../render-request.ts';
import { recommendPrompt } from './recommend-prompt.ts';

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

test('a green field under a blue sky is a green landscape with clouds', async () => {
  const prompt = await promptFor((_, y) => (y < 0.5 ? [130, 180, 240] : [70, 140, 50]));
  assert.match(prompt, /green landscape/);
  assert.match(prompt, /clouds drifting/);
});

test('a dark picture is night, and a gray one has no colors', async () => {
  assert.match(await promptFor((x) => [20 + x * 10, 20, 40]), /night/);
  assert.match(await promptFor((x) => [150 + x * 40, 150 + x * 40, 150 + x * 40]), /monochrome/);
});

test('a wide picture is panned, a tall one tilted', async () => {
  const noise: Paint = (x, y) => [90, 100 + 60 * Math.sin(y * 70), 120 + 60 * Math.sin(x * 90)];
  assert.match(await promptFor(noise, 200, 64), /pans right/);
  assert.match(await promptFor(noise, 64, 120), /tilts up/);
});

test('what is no picture is refused', async () => {
  await assert.rejects(recommendPrompt('/nowhere/at-all.png'), RenderError);
});
