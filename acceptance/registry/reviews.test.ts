import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { type Client, client } from '../support/http-client.ts';
import {
  assertNoNull,
  newName,
  newStudio,
  newUser,
  publish,
  publishActive,
  type Studio,
} from '../support/registry-publishing.ts';
import type { PackNode } from '../support/registry-wire.ts';
import { onEachEngine } from '../support/servers.ts';

onEachEngine('reviews', (server) => {
  let studio: Studio;
  let people: Client[];
  before(async () => {
    studio = await newStudio(server.current);
    people = [await newUser(server.current), await newUser(server.current), await newUser(server.current)];
  });
  const anyone = () => client(server.current.url);
  const newPack = async () => {
    const id = newName('pack');
    await publish(server.current, studio, id);
    return id;
  };
  const review = async (who: Client | undefined, id: string, query: string) =>
    await (who ?? anyone()).post<PackNode>(`/nodes/${id}/reviews${query}`);

  test('[REG-94] a review answers 200 with the node, and the rating is the mean', async () => {
    const id = await newPack();
    const means = [5, 4.5, 10 / 3];
    for (const [index, star] of [5, 4, 1].entries()) {
      const { status, body } = await review(people[index], id, `?star=${star}`);
      assert.equal(status, 200);
      assertNoNull(body);
      assert.equal(body.id, id);
      assert.ok(Math.abs(body.rating - (means[index] ?? 0)) < 1e-9, String(body.rating));
      assert.deepEqual((await anyone().get(`/nodes/${id}`)).body, body);
    }
  });

  test('[REG-172] the stars are counted for everybody, and your own are shown to you', async () => {
    const id = await newPack();
    const read = async (who: Client) => (await who.get(`/nodes/${id}/reviews`)).body;
    assert.deepEqual(await read(anyone()), { total: 0, rating: 0, stars: [0, 0, 0, 0, 0] });
    for (const [index, star] of [5, 5, 2].entries()) await review(people[index], id, `?star=${star}`);
    const all = { total: 3, rating: 4, stars: [0, 1, 0, 0, 2] };
    assert.deepEqual(await read(anyone()), all);
    assert.deepEqual(await read(people[2] ?? anyone()), { ...all, yours: 2 });
    const { status, body } = await anyone().get(`/nodes/${newName()}/reviews`);
    assert.equal(status, 404);
    assertShape(body, 'details');
  });

  test('[REG-94] a review needs no body, and takes what clients send in its place', async () => {
    const id = await newPack();
    const path = `/nodes/${id}/reviews?star=3`;
    for (const [headers, body] of [
      [{}, undefined],
      [{ 'content-type': 'application/json' }, undefined],
      [{ 'content-type': 'application/json' }, 'null'],
      [{ 'content-type': 'application/json' }, '{}'],
    ] as const) {
      const answer = await people[0]?.request('POST', path, { headers, body });
      assert.equal(answer?.status, 200, JSON.stringify([headers, body]));
    }
  });

  test('[REG-95] a second review of the same user replaces the first', async () => {
    const id = await newPack();
    await review(people[0], id, '?star=1');
    await review(people[1], id, '?star=3');
    const { body } = await review(people[0], id, '?star=5');
    assert.equal(body.rating, 4);
  });

  test('[REG-95] many reviews of one user at once count as one', async () => {
    const id = await newPack();
    await review(people[1], id, '?star=1');
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => await review(people[0], id, '?star=5')),
    );
    for (const { status } of answers) assert.equal(status, 200);
    assert.equal((await anyone().get<PackNode>(`/nodes/${id}`)).body.rating, 3);
    const { body } = await review(people[0], id, '?star=1');
    assert.equal(body.rating, 1);
  });

  test('[REG-96] anything but a whole number from 1 to 5 gets 400', async () => {
    const id = await newPack();
    for (const query of [
      '',
      '?star',
      '?star=',
      '?star=0',
      '?star=6',
      '?star=-1',
      '?star=abc',
      '?star=2.5',
      '?star=5five',
      '?star=NaN',
      '?star=1&star=2',
      '?star=99999999999999999999',
      '?stars=5',
    ]) {
      const { status, body } = await review(people[0], id, query);
      assert.equal(status, 400, query);
      assertShape(body, 'error');
    }
    assert.equal((await anyone().get<PackNode>(`/nodes/${id}`)).body.rating, 0);
  });

  test('[REG-97] the reviewed version may be named', async () => {
    const id = newName('pack');
    await publishActive(server.current, studio, id);
    const second = await publishActive(server.current, studio, id, { version: '1.1.0' });
    for (const query of ['?star=4', '?star=4&version=1.0.0', '?star=4&version=v1.1']) {
      assert.equal((await review(people[0], id, query)).status, 200, query);
    }
    await studio.owner.delete(`/publishers/${studio.id}/nodes/${id}/versions/${second.id}`);
    for (const version of ['1.1.0', '9.9.9', 'abc']) {
      const { status, body } = await review(people[0], id, `?star=1&version=${version}`);
      assert.equal(status, 404, version);
      assertShape(body, 'details');
    }
    assert.equal((await anyone().get<PackNode>(`/nodes/${id}`)).body.rating, 4);
  });

  test('[REG-97] [REG-9] an unknown node gets 404 with details', async () => {
    const { status, body } = await review(people[0], newName(), '?star=5');
    assert.equal(status, 404);
    assertShape(body, 'details');
  });

  test('[REG-15] a review needs a credential', async () => {
    const id = await newPack();
    const { status, body } = await review(undefined, id, '?star=5');
    assert.equal(status, 401);
    assertShape(body, 'error');
  });
});
