import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PATIENCE_MS, startServer, temporaryFolder } from '@atelier/testing';

import { newSubmitter, submit, untilStatus } from '../support/cloud.ts';
import { client } from '../support/http-client.ts';
import { tokenOf } from '../support/people.ts';
import { onEachEngine } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { textWorkflow } from '../support/workflows.ts';

/** More than any disk has. */
const TOO_MUCH = { ATELIER_MIN_FREE_MB: '10000000' };
const PICTURE = new Blob(['some bytes']);

function form(field: string): FormData {
  const body = new FormData();
  body.append(field, PICTURE, 'a.bin');
  return body;
}

onEachEngine('a server whose disk is almost full', (server) => {
  test('[ADM-43] accepts no new work and no files, and does everything else', async () => {
    const { api, key } = await newSubmitter(server.current);
    const { prompt_id } = await submit(api, textWorkflow());
    assert.equal(await untilStatus(api, prompt_id), 'completed');
    await api.post('/api/userdata/note.json', { kept: true });
    const kept = await api.request<{ name: string }>('POST', '/api/upload/image', { body: form('image') });
    assert.equal(kept.status, 200);

    await server.restart(TOO_MUCH);
    await tokenOf(server.current, server.current.admin);
    const again = client(server.current.url, { apiKey: key });
    const refused = {
      prompt: await again.post('/api/prompt', { prompt: textWorkflow() }),
      prompt_at_host: await again.post('/prompt', { prompt: textWorkflow() }),
      v2: await again.post('/api/v2/jobs', { workflow: textWorkflow() }),
      task: await again.post('/proxy/imagevendor/v1/ai/skin-enhancer/faithful', { image: 'x' }),
      image: await again.request('POST', '/api/upload/image', { body: form('image') }),
      asset: await again.request('POST', '/api/assets', { body: form('file') }),
      v2_asset: await again.request('POST', '/api/v2/assets', { body: form('file') }),
      storage: await again.post('/customers/storage', { file_name: 'cat.bin' }),
      userdata: await again.post('/api/userdata/other.json', {}),
      workflow: await again.post('/api/workflows', {}),
    };
    for (const [what, { status, headers, body }] of Object.entries(refused)) {
      assert.equal(status, 507, `${what}: ${JSON.stringify(body)}`);
      assert.equal(headers.get('retry-after'), '60', what);
      assert.match(JSON.stringify(body), /almost full/, what);
    }
    assert.equal((await client(server.current.url).post('/api/prompt', {})).status, 401);

    const view = `/view?filename=${kept.body.name}&type=input`;
    assert.equal((await again.get(view)).status, 200);
    assert.equal((await again.get(`/api/jobs/${prompt_id}`)).status, 200);
    assert.equal((await again.request('DELETE', '/api/userdata/note.json')).status, 204);
    assert.equal((await again.post('/api/history', { delete: [prompt_id] })).status, 200);
    assert.equal((await client(server.current.url).get('/health')).body, 'OK');
    const { status, body } = await client(server.current.url).get<{ checks: { disk: unknown } }>('/ready');
    const message = 'The disk is almost full, so no new work is accepted.';
    assert.deepEqual([status, body.checks.disk], [503, { ok: false, message }]);
  });
});

test('[ADM-43] [ADM-44] a small disk that fills up, and is freed', {
  timeout: 3 * PATIENCE_MS,
}, async (t) => {
  await using folder = await temporaryFolder();
  const disk = join(folder.path, 'disk');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', disk], { stdio: 'pipe' });
  } catch {
    t.skip('this user may not mount a disk');
    return;
  }
  try {
    await using server = await startServer({
      environment: { ATELIER_DATA_DIR: disk, ATELIER_MIN_FREE_MB: '48', ATELIER_RUNNERS: '0' },
    });
    const api = client(server.url, { apiKey: server.admin.api_key });
    const upload = async () =>
      (await api.request('POST', '/api/upload/image', { body: form('image') })).status;
    assert.equal(await upload(), 200);
    const ballast = join(disk, 'ballast');
    writeFileSync(ballast, Buffer.alloc(60 * 2 ** 20));
    await until('uploads to be refused', async () => (await upload()) === 507);
    rmSync(ballast);
    await until('uploads to be accepted', async () => (await upload()) === 200);
    assert.match(server.output(), /"freeBytes":\d+,"msg":"the disk is almost full/);
    assert.match(server.output(), /"msg":"the disk has room for new work again"/);
  } finally {
    execFileSync('umount', ['--lazy', disk]);
  }
});
