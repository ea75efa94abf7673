import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer } from '@atelier/testing';
import sharp from 'sharp';

import { newSubmitter } from '../support/cloud.ts';
import { newPicture, upload } from '../support/user-files.ts';

const MANY = 16;

test('[FIL-26] many previews of one account do not delay another, and those whose caller is gone are not made', async () => {
  await using server = await startServer();
  const [ada, bob] = [await newSubmitter(server), await newSubmitter(server)];
  const blank = { width: 2000, height: 2000, channels: 3, background: '#fff' } as const;
  const noise = { ...blank, noise: { type: 'gaussian', mean: 128, sigma: 60 } } as const;
  const large = await upload(ada.api, await sharp({ create: noise }).jpeg().toBuffer(), 'large.jpg');
  const own = await upload(bob.api, await newPicture());
  const ask = async (key: string, query: Record<string, string>, signal?: AbortSignal) => {
    const url = `${server.url}/api/view?${new URLSearchParams({ type: 'input', ...query })}`;
    const answer = await fetch(url, { headers: { 'x-api-key': key }, ...(signal && { signal }) });
    assert.equal(answer.status, 200);
    await answer.arrayBuffer();
  };

  const leaving = new AbortController();
  let answered = 0;
  const asked = Array.from({ length: MANY }, async (_, index) => {
    await ask(ada.key, { filename: large.name, preview: `webp;${index + 1}` }, leaving.signal);
    answered += 1;
  });
  await Promise.race(asked);
  await ask(bob.key, { filename: own.name, res: '64' });
  assert.ok(answered < MANY / 2, `${answered} of the other account's ${MANY} came first`);

  leaving.abort();
  await Promise.allSettled(asked);
  // Its own line is first in, first out: what was left in it would be made before this.
  await ask(ada.key, { filename: large.name, res: '64' });
  const made = (await readdir(join(server.dataFolder, 'variants'))).filter((name) => name.endsWith('.webp'));
  assert.ok(made.length < MANY, 'previews were made for a caller who was gone');
});
