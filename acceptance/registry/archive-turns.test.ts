import assert from 'node:assert/strict';
import { test } from 'node:test';

import { cleanPack, packOf } from '../support/registry-archives.ts';
import {
  allVersions,
  checked,
  newName,
  newStudio,
  newToken,
  publish,
  publishActive,
  type Studio,
  upload,
} from '../support/registry-publishing.ts';
import { STATUS } from '../support/registry-wire.ts';
import { onAnyEngine } from '../support/servers.ts';

/** Sources that take a while to read, although nothing is wrong with them. */
function longPack(number: number): Uint8Array {
  const lines = Array.from(
    { length: 3000 },
    (_, n) => `def f${n}(a, b=(1, 2, [3, {"k": a}])):\n    return a + b[${n}]\n`,
  );
  return packOf({
    '__init__.py': `NODE_CLASS_MAPPINGS = {}\nNUMBER = ${number}\n`,
    'functions.py': lines.join('\n'),
  });
}

onAnyEngine('turns of archives', (server) => {
  test('[REG-148] who has many archives waiting does not hold up others', async () => {
    const [busy, other] = [await newStudio(server.current), await newStudio(server.current)];
    const [busyPack, otherPack] = [newName('pack'), newName('pack')];
    await publishActive(server.current, other, otherPack);
    const archives = Array.from({ length: 6 }, (_, n) => longPack(n));
    const links: string[] = [];
    for (const n of archives.keys()) {
      const { signedUrl } = await publish(server.current, busy, busyPack, { version: `1.${n}.0` });
      links.push(signedUrl);
    }
    const { node_version: next, signedUrl } = await publish(server.current, other, otherPack, {
      version: '1.1.0',
    });
    await Promise.all(
      archives.map(async (archive, n) => {
        assert.equal((await upload(server.current, links[n] ?? '', archive)).status, 200);
      }),
    );
    assert.equal((await upload(server.current, signedUrl, cleanPack())).status, 200);
    assert.equal((await checked(server.current, next)).status, STATUS.active);
    const waiting = (await allVersions(server.current, busyPack)).filter(
      ({ status }) => status === STATUS.pending,
    );
    assert.ok(waiting.length > 0, 'the archives of the busy publisher were all checked before');
    for (const version of waiting) await checked(server.current, version);
    const { length } = (await allVersions(server.current, busyPack)).filter(
      ({ status }) => status === STATUS.active,
    );
    assert.equal(length, archives.length);
  });

  test('[REG-148] who has many publishers has the turns of one account', async () => {
    const [busy, other] = [await newStudio(server.current), await newStudio(server.current)];
    const studios: Pick<Studio, 'id' | 'token'>[] = [busy];
    for (let count = 1; count < 5; count += 1) {
      const id = newName();
      assert.equal((await busy.owner.post('/publishers', { id, name: id })).status, 201);
      studios.push({ id, token: await newToken(busy.owner, id) });
    }
    const [otherPack, packs] = [newName('pack'), studios.map(() => newName('pack'))];
    const links: string[] = [];
    for (const [n, studio] of studios.entries()) {
      for (const version of ['1.0.0', '1.1.0']) {
        links.push((await publish(server.current, studio, packs[n] ?? '', { version })).signedUrl);
      }
    }
    const others = [];
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
      others.push(await publish(server.current, other, otherPack, { version }));
    }
    await Promise.all(
      links.map(async (link, n) => {
        assert.equal((await upload(server.current, link, longPack(n))).status, 200);
      }),
    );
    for (const { signedUrl } of others) {
      assert.equal((await upload(server.current, signedUrl, cleanPack())).status, 200);
    }
    for (const { node_version: version } of others) {
      assert.equal((await checked(server.current, version)).status, STATUS.active);
    }
    const all = (
      await Promise.all(packs.map(async (pack) => await allVersions(server.current, pack)))
    ).flat();
    const waiting = all.filter(({ status }) => status === STATUS.pending);
    // Each of the other's three waits for at most one turn of the busy account, not for one of each publisher.
    assert.ok(waiting.length > 2, `${waiting.length} of ${links.length} wait`);
    for (const version of waiting) await checked(server.current, version);
  });

  test('[REG-148] [REG-76] versions of one node that are checked at once leave the newest as the latest', async () => {
    const studio = await newStudio(server.current);
    for (let round = 0; round < 4; round += 1) {
      const id = newName('pack');
      const numbers = ['1.0.0', '1.1.0', '1.2.0', '1.3.0'];
      const announced = [];
      for (const version of numbers) announced.push(await publish(server.current, studio, id, { version }));
      await Promise.all(
        announced.map(
          async ({ signedUrl }, n) => await upload(server.current, signedUrl, cleanPack(`Node${n}`)),
        ),
      );
      for (const { node_version: version } of announced) {
        assert.equal((await checked(server.current, version)).status, STATUS.active);
      }
      const answer = await studio.owner.get(`/nodes/${id}/install`);
      assert.equal(answer.body['version'], '1.3.0');
      const { body } = await studio.owner.get<{ latest_version?: { version: string } }>(`/nodes/${id}`);
      assert.equal(body.latest_version?.version, '1.3.0');
    }
  });
});
