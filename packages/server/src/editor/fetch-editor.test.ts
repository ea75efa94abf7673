import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { temporaryFolder } from '@atelier/testing';
import { ZipFile } from 'yazl';

import { parseAllowList } from '../platform/net/allow-list.ts';
import { createOutbound } from '../platform/net/outbound.ts';
import { fetchEditor } from './fetch-editor.ts';

const outbound = createOutbound({ allow: parseAllowList(['127.0.0.1']).allow });

const WHEEL = 'the_editor-1.0-py3-none-any.whl';

async function wheelOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return await buffer(zip.outputStream);
}

const editorOf = (bytes: Buffer) => ({
  project: 'the-editor',
  version: '1.0',
  wheel: WHEEL,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  folder: 'the_editor/static/',
});

describe('fetching the editor', () => {
  let wheel: Buffer;
  let page = `<a href="other.whl">other</a><a href="../../files/${WHEEL}#sha256=0">${WHEEL}</a>`;
  const server = createServer((request, response) => {
    const body = { '/simple/the-editor/': page, [`/files/${WHEEL}`]: wheel }[request.url ?? ''];
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  let indexUrl = '';
  before(async () => {
    wheel = await wheelOf({
      'the_editor/static/index.html': '<title>editor</title>',
      'the_editor/static/assets/a.js': 'a',
      'the_editor/__init__.py': 'print()',
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    indexUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple`;
  });
  after(() => server.close());

  it('unpacks the files of the wheel, and later replaces them by those of a newer one', async () => {
    await using temporary = await temporaryFolder();
    const folder = join(temporary.path, 'editor', '1.0');
    for (const address of [indexUrl, `${indexUrl}/`]) {
      assert.equal(await fetchEditor({ outbound, indexUrl: address, folder, editor: editorOf(wheel) }), 2);
      assert.equal(readFileSync(join(folder, 'index.html'), 'utf8'), '<title>editor</title>');
      assert.equal(readFileSync(join(folder, 'assets', 'a.js'), 'utf8'), 'a');
      assert.ok(!existsSync(join(folder, '__init__.py')) && !existsSync(`${folder}.new`));
    }
  });

  it('refuses a wheel without the pinned hash', async () => {
    await using temporary = await temporaryFolder();
    const folder = join(temporary.path, 'editor');
    const editor = { ...editorOf(wheel), sha256: '0'.repeat(64) };
    await assert.rejects(
      fetchEditor({ outbound, indexUrl, folder, editor }),
      /is not the file that was expected/,
    );
    assert.ok(!existsSync(folder));
  });

  it('names what cannot be fetched', async () => {
    const folder = '/nowhere';
    const editor = editorOf(wheel);
    const missing = fetchEditor({ outbound, indexUrl: `${indexUrl}/none`, folder, editor });
    await assert.rejects(missing, /none\/the-editor\/ cannot be fetched: the answer is 404/);
    const good = page;
    page = '<a href="javascript:alert(1)">x</a>';
    await assert.rejects(fetchEditor({ outbound, indexUrl, folder, editor }), /has no the_editor-1\.0/);
    page = good;
    await assert.rejects(
      fetchEditor({ outbound, indexUrl: 'http://127.0.0.1:1', folder, editor }),
      /cannot be fetched/,
    );
  });

  it('refuses names that lead out of the folder', async () => {
    await using temporary = await temporaryFolder();
    const good = wheel;
    // As long as the real name, so that the archive stays sound.
    const [from, to] = ['the_editor/static/assets/a.js', 'the_editor/static/../../a.jsx'].map((name) =>
      Buffer.from(name, 'latin1'),
    );
    const bytes = Buffer.from(good.toString('latin1').replaceAll(String(from), String(to)), 'latin1');
    wheel = bytes;
    const fetching = fetchEditor({
      outbound,
      indexUrl,
      folder: join(temporary.path, 'deep', 'editor'),
      editor: editorOf(bytes),
    });
    await assert.rejects(fetching, /invalid relative path/);
    wheel = good;
  });
});
