import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { chooseServer, type ServerOptions } from './choose-server.ts';

const HOME = { url: 'https://home.example', apiKey: 'home-key' };
const WORK = { url: 'https://work.example', apiKey: 'work-key' };
const OTHER = 'https://other.example';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-profiles-'));
  const profiles = { current: 'home', profiles: { home: HOME, work: WORK } };
  await writeFile(join(folder, 'profiles.json'), JSON.stringify(profiles), { mode: 0o600 });
});
after(async () => await rm(folder, { recursive: true }));

async function chosen(options: ServerOptions, env: Record<string, string> = {}) {
  const { url, apiKey } = await chooseServer(options, {
    ATELIER_CONFIG: join(folder, 'profiles.json'),
    ...env,
  });
  return [url, apiKey];
}

const VARIABLES = { ATELIER_URL: 'https://variable.example/', ATELIER_API_KEY: 'variable-key' };

test('[CLI-5] options go before a named profile, that before variables, and those before the current profile', async () => {
  assert.deepEqual(await chosen({}), [HOME.url, HOME.apiKey]);
  assert.deepEqual(await chosen({}, VARIABLES), [VARIABLES.ATELIER_URL, 'variable-key']);
  assert.deepEqual(await chosen({ profile: 'work' }, VARIABLES), [WORK.url, WORK.apiKey]);
  assert.deepEqual(await chosen({ profile: 'work', url: OTHER, key: 'k' }, VARIABLES), [OTHER, 'k']);
  assert.deepEqual(await chosen({ url: OTHER }, { ATELIER_API_KEY: 'variable-key' }), [
    OTHER,
    'variable-key',
  ]);
});

test('[CLI-6] a key is sent only to the server it was made for', async () => {
  assert.deepEqual(await chosen({ url: OTHER }), [OTHER, undefined]);
  assert.deepEqual(await chosen({ url: OTHER, profile: 'work' }), [OTHER, undefined]);
  assert.deepEqual(await chosen({ url: OTHER }, VARIABLES), [OTHER, undefined]);
  assert.deepEqual(await chosen({ url: `${WORK.url}/`, profile: 'work' }), [`${WORK.url}/`, WORK.apiKey]);
});
