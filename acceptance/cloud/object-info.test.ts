import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startServer, temporaryFolder } from '@atelier/testing';

import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { runToEnd } from '../support/run-to-end.ts';
import { onAnyEngine } from '../support/servers.ts';

interface NodeInfo {
  readonly input: { readonly required?: Readonly<Record<string, readonly unknown[]>> };
  readonly output: readonly string[];
  readonly name: string;
  readonly category: string;
  readonly python_module: string;
  readonly output_node: boolean;
}

type NodeInfos = Readonly<Record<string, NodeInfo>>;

const EXAMPLE = join(import.meta.dirname, '..', '..', 'examples', 'node-pack');

onAnyEngine('node types', (server) => {
  const caller = () => client(server.current.url, { apiKey: server.current.admin.api_key });

  for (const path of ['/object_info', '/api/object_info']) {
    test(`${path} tells every node type with its inputs`, async () => {
      const { status, body } = await caller().get<NodeInfos>(path);
      assert.equal(status, 200);
      assert.ok(Object.keys(body).length > 100);
      for (const [name, info] of Object.entries(body)) {
        assert.equal(info.name, name);
        assert.ok(info.input.required, `${name} has input.required`);
      }
      const { SaveImage: save } = body;
      assert.deepEqual(save?.input.required?.['images']?.[0], 'IMAGE');
      assert.equal(save?.output_node, true);
    });

    test(`${path}/{type} tells one, and nothing of an unknown one`, async () => {
      const { body } = await caller().get<NodeInfos>(`${path}/EmptyImage`);
      assert.deepEqual(Object.keys(body), ['EmptyImage']);
      const unknown = await caller().get<NodeInfos>(`${path}/Nope`);
      assert.deepEqual([unknown.status, unknown.body], [200, {}]);
    });

    test(`${path} needs a credential`, async () => {
      const { status, body } = await client(server.current.url).get(path);
      assert.equal(status, 401);
      assertShape(body, 'code');
    });
  }
});

describe('packs of one’s own', () => {
  test('are loaded from the folders of ATELIER_NODE_PACKS', async () => {
    await using server = await startServer({
      engine: 'sqlite',
      environment: { ATELIER_NODE_PACKS: EXAMPLE },
    });
    const caller = client(server.url, { apiKey: server.admin.api_key });
    const { body } = await caller.get<NodeInfos>('/api/object_info/ExampleDuotone');
    const { ExampleDuotone: duotone } = body;
    assert.equal(duotone?.python_module, 'example-pack');
    assert.deepEqual(duotone?.output, ['IMAGE']);
  });

  test('that cannot be loaded stop the start with a sentence that names them', async () => {
    await using folder = await temporaryFolder();
    const { code, stderr } = await runToEnd({
      settings: {
        ATELIER_DATA_DIR: join(folder.path, 'data'),
        ATELIER_PORT: '0',
        ATELIER_NODE_PACKS: `${EXAMPLE}, ${join(folder.path, 'nowhere')}`,
      },
    });
    assert.notEqual(code, 0);
    assert.match(stderr, /nowhere cannot be loaded: there is no such folder/);
    assert.match(stderr, /ATELIER_NODE_PACKS/);
  });

  test('[JOB-47] are loaded by other processes than the server, whatever is submitted', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'index.mjs'), TRACED_PACK);
    await using server = await startServer({
      engine: 'sqlite',
      environment: { ATELIER_NODE_PACKS: folder.path, ATELIER_RUNNERS: '1' },
    });
    const caller = client(server.url, { apiKey: server.admin.api_key });
    for (const note of ['', 'x'.repeat(200_000)]) {
      const prompt = { '1': { class_type: 'Traced', inputs: { word: 'please' } } };
      const { status } = await caller.post('/api/prompt', { prompt, extra_data: { note } });
      assert.equal(status, 200);
    }
    assert.ok((await caller.get<NodeInfos>('/object_info')).body['Traced']);
    const pids = await readdir(join(folder.path, 'loaded'));
    assert.ok(pids.length > 0);
    assert.ok(!pids.includes(String(server.process.pid)));
  });
});

/** Leaves the id of each process that loads it. */
const TRACED_PACK = `
  import { mkdirSync, writeFileSync } from 'node:fs';
  import { defineNode, string } from '@atelier/engine';
  mkdirSync(import.meta.dirname + '/loaded', { recursive: true });
  writeFileSync(import.meta.dirname + '/loaded/' + process.pid, '');
  const traced = defineNode({
    type: 'Traced', category: 'test', outputNode: true, inputs: { word: string() }, outputs: [],
    validate: { inputs: ['word'], check: ({ word }) => word === 'please' },
    run: () => [],
  });
  export const pack = { name: 'traced', nodes: [traced] };`;
