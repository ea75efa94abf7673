import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGINES, type RunningServer, startServer } from '@atelier/testing';

import { client } from '../support/http-client.ts';
import { cleanPack, packOf, sourceWithNodes } from '../support/registry-archives.ts';
import {
  allVersions,
  checked,
  newName,
  newStudio,
  publish,
  publishActive,
  type Studio,
  upload,
} from '../support/registry-publishing.ts';
import { type NodePage, type NodeVersion, STATUS } from '../support/registry-wire.ts';
// Makes the PostgreSQL that a file on its own needs.
import '../support/servers.ts';

/** Takes the checks a while. */
const SLOW = packOf({
  '__init__.py': sourceWithNodes(...Array.from({ length: 700 }, (_, index) => `Slow${index}`)),
});

const announce = async (server: RunningServer, studio: Studio) =>
  await publish(server, studio, newName('pack'));
const statusOf = async (server: RunningServer, { node_id: id }: NodeVersion) =>
  (await allVersions(server, id))[0]?.status;

for (const engine of ENGINES) {
  test(`[REG-70] archives that came before the server was killed are checked by the next (${engine})`, async () => {
    const first = await startServer({ engine });
    let server = first;
    try {
      const studio = await newStudio(first);
      const waiting: NodeVersion[] = [];
      for (let count = 0; count < 3; count += 1) {
        const { node_version: version, signedUrl } = await announce(first, studio);
        assert.equal((await upload(first, signedUrl, SLOW)).status, 200);
        waiting.push(version);
      }
      await first.stop('SIGKILL');
      server = await first.restart();
      for (const version of waiting) {
        assert.equal((await checked(server, version)).status, STATUS.active);
      }
    } finally {
      await server[Symbol.asyncDispose]();
    }
  });

  test(`[REG-62] [REG-71] a version still waits after a restart, its number reserved (${engine})`, async () => {
    const first = await startServer({ engine });
    let server = first;
    try {
      const studio = await newStudio(first);
      const { node_version: version, signedUrl } = await announce(first, studio);
      await first.stop('SIGKILL');
      server = await first.restart();
      assert.equal(await statusOf(server, version), STATUS.pending);
      const { status } = await client(server.url).post(
        `/publishers/${studio.id}/nodes/${version.node_id}/versions`,
        { personal_access_token: studio.token, node: {}, node_version: { version: '1.0.0' } },
      );
      assert.equal(status, 400);
      assert.equal((await client(server.url).get(`/nodes/${version.node_id}/install`)).status, 404);
      assert.equal((await upload(server, signedUrl, cleanPack('Late'))).status, 200);
      assert.equal((await checked(server, version)).status, STATUS.active);
    } finally {
      await server[Symbol.asyncDispose]();
    }
  });

  test(`[REG-127] [REG-114] a stop loses no download, and the catalogue is the same after it (${engine})`, async () => {
    const first = await startServer({ engine });
    let server = first;
    try {
      const studio = await newStudio(first);
      const id = newName('pack');
      await publishActive(first, studio, id, { innerNodes: ['Scale'] });
      const path = `/nodes?node_id=${id}&latest=true`;
      const { body: before } = await client(first.url).get<NodePage>(path);
      for (let count = 0; count < 7; count += 1) {
        assert.equal((await client(first.url).get(`/nodes/${id}/install`)).status, 200);
      }
      assert.equal(await first.stop(), 0);
      server = await first.restart();
      const { body: after } = await client(server.url).get<NodePage>(path);
      assert.equal(after.nodes[0]?.downloads, 7);
      const plain = (page: NodePage) =>
        JSON.stringify({ ...page.nodes[0], downloads: 0 }).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '');
      assert.equal(plain(after), plain(before));
      const found = await client(server.url).get<NodePage>(`/nodes/search?search=${id}`);
      assert.equal(found.body.total, 1);
    } finally {
      await server[Symbol.asyncDispose]();
    }
  });
}
