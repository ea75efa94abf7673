import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { packOf } from '../support/registry-archives.ts';
import { newName, newStudio, publish, publishArchive, type Studio } from '../support/registry-publishing.ts';
import { onAnyEngine } from '../support/servers.ts';

const MAX_BYTES = 256 * 1024;

onAnyEngine('READMEs', (server) => {
  let studio: Studio;
  before(async () => {
    studio = await newStudio(server.current);
  });
  const read = async (id: string, version = '1.0.0') =>
    await client(server.current.url).get(`/nodes/${id}/versions/${version}/readme`);
  const publishFiles = async (files: Readonly<Record<string, string>>) => {
    const id = newName('pack');
    await publishArchive(server.current, studio, id, packOf({ '__init__.py': '', ...files }));
    return id;
  };

  test('[REG-171] the README in the root is told as it is written, in whatever case its name is', async () => {
    const text = '# Größer\n<script>alert(1)</script>\r\n![](https://example.org/x.png)\n';
    for (const name of ['README.md', 'readme.MD']) {
      const { status, body } = await read(await publishFiles({ [name]: text, 'docs/README.md': 'no' }));
      assert.equal(status, 200);
      assert.deepEqual(body, { readme: text });
    }
  });

  test('[REG-171] without one, and before the archive is checked, there is none', async () => {
    assert.deepEqual((await read(await publishFiles({ 'docs/README.md': 'x', 'README.txt': 'x' }))).body, {});
    const id = newName('pack');
    await publish(server.current, studio, id);
    assert.deepEqual((await read(id)).body, {});
  });

  test('[REG-171] a long one is cut, and bytes that are not text are replaced', async () => {
    const { body } = await read(await publishFiles({ 'README.md': `\0${'x'.repeat(MAX_BYTES)}` }));
    assert.deepEqual(body, { readme: `\uFFFD${'x'.repeat(MAX_BYTES - 1)}` });
  });

  test('[REG-171] an unknown version or node gets 404', async () => {
    const id = await publishFiles({ 'README.md': 'x' });
    for (const [node, version] of [
      [id, '2.0.0'],
      [newName(), '1.0.0'],
    ] as const) {
      const { status, body } = await read(node, version);
      assert.equal(status, 404);
      assertShape(body, 'error');
    }
  });
});
