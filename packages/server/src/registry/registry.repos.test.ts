import assert from 'node:assert/strict';
import { it } from 'node:test';

import { aPack, aPublisher, aVersion } from '../../test/support/a-pack.ts';
import { aUser } from '../../test/support/a-user.ts';
import { onEachDatabase } from '../../test/support/on-each-database.ts';
import { insertAuditEntry, listAuditEntries } from '../platform/audit/audit.repo.ts';
import { newId } from '../platform/ids.ts';
import * as inner from './inner-nodes/inner-nodes.repo.ts';
import * as packs from './packs/packs.repo.ts';
import { findReview, putReview } from './packs/reviews.repo.ts';
import * as members from './publishers/members.repo.ts';
import * as tokens from './publishers/publisher-tokens.repo.ts';
import * as publishers from './publishers/publishers.repo.ts';

onEachDatabase('the registry', (db) => {
  it('keeps a member of a publisher once, and counts the publishers that a user owns', async () => {
    const [publisherId, user] = [await aPublisher(db()), await aUser(db())];
    const member = {
      id: newId(),
      publisher_id: publisherId,
      user_id: user.id,
      role: 'owner',
      created_at: 1,
    } as const;
    assert.equal(await members.insertMember(db(), member), true);
    assert.equal(await members.insertMember(db(), { ...member, id: newId() }), false);
    assert.equal(await members.countOwned(db(), user.id, { made: false }), 1);
    assert.equal(await members.countOwned(db(), user.id, { made: true }), 0);
    assert.deepEqual(
      (await publishers.listPublishersOf(db(), user.id)).map(({ id }) => id),
      [publisherId],
    );
    await members.setMemberRole(db(), member.id, 'member');
    assert.equal(await members.roleIn(db(), publisherId, user.id), 'member');
    await publishers.updatePublisher(db(), publisherId, { status: 'deleted' });
    assert.equal(await members.countOwned(db(), user.id, { made: false }), 0);
    assert.equal(await publishers.findPublisher(db(), publisherId), undefined);
    assert.equal(await publishers.isPublisherIdTaken(db(), publisherId), true);
  });

  it('frees the id of a publisher only if it never had a pack', async () => {
    const [empty, used] = [await aPublisher(db()), await aPublisher(db())];
    await publishers.updatePublisher(db(), used, { had_packs: 1 });
    for (const id of [empty, used]) await publishers.removePublisher(db(), id);
    assert.equal(await publishers.isPublisherIdTaken(db(), empty), false);
    assert.equal(await publishers.isPublisherIdTaken(db(), used), true);
  });

  it('finds a token by its hash, and deletes it only for its publisher', async () => {
    const [publisherId, stranger] = [await aPublisher(db()), await aPublisher(db())];
    const hash = newId();
    const token = { id: newId(), publisher_id: publisherId, name: 'ci', description: null, created_at: 1 };
    await tokens.insertToken(db(), { ...token, token_prefix: 'abcd', token_hash: hash });
    assert.equal((await tokens.findTokenByHash(db(), hash))?.id, token.id);
    assert.equal(await tokens.deleteToken(db(), stranger, token.id), false);
    assert.equal(await tokens.deleteToken(db(), publisherId, token.id), true);
    assert.equal(await tokens.findTokenByHash(db(), hash), undefined);
  });

  it('has one pack for an id in any case', async () => {
    const id = await aPack(db(), { id: `Mixed-${newId()}` });
    const record = await packs.findPackRecord(db(), id.toLowerCase());
    assert.equal(record?.pack.id, id);
    await aPack(db(), { id: id.toUpperCase() }).catch(() => {});
    assert.equal((await packs.findPack(db(), id.toUpperCase()))?.id, id);
  });

  it('adds up downloads and stars', async () => {
    const id = await aPack(db());
    await Promise.all(Array.from({ length: 10 }, async () => await packs.addDownloads(db(), id, 3)));
    await packs.addStars(db(), id, 4, 1);
    await packs.addStars(db(), id, -1, 0);
    const pack = await packs.findPack(db(), id);
    assert.deepEqual([pack?.downloads, pack?.star_sum, pack?.star_count], [30, 3, 1]);
  });

  it('keeps one review per user and pack', async () => {
    const [packId, user] = [await aPack(db()), await aUser(db())];
    const review = { pack_id: packId, user_id: user.id, star: 2, version: null, created_at: 1 };
    await putReview(db(), review);
    await putReview(db(), { ...review, star: 5, version: '1.0.0' });
    const kept = await findReview(db(), packId, user.id);
    assert.deepEqual([kept?.star, kept?.version], [5, '1.0.0']);
  });

  it('replaces the inner nodes of a version, many at once, and finds the pack that provides one', async () => {
    const packId = await aPack(db());
    const versionId = await aVersion(db(), packId, '1.0.0');
    const rows = Array.from({ length: 450 }, (_, n) => ({
      version_id: versionId,
      name: `Node${String(n).padStart(3, '0')}-${packId}`,
      category: null,
      description: null,
      function: null,
      deprecated: 0,
      experimental: 0,
      input_types: null,
      return_types: null,
      return_names: null,
      output_is_list: null,
    }));
    await inner.putInnerNodes(db(), versionId, rows);
    await inner.putInnerNodes(db(), versionId, rows);
    const page = await inner.pageOfInnerNodes(db(), versionId, { offset: 440, limit: 100 });
    assert.deepEqual([page.total, page.rows.length], [450, 10]);
    const providers = await inner.packsWithInnerNode(db(), rows[7]?.name ?? '');
    assert.deepEqual(
      providers.map(({ id }) => id),
      [packId],
    );
    assert.equal((await inner.findInnerNodes(db(), { packId }, { offset: 0, limit: 1 })).total, 450);
  });

  it('lists what was done to a subject and to everything below it, newest first', async () => {
    const subject = `publisher:${newId()}`;
    for (const [n, below] of ['', '/node:a', '/node:a/version:1', 'x'].entries()) {
      await insertAuditEntry(db(), {
        at: n,
        actor: 'user:1',
        action: 'did',
        subject: subject + below,
        details: '{}',
      });
    }
    const entries = await listAuditEntries(db(), { subject, limit: 10 });
    assert.deepEqual(
      entries.map(({ at }) => at),
      [2, 1, 0],
    );
    const older = await listAuditEntries(db(), { subject, limit: 10, before: entries[0]?.seq });
    assert.equal(older.length, 2);
  });
});
