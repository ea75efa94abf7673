import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { admin } from '../support/people.ts';
import {
  eventually,
  newName,
  newStudio,
  publishActive,
  type Studio,
} from '../support/registry-publishing.ts';
import type { NodePage, PackNode } from '../support/registry-wire.ts';
import { onEachEngine } from '../support/servers.ts';

/** A word that no other test uses. */
function newWord(): string {
  return `w${newName('').replaceAll(/[^a-z0-9]/g, '')}`;
}

onEachEngine('search', (server) => {
  let studio: Studio;
  before(async () => {
    studio = await newStudio(server.current);
  });
  const anyone = () => client(server.current.url);
  const make = async (node: Readonly<Record<string, unknown>>, { id: publisher, owner } = studio) => {
    const id = newName('pack');
    const { status } = await owner.post(`/publishers/${publisher}/nodes`, { id, ...node });
    assert.equal(status, 201);
    return id;
  };
  const page = async (query: string) => await anyone().get<NodePage>(`/nodes/search?${query}`);
  const find = async (words: string, more = '') =>
    (await page(`search=${encodeURIComponent(words)}${more}`)).body.nodes.map(({ id }) => id);

  test('[REG-117] a word is found in id, name, description, author, publisher and tags', async () => {
    for (const field of ['name', 'description', 'author'] as const) {
      const word = newWord();
      const id = await make({ [field]: `The ${word} of it` });
      assert.deepEqual(await find(word), [id], field);
    }
    const tag = newWord();
    const tagged = await make({ tags: ['image', tag] });
    assert.deepEqual(await find(tag), [tagged]);
    assert.deepEqual(await find(tagged), [tagged]);

    const word = newWord();
    const named = await newStudio(server.current, `House of ${word}`);
    const ofHouse = await make({}, named);
    assert.deepEqual(await find(word), [ofHouse]);
    assert.deepEqual(await find(named.id), [ofHouse]);
  });

  test('[REG-117] a node is found by the names of its inner nodes', async () => {
    const word = newWord();
    const inner = `${word[0]?.toUpperCase()}${word.slice(1)}SamplerAdvanced`;
    const id = newName('pack');
    await publishActive(server.current, studio, id, { innerNodes: [inner] });
    for (const query of [inner, inner.toLowerCase(), `${word} advanced`, `sampler ${word}`]) {
      assert.deepEqual(await find(query), [id], query);
    }
  });

  test('[REG-118] words match from their beginning, without case and accents, and all of them', async () => {
    const word = newWord();
    const id = await make({ name: `${word} Überblick Café`, description: `HDRI${word} 放大镜 Ёлка` });
    await make({ name: word });
    for (const query of [
      `${word} uberblick`,
      `${word} ÜBER`,
      `${word.slice(0, -2)} cafe`,
      `cafe ${word}`,
      `hdri${word}`,
      `${word} 放大`,
      `${word} ёл`,
    ]) {
      assert.deepEqual(await find(query), [id], query);
    }
    assert.deepEqual(await find(`${word} teahouse`), []);
    assert.deepEqual(await find(word.slice(2)), []);
    assert.equal((await find(word.slice(0, -1))).length, 2);
  });

  test('[REG-119] a hit in id or name stands before one in the description', async () => {
    const word = newWord();
    const described = await make({ name: 'Something', description: `It has ${word} in it.` });
    const tagged = await make({ name: 'Anything', tags: [word] });
    const named = await make({ name: `${word} tools`, description: 'Something else.' });
    assert.deepEqual(await find(word), [named, tagged, described]);
  });

  test('[REG-119] of equal hits the lower search_ranking stands first', async () => {
    const word = newWord();
    const [first, second] = [await make({ name: word }), await make({ name: word })];
    const rank = async (id: string, ranking: number) =>
      await admin(server.current).put(`/admin/nodes/${id}`, { search_ranking: ranking });
    await rank(first, 10);
    await rank(second, 1);
    assert.deepEqual(await find(word), [second, first]);
    await rank(second, 20);
    assert.deepEqual(await find(word), [first, second]);
  });

  test('[REG-120] signs and operators are plain text', async () => {
    const word = newWord();
    const id = await make({ name: `${word} and or not near` });
    for (const query of [
      `"${word}`,
      `${word}*`,
      `${word}:*`,
      `(${word}`,
      `${word} AND`,
      `${word} & not`,
      `NOT ${word}`,
      `NEAR(${word})`,
      `${word}';--`,
      `^${word}`,
      `name:${word}`.replace('name:', '{} '),
      `-${word}`,
      `${word} | | |`,
      `\\${word}\\`,
      `%${word}%`,
    ]) {
      const { status, body } = await page(`search=${encodeURIComponent(query)}`);
      assert.equal(status, 200, query);
      assert.ok(
        body.nodes.some((node) => node.id === id),
        query,
      );
    }
  });

  test('[REG-120] signs alone find nothing, no query finds everything, too long a query gets 400', async () => {
    for (const query of ['***', '"', '(', '!?', '%', '🎉']) assert.deepEqual(await find(query), [], query);
    const { body: all } = await anyone().get<NodePage>('/nodes');
    for (const query of ['', 'search=', 'search=%20%20']) {
      assert.equal((await page(query)).body.total, all.total, query);
    }
    assert.equal((await page(`search=${'x'.repeat(500)}`)).status, 200);
    assert.equal((await page(`search=${encodeURIComponent('word '.repeat(99))}`)).status, 200);
    const { status, body } = await page(`search=${'x'.repeat(501)}`);
    assert.equal(status, 400);
    assertShape(body, 'error');
    assert.equal((await page('search=%00')).status, 400);
  });

  test('[REG-121] a node is found by its repository, however the address is spelled', async () => {
    const repository = `github.com/Studio/${newWord()}`;
    const id = await make({ repository: `https://${repository}` });
    for (const spelling of [
      `https://${repository}`,
      `https://${repository}.git`,
      `https://${repository}/`,
      `http://${repository}`,
      `https://${repository.toUpperCase()}`,
      `git@${repository.replace('/', ':')}.git`,
      `https://www.${repository}`,
    ]) {
      const { body } = await page(`repository_url_search=${encodeURIComponent(spelling)}`);
      assert.deepEqual(
        body.nodes.map((node) => node.id),
        [id],
        spelling,
      );
    }
    const { body } = await page(`repository_url_search=${encodeURIComponent(`https://${repository}2`)}`);
    assert.equal(body.total, 0);
  });

  test('[REG-122] a node is found by an inner node of its latest version', async () => {
    const inner = `Scale${newWord()}`;
    const id = newName('pack');
    await publishActive(server.current, studio, id, { innerNodes: [inner, `${inner}Other`] });
    const byInner = async (name: string) =>
      (await page(`comfy_node_search=${name}`)).body.nodes.map((node) => node.id);
    assert.deepEqual(await byInner(inner), [id]);
    await publishActive(server.current, studio, id, { version: '2.0.0', innerNodes: [`Other${inner}`] });
    assert.deepEqual(await byInner(inner), []);
    assert.deepEqual(await byInner(`Other${inner}`), [id]);
    assert.deepEqual(await byInner(newWord()), []);
  });

  test('[REG-122] the beginning of a name is enough, in any case, and the exact name comes first', async () => {
    const inner = `Écho${newWord()}`;
    const packWith = async (name: string) => {
      const id = newName('pack');
      await publishActive(server.current, studio, id, { innerNodes: [name] });
      return id;
    };
    const longer = await packWith(`${inner}Advanced`);
    const other = await packWith(inner.toUpperCase());
    const exact = await packWith(inner);
    // The most downloaded, and claimed: still only a beginning.
    for (let count = 0; count < 3; count += 1) await anyone().get(`/nodes/${longer}/install`);
    await admin(server.current).put(`/admin/nodes/${longer}`, { preempted_node_names: [inner] });
    const byInner = async (name: string, rest = '') => {
      const { body } = await page(`comfy_node_search=${encodeURIComponent(name)}${rest}`);
      return { total: body.total, ids: body.nodes.map((node) => node.id) };
    };
    assert.deepEqual(await byInner(inner), { total: 3, ids: [exact, other, longer] });
    assert.deepEqual(await byInner(inner, '&limit=1'), { total: 3, ids: [exact] });
    assert.equal((await byInner(inner.toUpperCase())).ids[0], other);
    assert.deepEqual(await byInner(`${inner}adv`), { total: 1, ids: [longer] });
    const typed = inner.slice(0, -1).toLowerCase();
    assert.deepEqual((await byInner(typed)).ids.toSorted(), [exact, longer, other].toSorted());
    for (const odd of [
      `${inner.slice(0, 4)}%`,
      `${inner.slice(0, 4)}_`,
      inner.slice(1),
      `${inner}\u{10FFFF}`,
    ]) {
      assert.deepEqual(await byInner(odd), { total: 0, ids: [] }, odd);
    }
  });

  test('[REG-123] a search finds what is so now', async () => {
    const [before_, after] = [newWord(), newWord()];
    const id = await make({ name: before_ });
    await studio.owner.put(`/publishers/${studio.id}/nodes/${id}`, { name: after });
    assert.deepEqual(await find(before_), []);
    assert.deepEqual(await find(after), [id]);
    await studio.owner.delete(`/publishers/${studio.id}/nodes/${id}`);
    assert.deepEqual(await find(after), []);
  });

  test('[REG-123] a search follows the new name of a publisher', async () => {
    const [before_, after] = [newWord(), newWord()];
    const named = await newStudio(server.current, before_);
    const id = await make({}, named);
    assert.deepEqual(await find(before_), [id]);
    await named.owner.put(`/publishers/${named.id}`, { name: after });
    const found = await eventually(
      'the new name',
      async () => ((await find(after)).length > 0 ? true : undefined),
      3000,
    ).catch(() => false);
    assert.ok(found, 'the new name is not found');
    assert.deepEqual(await find(before_), []);
  });

  test('[REG-123] a search follows a node to another publisher', async () => {
    const [before_, after] = [newWord(), newWord()];
    const [one, other] = [await newStudio(server.current, before_), await newStudio(server.current, after)];
    const id = await make({}, one);
    await admin(server.current).put(`/admin/nodes/${id}`, { publisher: { id: other.id } });
    assert.deepEqual(await find(before_), []);
    assert.deepEqual(await find(after), [id]);
  });

  test('[REG-124] filters and pages hold for a search by words', async () => {
    const word = newWord();
    const linux = await make({ name: word, supported_os: ['Linux'] });
    const windows = await make({ name: word, supported_os: ['Windows'] });
    const any = await make({ name: word });
    assert.deepEqual((await find(word, '&supported_os=linux')).toSorted(), [linux, any].toSorted());
    assert.deepEqual((await find(word, '&supported_os=windows')).toSorted(), [windows, any].toSorted());
    const pages = [await page(`search=${word}&limit=2`), await page(`search=${word}&limit=2&page=2`)];
    assert.deepEqual(
      pages.flatMap(({ body }) => body.nodes.map((node) => node.id)).toSorted(),
      [linux, windows, any].toSorted(),
    );
    assert.deepEqual(
      pages.map(({ body }) => [body.total, body.page, body.limit, body.totalPages]),
      [
        [3, 1, 2, 2],
        [3, 2, 2, 2],
      ],
    );
  });

  test('[REG-124] filters and words hold for a search by inner node', async () => {
    const inner = `Blur${newWord()}`;
    const word = newWord();
    const [linux, windows] = [newName('pack'), newName('pack')];
    const publish = async (id: string, node: object) =>
      await publishActive(server.current, studio, id, { innerNodes: [inner], node: { ...node } });
    await publish(linux, { name: word, supported_os: ['Linux'] });
    await publish(windows, { supported_os: ['Windows'] });
    const select = async (query: string) =>
      (await page(`comfy_node_search=${inner}&${query}`)).body.nodes.map((node: PackNode) => node.id);
    assert.deepEqual((await select('')).toSorted(), [linux, windows].toSorted());
    assert.deepEqual(await select('supported_os=linux'), [linux]);
    assert.deepEqual(await select(`search=${word}`), [linux]);
  });
});
