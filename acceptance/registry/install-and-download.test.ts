import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { admin } from '../support/people.ts';
import { cleanPack } from '../support/registry-archives.ts';
import {
  assertNoNull,
  eventually,
  newName,
  newStudio,
  publish,
  publishActive,
  publishArchive,
  publishFlagged,
  type Studio,
} from '../support/registry-publishing.ts';
import { type NodePage, type NodeVersion, type PackNode, STATUS } from '../support/registry-wire.ts';
import { onAnyEngine, onEachEngine } from '../support/servers.ts';

onEachEngine('install and download', (server) => {
  let studio: Studio;
  /** Has a version in every state: 1.0.0 active, 1.1.0 flagged, 1.2.0 banned, 1.3.0 deleted, 1.4.0 pending. */
  let mixed: string;
  before(async () => {
    studio = await newStudio(server.current);
    mixed = newName('mixed');
    await publishActive(server.current, studio, mixed);
    await publishFlagged(server.current, studio, mixed, { version: '1.1.0' });
    await publishActive(server.current, studio, mixed, { version: '1.2.0' });
    const deleted = await publishActive(server.current, studio, mixed, { version: '1.3.0' });
    await publish(server.current, studio, mixed, { version: '1.4.0' });
    await admin(server.current).put(`/admin/nodes/${mixed}/versions/1.2.0`, { status: STATUS.banned });
    await studio.owner.delete(`/publishers/${studio.id}/nodes/${mixed}/versions/${deleted.id}`);
  });
  const anyone = () => client(server.current.url);
  const install = async (id: string, query = '') =>
    await anyone().get<NodeVersion>(`/nodes/${id}/install${query}`);
  const counted = async (id: string, expected: number) =>
    await eventually(`${expected} downloads of ${id}`, async () => {
      const { body } = await anyone().get<NodePage>(`/nodes?node_id=${id}&latest=true`);
      return body.nodes[0]?.downloads === expected ? expected : undefined;
    });

  test('[REG-125] without a number the newest active version is installed', async () => {
    const { status, body } = await install(mixed);
    assert.equal(status, 200);
    assertNoNull(body);
    assert.equal(body.version, '1.0.0');
    assert.equal(body.status, STATUS.active);
    assert.equal(body.node_id, mixed);
    assert.ok(body.downloadUrl);
    const { body: node } = await anyone().get<PackNode>(`/nodes/${mixed}`);
    assert.deepEqual(node.latest_version, body);
  });

  test('[REG-125] a node without an active version, and an unknown node, get 404', async () => {
    const id = newName('pack');
    await publishFlagged(server.current, studio, id);
    await publish(server.current, studio, id, { version: '2.0.0' });
    for (const one of [id, newName()]) {
      const { status, body } = await install(one);
      assert.equal(status, 404);
      assertShape(body, 'error');
    }
  });

  test('[REG-126] by number: active and flagged yes, pending and deleted 404, banned 403', async () => {
    for (const [version, expected] of [
      ['1.0.0', 200],
      ['1.0', 200],
      ['1.1.0', 200],
      ['1.2.0', 403],
      ['1.3.0', 404],
      ['1.4.0', 404],
      ['9.9.9', 404],
    ] as const) {
      const { status, body } = await install(mixed, `?version=${version}`);
      assert.equal(status, expected, version);
      if (status === 200) assert.ok(body.downloadUrl);
      else assertShape(body, 'error');
    }
  });

  test('[REG-126] what is not a version gets 400', async () => {
    for (const version of ['abc', 'latest', '1.2.3.4', '', '1.0.0;', '../1.0.0', '%25', 'x'.repeat(101)]) {
      const { status, body } = await install(mixed, `?version=${version}`);
      assert.equal(status, 400, version);
      assertShape(body, 'error');
    }
    assert.equal((await install(mixed, '?version=1.0.0&version=1.1.0')).status, 400);
  });

  test('[REG-127] every install counts, and nothing else does', async () => {
    const id = newName('pack');
    const version = await publishActive(server.current, studio, id);
    await publishFlagged(server.current, studio, id, { version: '1.1.0' });
    for (let count = 0; count < 3; count += 1) assert.equal((await install(id)).status, 200);
    assert.equal((await install(id, '?version=1.1.0')).status, 200);
    assert.equal((await install(id, '?version=9.9.9')).status, 404);
    assert.equal((await install(id, '?version=abc')).status, 400);
    await anyone().get(`/nodes/${id}/versions`);
    await anyone().get(`/nodes/${id}/versions/1.0.0`);
    await (await fetch(version.downloadUrl ?? '')).arrayBuffer();
    await counted(id, 4);
    assert.equal((await anyone().get<PackNode>(`/nodes/${id}`)).body.downloads, 4);
  });

  test('[REG-127] [REG-111] a count that was read before is read anew with latest=true', async () => {
    const id = newName('pack');
    await publishActive(server.current, studio, id);
    await counted(id, 0);
    await install(id);
    await counted(id, 1);
  });

  test('[REG-127] installs at once are all counted, in whatever case the id is spelled', async () => {
    const id = newName('Pack');
    await publishActive(server.current, studio, id);
    const spellings = [id, id.toLowerCase(), id.toUpperCase()];
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => await install(spellings[index % 3] ?? id)),
    );
    for (const { status } of answers) assert.equal(status, 200);
    await counted(id, 60);
  });

  test('[REG-128] the download is the uploaded archive, with its checksum, for everybody', async () => {
    const archive = cleanPack('Scale');
    const id = newName('pack');
    await publishArchive(server.current, studio, id, archive);
    const { body } = await install(id);
    const { downloadUrl = '' } = body;
    assert.ok(downloadUrl.startsWith(`${server.current.url}/`), downloadUrl);
    const answer = await fetch(downloadUrl);
    assert.equal(answer.status, 200);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    assert.deepEqual(bytes, archive);
    const digest = createHash('sha256').update(archive);
    assert.equal(body.checksum, `sha256:${digest.copy().digest('hex')}`);
    assert.equal(answer.headers.get('repr-digest'), `sha-256=:${digest.digest('base64')}:`);
    assert.equal(answer.headers.get('content-type'), 'application/zip');
    assert.equal(answer.headers.get('content-length'), String(archive.length));
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment/);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  });

  test('[REG-129] a download has ranges, conditions and HEAD', async () => {
    const archive = cleanPack('Scale');
    const { downloadUrl = '' } = await publishArchive(server.current, studio, newName('pack'), archive);
    const ask = async (headers: Record<string, string>, method = 'GET') => {
      const answer = await fetch(downloadUrl, { method, headers });
      return { answer, bytes: new Uint8Array(await answer.arrayBuffer()) };
    };
    const size = archive.length;
    for (const [range, from, to] of [
      ['bytes=0-9', 0, 10],
      ['bytes=10-19', 10, 20],
      [`bytes=${size - 5}-`, size - 5, size],
      ['bytes=-7', size - 7, size],
      [`bytes=5-${size * 2}`, 5, size],
    ] as const) {
      const { answer, bytes } = await ask({ range });
      assert.equal(answer.status, 206, range);
      assert.equal(answer.headers.get('content-range'), `bytes ${from}-${to - 1}/${size}`);
      assert.deepEqual(bytes, archive.slice(from, to));
    }
    const outside = await ask({ range: `bytes=${size}-` });
    assert.equal(outside.answer.status, 416);
    assert.equal(outside.answer.headers.get('content-range'), `bytes */${size}`);

    const { answer: whole } = await ask({});
    assert.equal(whole.headers.get('accept-ranges'), 'bytes');
    const etag = whole.headers.get('etag') ?? '';
    const unchanged = await ask({ 'if-none-match': etag });
    assert.equal(unchanged.answer.status, 304);
    assert.equal(unchanged.bytes.length, 0);
    assert.equal((await ask({ range: 'bytes=0-9', 'if-range': '"other"' })).answer.status, 200);
    assert.equal((await ask({ range: 'bytes=0-9', 'if-range': etag })).answer.status, 206);
    assert.equal((await ask({ 'if-match': '"other"' })).answer.status, 412);

    const { answer: head, bytes } = await ask({}, 'HEAD');
    assert.equal(head.status, 200);
    assert.equal(head.headers.get('content-length'), String(size));
    assert.equal(head.headers.get('etag'), etag);
    assert.equal(bytes.length, 0);
  });

  test('[REG-130] what cannot be installed cannot be downloaded', async () => {
    for (const [version, expected] of [
      ['1.0.0', 200],
      ['1.1.0', 200],
      ['1.2.0', 403],
      ['1.3.0', 404],
      ['1.4.0', 404],
      ['9.9.9', 404],
      ['abc', 404],
    ] as const) {
      const { status, body } = await anyone().get(`/registry/archives/${mixed}/${version}/node.zip`);
      assert.equal(status, expected, version);
      if (status !== 200) assertShape(body, 'error');
    }
    assert.equal((await anyone().get(`/registry/archives/${newName()}/1.0.0/node.zip`)).status, 404);
  });
});

onAnyEngine(
  'links behind a proxy',
  (server) => {
    test('[REG-128] links start with the public address of the server', async () => {
      const studio = await newStudio(server.current);
      const id = newName('pack');
      const { signedUrl } = await publish(server.current, studio, id, { version: '0.1.0' });
      assert.ok(signedUrl.startsWith('https://registry.example.org/'), signedUrl);
      const { downloadUrl = '' } = await publishActive(server.current, studio, id);
      assert.ok(downloadUrl.startsWith('https://registry.example.org/'), downloadUrl);
      const { pathname } = new URL(downloadUrl);
      assert.equal((await fetch(server.current.url + pathname)).status, 200);
    });
  },
  { environment: { ATELIER_PUBLIC_URL: 'https://registry.example.org' } },
);
