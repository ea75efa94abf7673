import assert from 'node:assert/strict';
import { request } from 'node:http';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { sendRaw, sendWithoutEnd } from '../support/raw-socket.ts';
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
import { type NodeVersion, STATUS } from '../support/registry-wire.ts';
import { onAnyEngine } from '../support/servers.ts';

const MIB = 1024 * 1024;
const CHUNK = 64 * 1024;

onAnyEngine(
  'uploads',
  (server) => {
    let studio: Studio;
    before(async () => {
      studio = await newStudio(server.current);
    });
    const announce = async () => await publish(server.current, studio, newName('pack'));
    const archiveOf = async ({ downloadUrl = '' }: NodeVersion) =>
      new Uint8Array(await (await fetch(downloadUrl)).arrayBuffer());
    const head = (signedUrl: string, ...lines: readonly string[]) => {
      const { pathname, search, host } = new URL(signedUrl);
      return [`PUT ${pathname}${search} HTTP/1.1`, `Host: ${host}`, ...lines, '', ''].join('\r\n');
    };

    /** The version waits as before, and takes its archive after all. */
    const assertWaits = async ({
      node_version: version,
      signedUrl,
    }: Awaited<ReturnType<typeof announce>>) => {
      const [waiting] = await allVersions(server.current, version.node_id);
      assert.equal(waiting?.status, STATUS.pending);
      assert.equal('downloadUrl' in waiting, false);
      assert.equal((await upload(server.current, signedUrl, cleanPack('Late'))).status, 200);
      assert.equal((await checked(server.current, version)).status, STATUS.active);
    };

    test('[REG-58] an archive is put without a credential, and checked without being asked', async () => {
      const { node_version: version, signedUrl } = await announce();
      const archive = cleanPack('Scale');
      const { status } = await upload(server.current, signedUrl, archive);
      assert.equal(status, 200);
      const done = await checked(server.current, version);
      assert.equal(done.status, STATUS.active);
      assert.deepEqual(await archiveOf(done), archive);
    });

    test('[REG-59] another content type gets 415 and a sentence that names the right one', async () => {
      const published = await announce();
      for (const headers of [
        { 'content-type': 'application/octet-stream' },
        { 'content-type': 'application/json' },
        { 'content-type': 'multipart/form-data; boundary=x' },
        { 'content-type': 'text/plain' },
        { 'content-type': 'application/x-zip-compressed' },
        {},
      ]) {
        const { status, body } = await upload(server.current, published.signedUrl, cleanPack(), headers);
        assert.equal(status, 415, JSON.stringify(headers));
        assertShape(body, 'error');
        assert.match(String(body.message), /application\/zip/);
      }
      await assertWaits(published);
    });

    test('[REG-60] a link that was altered in any part gets 403', async () => {
      const published = await announce();
      const other = await announce();
      const link = new URL(published.signedUrl);
      const changed: string[] = [link.origin + link.pathname];
      for (const name of link.searchParams.keys()) {
        const value = link.searchParams.get(name) ?? '';
        for (const wrong of [
          '',
          `${value}0`,
          value.slice(0, -1),
          `1${value}`,
          value.toUpperCase(),
          '0',
          '-1',
        ]) {
          if (wrong === value) continue;
          const altered = new URL(link);
          altered.searchParams.set(name, wrong);
          changed.push(altered.href);
        }
        const without = new URL(link);
        without.searchParams.delete(name);
        changed.push(without.href);
      }
      changed.push(new URL(other.signedUrl).origin + new URL(other.signedUrl).pathname + link.search);
      for (const url of changed) {
        const { status, body } = await upload(server.current, url, cleanPack());
        assert.equal(status, 403, url);
        assertShape(body, 'error');
        assert.doesNotMatch(body.message ?? '', /again/i);
      }
      await assertWaits(published);
      await assertWaits(other);
    });

    test('[REG-60] a credential does not replace the link', async () => {
      const { signedUrl } = await announce();
      const { pathname } = new URL(signedUrl);
      const { status } = await studio.owner.request('PUT', pathname, {
        headers: { 'content-type': 'application/zip' },
        body: cleanPack(),
      });
      assert.equal(status, 403);
    });

    test('[REG-61] an announced size beyond the bound gets 413 before the bytes come', async () => {
      const published = await announce();
      for (const length of [MIB + 1, 2 ** 31, 2 ** 40]) {
        const answer = await sendRaw(
          server.current.url,
          head(published.signedUrl, 'Content-Type: application/zip', `Content-Length: ${length}`) + 'PK',
        );
        assert.equal(answer?.status, 413, String(length));
        assertShape(JSON.parse(answer.body), 'error');
      }
      await assertWaits(published);
    });

    test('[REG-143] who asks before it sends is refused at once, or told to go on', async () => {
      const published = await announce();
      const ask = async (length: number, link = published.signedUrl) =>
        await sendRaw(
          server.current.url,
          head(link, 'Content-Type: application/zip', `Content-Length: ${length}`, 'Expect: 100-continue'),
        );
      for (const length of [MIB + 1, 2 ** 31]) {
        const answer = await ask(length);
        assert.equal(answer?.status, 413, String(length));
        assertShape(JSON.parse(answer.body), 'error');
      }
      assert.equal((await ask(100, published.signedUrl.replace('signature=', 'signature=x')))?.status, 403);
      assert.equal((await ask(100, published.signedUrl.replace('/uploads/', '/nowhere/')))?.status, 404);

      const archive = cleanPack('Asked');
      const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
      const { pathname, search } = new URL(published.signedUrl);
      const asking = request(server.current.url + pathname + search, {
        method: 'PUT',
        headers: {
          'content-type': 'application/zip',
          'content-length': archive.length,
          expect: '100-continue',
        },
      });
      asking.on('continue', () => asking.end(archive));
      asking.on('response', (answer) => resolve(answer.resume().statusCode));
      asking.on('error', reject).flushHeaders();
      assert.equal(await promise, 200);
      assert.equal((await checked(server.current, published.node_version)).status, STATUS.active);
    });

    test('[REG-143] a JSON body of whoever asks first is taken, and a missing credential told at once', async () => {
      const body = JSON.stringify({ id: newName() });
      const lines = [
        'POST /publishers HTTP/1.1',
        'Host: localhost',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'Expect: 100-continue',
      ];
      const send = async (...more: readonly string[]) =>
        await sendRaw(
          server.current.url,
          [...lines, ...more, '', ''].join('\r\n') + (more.length > 0 ? body : ''),
        );
      assert.equal((await send())?.status, 401);
      const answer = await send(`X-API-Key: ${server.current.admin.api_key}`, 'Connection: close');
      assert.match(answer?.body ?? '', /^HTTP\/1\.1 201/);
      assert.equal(answer?.status, 100);
    });

    test('[REG-61] a refused upload is not read to its end: the connection closes after the answer', async () => {
      const published = await announce();
      const altered = new URL(published.signedUrl);
      altered.searchParams.set('signature', 'wrong');
      const size = `Content-Length: ${2 ** 31}`;
      for (const [status, start] of [
        [413, head(published.signedUrl, 'Content-Type: application/zip', size)],
        [415, head(published.signedUrl, 'Content-Type: text/plain', size)],
        [403, head(altered.href, 'Content-Type: application/zip', size)],
      ] as const) {
        const { answer, sentBytes } = await sendWithoutEnd(server.current.url, start);
        assert.equal(answer?.status, status);
        assert.equal(answer.headers['connection'], 'close');
        assertShape(JSON.parse(answer.body), 'error');
        assert.ok(sentBytes < 64 * MIB, `${sentBytes} bytes were taken`);
      }
      await assertWaits(published);
    });

    test('[REG-61] a client that reads only after it has sent all sees why, when it is not much too much', async () => {
      const published = await announce();
      const { status } = await upload(server.current, published.signedUrl, new Uint8Array(MIB + 1));
      assert.equal(status, 413);
      await assertWaits(published);
    });

    test('[REG-61] more bytes than the bound get 413 when no size is announced', async () => {
      const published = await announce();
      const chunk = Buffer.concat([
        Buffer.from(`${CHUNK.toString(16)}\r\n`),
        Buffer.alloc(CHUNK, 'x'),
        Buffer.from('\r\n'),
      ]);
      const start = head(published.signedUrl, 'Content-Type: application/zip', 'Transfer-Encoding: chunked');
      const chunks = Array.from({ length: MIB / CHUNK + 1 }, () => chunk);
      const end = Buffer.from('0\r\n\r\n');
      const answer = await sendRaw(server.current.url, Buffer.concat([Buffer.from(start), ...chunks, end]));
      assert.equal(answer?.status, 413, 'the server hangs up without an answer');
      assertShape(JSON.parse(answer.body), 'error');
      await assertWaits(published);
    });

    test('[REG-61] exactly as many bytes as the bound are taken', async () => {
      const { node_version: version, signedUrl } = await announce();
      assert.equal((await upload(server.current, signedUrl, new Uint8Array(MIB))).status, 200);
      assert.equal((await checked(server.current, version)).status, STATUS.deleted);
    });

    test('[REG-62] an upload that breaks off can be made again', async () => {
      const archive = cleanPack('Scale');
      for (const headers of [{ 'content-length': archive.length }, { 'transfer-encoding': 'chunked' }]) {
        const published = await announce();
        const half = request(published.signedUrl, {
          method: 'PUT',
          headers: { 'content-type': 'application/zip', ...headers },
        });
        half.on('error', () => {});
        const closed = new Promise((resolve) => half.on('close', resolve));
        await new Promise((resolve) => half.write(archive.subarray(0, archive.length / 2), resolve));
        half.destroy();
        await closed;
        await assertWaits(published);
      }
    });

    test('[REG-63] a version that has been checked takes no other archive', async () => {
      const id = newName('pack');
      const { node_version: version, signedUrl } = await publish(server.current, studio, id);
      const archive = cleanPack('Scale');
      await upload(server.current, signedUrl, archive);
      await checked(server.current, version);
      const { status, body } = await upload(server.current, signedUrl, cleanPack('Other'));
      assert.equal(status, 409);
      assertShape(body, 'error');
      const [kept] = await allVersions(server.current, id);
      assert.ok(kept);
      assert.equal(kept.status, STATUS.active);
      assert.deepEqual(await archiveOf(kept), archive);
    });

    test('[REG-63] the link of a deleted version takes nothing', async () => {
      const { node_version: version, signedUrl } = await announce();
      const path = `/publishers/${studio.id}/nodes/${version.node_id}/versions/${version.id}`;
      assert.equal((await studio.owner.delete(path)).status, 204);
      const { status } = await upload(server.current, signedUrl, cleanPack());
      assert.ok(status === 409 || status === 404, String(status));
      const [deleted] = await allVersions(server.current, version.node_id);
      assert.equal(deleted?.status, STATUS.deleted);
    });

    test('[REG-63] of two archives at once one is checked, served and named by the checksum', async () => {
      const { node_version: version, signedUrl } = await announce();
      const archives = [cleanPack('First'), cleanPack('Second')];
      const answers = await Promise.all(
        archives.map(async (archive) => await upload(server.current, signedUrl, archive)),
      );
      assert.ok(answers.some(({ status }) => status === 200));
      for (const { status } of answers) assert.ok(status === 200 || status === 409, String(status));
      const done = await checked(server.current, version);
      assert.equal(done.status, STATUS.active);
      const served = await archiveOf(done);
      const chosen = archives.findIndex((archive) => Buffer.from(archive).equals(served));
      assert.notEqual(chosen, -1);
      const { body } = await client(server.current.url).get<{ comfy_nodes: { comfy_node_name: string }[] }>(
        `/nodes/${version.node_id}/versions/1.0.0/comfy-nodes`,
      );
      assert.deepEqual(
        body.comfy_nodes.map((node) => node.comfy_node_name),
        [['First', 'Second'][chosen]],
      );
    });

    test('[REG-63] [REG-70] an archive that replaces one under check is checked too', async () => {
      const { node_version: version, signedUrl } = await announce();
      const names = Array.from({ length: 1500 }, (_, index) => `Slow${index}`);
      const slow = packOf({ '__init__.py': sourceWithNodes(...names) });
      assert.equal((await upload(server.current, signedUrl, slow)).status, 200);
      const { status } = await upload(server.current, signedUrl, cleanPack('Quick'));
      assert.ok(status === 200 || status === 409, String(status));
      const done = await checked(server.current, version);
      assert.equal(done.status, STATUS.active);
      const served = await archiveOf(done);
      assert.ok([slow, cleanPack('Quick')].some((archive) => Buffer.from(archive).equals(served)));
    });

    test('[REG-16] refused uploads leave earlier versions as they were', async () => {
      const id = newName('pack');
      const first = await publishActive(server.current, studio, id);
      const { signedUrl } = await publish(server.current, studio, id, { version: '2.0.0' });
      await upload(server.current, signedUrl, cleanPack(), { 'content-type': 'text/plain' });
      const { body } = await client(server.current.url).get(`/nodes/${id}`);
      assert.partialDeepStrictEqual(body, { latest_version: { id: first.id, version: '1.0.0' } });
    });
  },
  { environment: { ATELIER_PACK_MAX_MB: '1' } },
);
