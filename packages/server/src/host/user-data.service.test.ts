import assert from 'node:assert/strict';
import { test } from 'node:test';

import { aUser } from '../../test/support/a-user.ts';
import { onEachDatabase } from '../../test/support/on-each-database.ts';
import { AppError } from '../platform/errors/app-error.ts';
import { createUserDataService } from './user-data.service.ts';

const OVERWRITE = { overwrite: true };
const KEEP = { overwrite: false };

const bytes = (text: string) => Buffer.from(text);
const refusal = (code: string) => (error: unknown) => error instanceof AppError && error.code === code;

onEachDatabase('user data', (db) => {
  async function start(limits: { maxFiles?: number; maxBytes?: number } = {}) {
    const time = { now: 1000 };
    const userData = createUserDataService({ db: db(), clock: () => time.now, ...limits });
    const { id: userId } = await aUser(db());
    const write = async (path: string, text = 'x', options = OVERWRITE) =>
      await userData.write(userId, path, bytes(text), options);
    const read = async (path: string) => Buffer.from((await userData.read(userId, path)).content).toString();
    const paths = async (folder: string, recurse = true) =>
      (await userData.list(userId, folder, { recurse })).map(({ path }) => path);
    return { userData, userId, time, write, read, paths };
  }

  test('are kept byte by byte, also none at all', async () => {
    const { userData, userId } = await start();
    for (const content of [new Uint8Array(), Uint8Array.from({ length: 256 }, (_, value) => value)]) {
      await userData.write(userId, 'a/b.bin', content, OVERWRITE);
      const found = await userData.read(userId, 'a/b.bin');
      assert.deepEqual([...found.content], [...content]);
    }
  });

  test('remember when they were made and when they were changed', async () => {
    const { userData, userId, time, write } = await start();
    assert.deepEqual(await write('a'), { path: 'a', size: 1, created: 1000, modified: 1000 });
    time.now = 2000;
    assert.deepEqual(await write('a', 'xyz'), { path: 'a', size: 3, created: 1000, modified: 2000 });
    time.now = 3000;
    const moved = await userData.move(userId, 'a', 'b', OVERWRITE);
    assert.deepEqual(moved, { path: 'b', size: 3, created: 1000, modified: 2000 });
  });

  test('[HOST-11] are overwritten by nobody who does not want to: of many at once one is kept', async () => {
    const { write, read } = await start();
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
    const outcomes = await Promise.allSettled(texts.map(async (text) => await write('a', text, KEEP)));
    const kept = texts.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    assert.equal(kept.length, 1);
    assert.equal(await read('a'), kept[0]);
    await assert.rejects(write('a', 'z', KEEP), refusal('cloud.file_exists'));
  });

  test('[HOST-18] have names that are a file or a folder, not both', async () => {
    const { userData, userId, write, paths } = await start();
    await write('a/b/c');
    for (const path of ['a', 'a/b', 'a/b/c/d', 'a/b/c/d/e']) {
      await assert.rejects(write(path), refusal('cloud.file_exists'), path);
      await write('other');
      await assert.rejects(userData.move(userId, 'other', path, OVERWRITE), refusal('cloud.file_exists'));
    }
    await write('a/bb');
    assert.deepEqual(await paths('.'), ['a/b/c', 'a/bb', 'other']);
    await userData.move(userId, 'a/b/c', 'a/b', OVERWRITE);
    assert.deepEqual(await paths('.'), ['a/b', 'a/bb', 'other']);
  });

  test('[HOST-14] are moved onto others only when that is wanted', async () => {
    const { userData, userId, write, read, paths } = await start();
    await write('a', 'of a');
    await write('b', 'of b');
    await assert.rejects(userData.move(userId, 'a', 'b', KEEP), refusal('cloud.file_exists'));
    assert.equal(await read('b'), 'of b');
    await userData.move(userId, 'a', 'b', OVERWRITE);
    assert.deepEqual([await paths('.'), await read('b')], [['b'], 'of a']);
    await userData.move(userId, 'b', './b', KEEP);
    assert.equal(await read('b'), 'of a');
    await assert.rejects(userData.move(userId, 'a', 'c', OVERWRITE), refusal('resource.not_found'));
  });

  test('[HOST-15] are listed from a folder whose name is taken as it is', async () => {
    const { write, paths } = await start();
    for (const path of [
      '猫/a',
      '猫/b/c',
      '猫/.hidden',
      '猫/.d/x',
      '猫猫/no',
      'A_/x',
      'ab/x',
      'a_/y',
      'a%/z',
    ]) {
      await write(path);
    }
    assert.deepEqual(await paths('猫'), ['a', 'b/c']);
    assert.deepEqual(await paths('猫', false), ['a']);
    assert.deepEqual(await paths('猫/.d'), ['x']);
    assert.deepEqual(await paths('a_'), ['y']);
    assert.deepEqual(await paths('a%'), ['z']);
    await assert.rejects(paths('a'), refusal('resource.not_found'));
    await assert.rejects(paths('猫/a'), refusal('resource.not_found'));
  });

  test('[HOST-16] are walked with their folders', async () => {
    const { userData, userId, write } = await start();
    assert.deepEqual(await userData.walk(userId, ''), []);
    for (const path of ['b/Z', 'b/a', 'b/c/d', 'x']) await write(path);
    const walked = async (folder: string) =>
      (await userData.walk(userId, folder)).map(({ name, path, type }) => `${type} ${name} ${path}`);
    const below = ['directory c b/c', 'file a b/a', 'file d b/c/d', 'file Z b/Z'];
    assert.deepEqual(await walked('b'), below);
    assert.deepEqual(await walked('b/c'), ['file d b/c/d']);
    assert.equal((await walked('')).length, 6);
    assert.deepEqual(await userData.walk(userId, 'b/c'), [
      { name: 'd', path: 'b/c/d', type: 'file', size: 1, modified: 1 },
    ]);
    await assert.rejects(walked('nope'), refusal('resource.not_found'));
    await assert.rejects(walked('x'), refusal('request.invalid'));
  });

  test('[HOST-19] are bounded in number, also when they come at once', async () => {
    const { userData, userId, write, paths } = await start({ maxFiles: 3 });
    const names = Array.from({ length: 20 }, (_, index) => `file ${index}`);
    const outcomes = await Promise.allSettled(names.map(async (name) => await write(name)));
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 3);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.ok(refusal('cloud.storage_full')(outcome.reason));
    }
    const [first = ''] = await paths('.');
    await write(first, 'changed');
    await userData.remove(userId, first);
    await write('f');
  });

  test('[HOST-19] are bounded in bytes; what is replaced does not count', async () => {
    const { write, read } = await start({ maxBytes: 10 });
    await write('a', '123456');
    await assert.rejects(write('b', '12345'), refusal('cloud.storage_full'));
    await write('b', '1234');
    await write('a', '654321');
    await assert.rejects(write('a', '1234567'), refusal('cloud.storage_full'));
    assert.equal(await read('a'), '654321');
  });

  test('[HOST-9] of one user are nothing to another', async () => {
    const [one, other] = [await start(), await start()];
    await one.write('a', 'mine');
    const { userData, userId } = other;
    await assert.rejects(other.read('a'), refusal('resource.not_found'));
    await assert.rejects(userData.remove(userId, 'a'), refusal('resource.not_found'));
    await assert.rejects(userData.move(userId, 'a', 'b', OVERWRITE), refusal('resource.not_found'));
    assert.deepEqual(await other.paths('.'), []);
    await other.write('a', 'theirs', KEEP);
    assert.equal(await one.read('a'), 'mine');
  });
});
