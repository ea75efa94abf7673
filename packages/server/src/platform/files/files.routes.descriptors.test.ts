import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { get } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { PATIENCE_MS } from '@atelier/testing';

import { collectStreams, startFileServer } from './test/file-server.ts';

/** How many descriptors of this process point into a folder. */
async function openFilesIn(folder: string): Promise<number> {
  const numbers = await readdir('/proc/self/fd');
  const targets = await Promise.all(
    numbers.map(async (number) => await readlink(join('/proc/self/fd', number)).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith(folder)).length;
}

async function allClosed(streams: readonly Readable[]): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  await Promise.all(
    streams.map(async (stream) => stream.closed || (await once(stream, 'close', { signal }))),
  );
}

const onLinux = { skip: process.platform !== 'linux' && 'counts in /proc' };

describe('a download, however it ends', onLinux, () => {
  it('releases its descriptor when the reader leaves halfway', async () => {
    const streams: Readable[] = [];
    await using server = await startFileServer({ watch: collectStreams(streams) });
    const url = await server.link(await server.put(randomBytes(20_000_000)));
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const request = get(url, { agent: false });
        const [answer] = await once(request, 'response');
        await once(answer, 'readable');
        assert.ok((await openFilesIn(server.folder)) > 0);
        request.destroy();
      }),
    );
    assert.equal(streams.length, 20);
    await allClosed(streams);
    assert.equal(await openFilesIn(server.folder), 0);
  });

  it('releases its descriptor when the reader stops reading', async () => {
    const streams: Readable[] = [];
    await using server = await startFileServer({ watch: collectStreams(streams), stallMs: 100 });
    const { port, pathname, search } = new URL(await server.link(await server.put(randomBytes(20_000_000))));
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, 'readable');
    await allClosed(streams);
    assert.equal(streams.length, 1);
    assert.equal(await openFilesIn(server.folder), 0);
    socket.destroy();
  });

  it('releases its descriptor, and sends an uncached failure, when the answer fails before it is sent', async () => {
    const streams: Readable[] = [];
    await using server = await startFileServer({
      watch: collectStreams(streams),
      prepare: (app) =>
        app.addHook('onSend', async (_request, _reply, payload) => {
          if (payload instanceof Readable) throw new Error('a hook broke');
        }),
    });
    const answer = await fetch(await server.link(await server.put(randomBytes(1_000))));
    assert.equal(answer.status, 500);
    assert.deepEqual([answer.headers.get('cache-control'), answer.headers.get('etag')], [null, null]);
    await answer.text();
    await allClosed(streams);
    assert.equal(streams.length, 1);
    assert.equal(await openFilesIn(server.folder), 0);
  });

  it('releases its descriptors after whole files and ranges', async () => {
    const streams: Readable[] = [];
    await using server = await startFileServer({ watch: collectStreams(streams) });
    const url = await server.link(await server.put(randomBytes(1_000_000)));
    for (const headers of [{}, { range: 'bytes=5-10' }]) await (await fetch(url, { headers })).arrayBuffer();
    assert.equal(streams.length, 2);
    await allClosed(streams);
    assert.equal(await openFilesIn(server.folder), 0);
  });
});
