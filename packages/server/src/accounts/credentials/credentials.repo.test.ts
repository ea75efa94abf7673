import assert from 'node:assert/strict';
import { it } from 'node:test';

import { aUser } from '../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { hashCredential } from '../../platform/credential-hash.ts';
import { newId } from '../../platform/ids.ts';
import * as actors from '../actors.repo.ts';
import * as sessions from '../sign-in/sessions.repo.ts';
import { deleteApiKey, insertApiKey, listApiKeys } from './api-keys.repo.ts';

onEachDatabase('credentials', (db) => {
  const aKey = async (userId: string) => {
    const secret = newId();
    const key = {
      id: newId(),
      user_id: userId,
      name: 'ci',
      description: null,
      key_prefix: secret.slice(0, 4),
      secret_hash: hashCredential(secret),
      scopes: null,
      created_at: 1,
    };
    await insertApiKey(db(), key);
    return key;
  };

  it('find their owner by the hash of a key, until it is deleted', async () => {
    const user = await aUser(db());
    const key = await aKey(user.id);
    assert.equal((await actors.findActorByKey(db(), key.secret_hash))?.id, user.id);
    assert.equal(await deleteApiKey(db(), user.id, key.id), true);
    assert.equal(await actors.findActorByKey(db(), key.secret_hash), undefined);
  });

  it('of another user cannot be deleted or seen', async () => {
    const [owner, stranger] = [await aUser(db()), await aUser(db())];
    const key = await aKey(owner.id);
    assert.equal(await deleteApiKey(db(), stranger.id, key.id), false);
    assert.deepEqual(await listApiKeys(db(), stranger.id), []);
    assert.deepEqual(
      (await listApiKeys(db(), owner.id)).map(({ id }) => id),
      [key.id],
    );
  });

  it('of a session find their owner until it expires', async () => {
    const user = await aUser(db());
    const session = { token_hash: newId(), user_id: user.id, created_at: 0, expires_at: 1000 };
    await sessions.insertSession(db(), session);
    assert.equal((await actors.findActorBySession(db(), session.token_hash, 999))?.id, user.id);
    assert.equal(await actors.findActorBySession(db(), session.token_hash, 1000), undefined);
  });

  it('of expired sessions are deleted, and all those of one user', async () => {
    const [user, other] = [await aUser(db()), await aUser(db())];
    const open = { token_hash: newId(), user_id: user.id, created_at: 0, expires_at: 5000 };
    const ended = { ...open, token_hash: newId(), expires_at: 2000 };
    const foreign = { ...open, token_hash: newId(), user_id: other.id };
    for (const session of [open, ended, foreign]) await sessions.insertSession(db(), session);
    const owner = async ({ token_hash }: typeof open) =>
      (await actors.findActorBySession(db(), token_hash, 0))?.id;

    await sessions.deleteExpiredSessions(db(), 2000);
    assert.deepEqual([await owner(open), await owner(ended)], [user.id, undefined]);
    await sessions.deleteSessionsOf(db(), user.id);
    assert.deepEqual([await owner(open), await owner(foreign)], [undefined, other.id]);
    await sessions.deleteSession(db(), foreign.token_hash);
    assert.equal(await owner(foreign), undefined);
  });

  it('of an outside issuer belong to one account by issuer and subject', async () => {
    const user = await aUser(db());
    const identity = { issuer: 'https://issuer.example.com', subject: newId(), user_id: user.id };
    assert.equal(await actors.insertIdentity(db(), identity), true);
    assert.equal(await actors.insertIdentity(db(), identity), false);
    const found = async (issuer: string) =>
      (await actors.findActorByIdentity(db(), issuer, identity.subject))?.id;
    assert.equal(await found(identity.issuer), user.id);
    assert.equal(await found('https://other.example.com'), undefined);
  });
});
