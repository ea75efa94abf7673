import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@atelier/testing';
import sharp from 'sharp';
import type { WatermarkRequest } from '../render-request.ts';
import type { StoredPlanes } from './planes.ts';
import { burnIn, createWatermark } from './watermark.ts';

const SIZE = { width: 200, height: 120 };

function grayFrame(): StoredPlanes {
  const half = { data: new Uint8Array((200 * 120) / 4).fill(128), stride: 100 };
  return {
    y: { data: new Uint8Array(200 * 120).fill(90), stride: 200 },
    u: half,
    v: { ...half, data: half.data.slice() },
  };
}

async function burnt(request: Omit<WatermarkRequest, 'output'>): Promise<StoredPlanes> {
  const target = grayFrame();
  burnIn(target, grayFrame(), SIZE, await createWatermark({ ...request, output: '' }, SIZE));
  return target;
}

/** The smallest box around what was changed. */
function changed({ y }: StoredPlanes): { left: number; right: number; top: number; bottom: number } {
  const box = { left: 200, right: -1, top: 120, bottom: -1 };
  y.data.forEach((value, at) => {
    if (value === 90) return;
    box.left = Math.min(box.left, at % 200);
    box.right = Math.max(box.right, at % 200);
    box.top = Math.min(box.top, Math.floor(at / 200));
    box.bottom = Math.max(box.bottom, Math.floor(at / 200));
  });
  return box;
}

for (const corner of ['top-left', 'top-right', 'bottom-right', 'bottom-left'] as const) {
  test(`the own mark is at the ${corner}, with room around it, and shows what is behind it`, async () => {
    const frame = await burnt({ corner });
    const { left, right, top, bottom } = changed(frame);
    assert.ok(right - left > 200 * 0.1 && right - left <= 200 * 0.14);
    assert.equal(left < 100, corner.endsWith('left'));
    assert.equal(top < 60, corner.startsWith('top'));
    assert.ok(left >= 2 && top >= 2 && right < 198 && bottom < 118);
    const most = Math.max(...frame.y.data);
    assert.ok(most > 120 && most < 215);
  });
}

test('a given mark keeps its shape, color and transparency', async () => {
  await using folder = await temporaryFolder();
  const image = join(folder.path, 'mark.png');
  const red = { r: 255, g: 0, b: 0, alpha: 1 };
  const half = await sharp({ create: { width: 100, height: 100, channels: 4, background: red } })
    .png()
    .toBuffer();
  await sharp({ create: { width: 200, height: 100, channels: 4, background: { ...red, alpha: 0 } } })
    .composite([{ input: half, left: 0, top: 0 }])
    .png()
    .toFile(image);
  const frame = await burnt({ corner: 'top-left', image });
  const { left, right, top, bottom } = changed(frame);
  assert.ok(Math.abs(right - left - 14) <= 2 && Math.abs(bottom - top - 14) <= 2);
  const middle = ((top + bottom) >> 2) * 100 + ((left + right) >> 2);
  assert.ok((frame.v.data[middle] ?? 0) > 200 && (frame.u.data[middle] ?? 255) < 128);
});

test('a mark that is too tall is reduced', async () => {
  await using folder = await temporaryFolder();
  const image = join(folder.path, 'tall.png');
  await sharp({ create: { width: 10, height: 400, channels: 3, background: '#fff' } })
    .png()
    .toFile(image);
  const { top, bottom } = changed(await burnt({ corner: 'bottom-left', image }));
  assert.ok(bottom - top < 120 * 0.31);
});
