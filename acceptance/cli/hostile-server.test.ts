import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { temporaryFolder } from '@atelier/testing';

import { runCli, runJson } from '../support/cli.ts';
import { zipOf } from '../support/registry-archives.ts';

const EVIL = '\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u202eevil\r\nname';
const ARCHIVE = zipOf([{ name: '../evil.py', content: 'x = 1' }]);
const SUM = `sha256:${createHash('sha256').update(ARCHIVE).digest('hex')}`;
const PACK = {
  id: 'evil',
  status: EVIL,
  name: EVIL,
  description: EVIL,
  created_at: EVIL,
  downloads: 1,
  github_stars: 1,
  rating: 1,
  publisher: { id: EVIL },
};
const VERSION = {
  id: 'evil',
  node_id: 'evil',
  version: '1.0.0',
  status: 'NodeVersionStatusActive',
  dependencies: [EVIL],
  node_extract_status: EVIL,
  comfy_node_extract_status: EVIL,
  createdAt: EVIL,
  deprecated: false,
};

/** Answers that no honest server gives. */
const ANSWERS: Readonly<Record<string, object>> = {
  '/nodes/search': { nodes: [PACK], page: 1, totalPages: 1, total: 1, limit: 100 },
  '/nodes/evil': PACK,
  '/nodes/evil/versions': [{ ...VERSION, changelog: EVIL }],
  '/nodes/evil/install': { ...VERSION, checksum: SUM },
  '/nodes/other/install': { ...VERSION, node_id: 'other', checksum: 'sha256:0' },
  '/users/publishers': [{ id: EVIL, name: EVIL, status: EVIL, createdAt: EVIL }],
  '/publishers/evil': { id: EVIL, name: EVIL, status: EVIL, createdAt: EVIL, description: EVIL },
  '/publishers/evil/tokens': { token: EVIL },
  '/webhooks/secret': { secret: EVIL },
  '/customers/api-keys': {
    api_key: { id: '1', plaintext_key: EVIL },
    api_keys: [{ id: EVIL, name: EVIL, key_prefix: EVIL, created_at: EVIL }],
  },
  '/webhooks/deliveries/evil': {
    id: EVIL,
    subject: EVIL,
    type: EVIL,
    endpoint_id: EVIL,
    status: EVIL,
    url: EVIL,
    tries: [],
    body: EVIL,
    created_at: EVIL,
  },
  '/admin/workers': {
    workers: [
      {
        id: 'evil',
        name: EVIL,
        state: EVIL,
        kind: EVIL,
        problem: EVIL,
        labels: [EVIL],
        jobs: [],
        errors: [],
        gpus: [],
        models: { [EVIL]: 1 },
        slots: 1,
      },
    ],
  },
};

let server: Server;
let url = '';
const deleted: string[] = [];
before(async () => {
  server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    if (path.startsWith('/registry/archives/')) {
      response.setHeader('content-type', 'application/zip').end(ARCHIVE);
      return;
    }
    if (request.method === 'DELETE') {
      deleted.push(path);
      response.writeHead(204).end();
      return;
    }
    const answer = ANSWERS[path];
    response.statusCode = answer ? 200 : 403;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer ?? { error: EVIL, message: EVIL, code: 'auth.forbidden' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => server.close());

describe('a hostile server', () => {
  for (const args of [
    ['packs', 'search', 'evil'],
    ['packs', 'info', 'evil'],
    ['publishers', 'list'],
    ['publishers', 'info', 'evil'],
    ['keys', 'list'],
    ['keys', 'create', 'evil'],
    ['tokens', 'create', 'evil', 'evil'],
    ['webhooks', 'secret'],
    ['webhooks', 'delivery', 'evil'],
    ['workers', 'list'],
    ['workers', 'show', 'evil'],
    ['credits'],
  ]) {
    test(`[CLI-15] sends no control sequence through ${args.join(' ')}`, async () => {
      const { stdout, stderr } = await runCli(args, { url, key: 'x' });
      assert.match(stdout + stderr, /evil/);
      assert.doesNotMatch(stderr, /as Atelier does/, 'the answers have the right shape');
      assert.doesNotMatch((stdout + stderr).replaceAll('\n', ''), /[\p{Cc}\p{Bidi_Control}]/u);
    });
  }

  test('puts no file beside the folder of a pack, and no other archive than the one it announced', async () => {
    await using folder = await temporaryFolder();
    const nodes = join(folder.path, 'custom_nodes');
    await mkdir(nodes);
    const evil = await runJson<{ error: { message: string } }>(
      ['packs', 'install', 'evil', '--into', nodes],
      { url },
    );
    assert.equal(evil.code, 3);
    assert.match(evil.json.error.message, /leads out of the archive/);
    const other = await runCli(['packs', 'install', 'other', '--into', nodes], { url });
    assert.equal(other.code, 3);
    assert.match(other.stderr, /is not the one that was published/);
    assert.deepEqual(await readdir(folder.path), ['custom_nodes']);
    assert.deepEqual(await readdir(nodes), []);
  });

  test('a server that ignores scopes gets no key without them made', async () => {
    const args = ['keys', 'create', 'small', '--scope', 'workflows'];
    const { code, stdout, stderr } = await runCli(args, { url, key: 'x' });
    assert.deepEqual([code, stdout], [3, '']);
    assert.match(stderr, /does not support scopes\. No key was created\./);
    assert.ok(deleted.includes('/customers/api-keys/1'));
  });
});
