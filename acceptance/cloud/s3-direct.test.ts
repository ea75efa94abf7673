import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { freePort, startS3, startServer } from '@atelier/testing';

import { download, finish, newSubmitter } from '../support/cloud.ts';
import { measure } from '../support/metrics.ts';
import { pixelsOf, png, upload } from '../support/user-files.ts';

const [WIDTH, HEIGHT] = [800, 600];
const invert = (image: string) => ({
  '1': { class_type: 'LoadImage', inputs: { image } },
  '2': { class_type: 'ImageInvert', inputs: { image: ['1', 0] } },
  '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'out' } },
});

/** Runs a job with large files, and says whether bytes of its output passed through the server. */
async function passesThrough({ isReachable }: { readonly isReachable: boolean }): Promise<boolean> {
  await using s3 = await startS3();
  const publicUrl = isReachable ? s3.url : `http://127.0.0.1:${await freePort()}`;
  await using server = await startServer({
    environment: { ...s3.environment, ATELIER_S3_PUBLIC_URL: publicUrl, ATELIER_RUNNERS: '1' },
  });
  const { api } = await newSubmitter(server);
  const picture = await png([...randomBytes(WIDTH * HEIGHT * 3)], WIDTH, HEIGHT);
  assert.ok(picture.length > 2 ** 20);
  const { name } = await upload(api, picture);
  const { outputs } = await finish(api, invert(name));
  const file = outputs['3']?.['images']?.[0];
  assert.ok(file);
  if (isReachable) {
    const [{ pixels: before }, { pixels: after }] = [
      await pixelsOf(picture),
      await pixelsOf(await download(api, file)),
    ];
    assert.equal(after.length, before.length);
    // Rounded, as ComfyUI does.
    assert.ok(after.every((value, index) => Math.abs(255 - (before[index] ?? 0) - value) <= 1));
  }
  const { text } = await measure(server.url);
  return /request_seconds_count\{.*"workers\.files\.write"/.test(text);
}

test('[FIL-38] a worker gets and sends large files at the store itself', async () => {
  assert.equal(await passesThrough({ isReachable: true }), false);
});

test('[FIL-38] a worker that cannot reach the store gets and sends them at the server', async () => {
  assert.equal(await passesThrough({ isReachable: false }), true);
});
