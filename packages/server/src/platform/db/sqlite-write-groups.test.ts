import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { type TemporaryFolder, temporaryFolder } from '@atelier/testing';
import type { CompiledQuery } from 'kysely';

import { createWriteGroups } from './sqlite-write-groups.ts';

describe('write groups', () => {
  let folder: TemporaryFolder;
  let database: DatabaseSync;
  let other: DatabaseSync;
  before(async () => {
    folder = await temporaryFolder();
    const file = join(folder.path, 'groups.sqlite');
    database = new DatabaseSync(file);
    database.exec('pragma journal_mode = wal');
    database.exec('create table notes (text text not null)');
    other = new DatabaseSync(file, { readOnly: true });
  });
  after(async () => {
    other.close();
    database.close();
    await folder[Symbol.asyncDispose]();
  });

  /** Groups that say which statements ran. */
  function recorded({ failAt }: { failAt?: string } = {}) {
    const ran: string[] = [];
    const groups = createWriteGroups({
      run(query: CompiledQuery) {
        ran.push(query.sql);
        if (query.sql === failAt) throw new Error('the disk is full');
        database.exec(query.sql);
      },
    });
    return { groups, ran, commits: () => ran.filter((text) => text === 'commit').length };
  }

  const write = (text: string): void => void database.prepare('insert into notes values (?)').run(text);
  const seen = (text: string): boolean =>
    other.prepare('select 1 from notes where text = ?').get(text) !== undefined;

  it('commit waiting transactions together, and resolve each only after the commit', async () => {
    const { groups, commits } = recorded();
    const texts = Array.from({ length: 10 }, (_, n) => `together ${n}`);
    await Promise.all(
      texts.map(async (text) => {
        const transaction = await groups.begin();
        write(text);
        await transaction.commit();
        assert.ok(seen(text));
      }),
    );
    assert.equal(commits(), 1);
  });

  it('commit a single transaction at once', async () => {
    const { groups, commits } = recorded();
    for (const text of ['one', 'two']) {
      const transaction = await groups.begin();
      write(text);
      await transaction.commit();
      assert.ok(seen(text));
    }
    assert.equal(commits(), 2);
  });

  it('isolate a failure: the others of the group succeed', async () => {
    const { groups, commits } = recorded();
    const run = async (text: string, fails: boolean) => {
      const transaction = await groups.begin();
      write(text);
      await (fails ? transaction.rollback() : transaction.commit());
    };
    await Promise.all([run('kept 1', false), run('undone', true), run('kept 2', false)]);
    assert.deepEqual(['kept 1', 'undone', 'kept 2'].map(seen), [true, false, true]);
    assert.equal(commits(), 1);
  });

  it('are limited in size', async () => {
    const { groups, commits } = recorded();
    await Promise.all(
      Array.from({ length: 100 }, async () => {
        const transaction = await groups.begin();
        await transaction.commit();
      }),
    );
    assert.equal(commits(), 4);
  });

  it('end before a single write, which is visible at once and never rolled back with others', async () => {
    const { groups } = recorded();
    const first = (async () => {
      const transaction = await groups.begin();
      write('before');
      await transaction.commit();
    })();
    const alone = groups.alone(() => {
      assert.ok(seen('before'));
      write('alone');
      assert.ok(seen('alone'));
    });
    await Promise.all([first, alone]);
  });

  it('fail as a whole when the commit fails, and the next one works', async () => {
    const { groups } = recorded({ failAt: 'commit' });
    const run = async (text: string) => {
      const transaction = await groups.begin();
      write(text);
      await transaction.commit();
    };
    const results = await Promise.allSettled([run('lost 1'), run('lost 2')]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(seen('lost 1'), false);
    const next = recorded().groups;
    const transaction = await next.begin();
    write('found');
    await transaction.commit();
    assert.ok(seen('found'));
  });

  it('reject parts that have ended when a later part breaks the group', async () => {
    const { groups } = recorded();
    const first = (async () => {
      const transaction = await groups.begin();
      write('taken along');
      await transaction.commit();
    })();
    const second = (async () => {
      const transaction = await groups.begin();
      // As SQLite itself does when the disk is full.
      database.exec('rollback');
      await transaction.commit();
    })();
    assert.deepEqual(
      (await Promise.allSettled([first, second])).map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(seen('taken along'), false);
    const transaction = await groups.begin();
    write('afterwards');
    await transaction.commit();
    assert.ok(seen('afterwards'));
  });

  it('run synchronous work in one commit, and resolve each only after the commit', async () => {
    const { groups, ran } = recorded();
    const texts = Array.from({ length: 10 }, (_, n) => `at once ${n}`);
    const told = await Promise.all(
      texts.map(async (text) => {
        const answer = await groups.together(() => {
          write(text);
          return `told ${text}`;
        });
        assert.ok(seen(text));
        return answer;
      }),
    );
    assert.deepEqual(
      told,
      texts.map((text) => `told ${text}`),
    );
    assert.deepEqual(ran, ['begin immediate', 'commit']);
  });

  it('roll back only the work of a commit that throws', async () => {
    const { groups } = recorded();
    const run = async (text: string, fails: boolean) =>
      await groups.together(() => {
        write(text);
        if (fails) throw new Error('refused');
        return text;
      });
    const results = await Promise.allSettled([
      run('stays 1', false),
      run('goes', true),
      run('stays 2', false),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(['stays 1', 'goes', 'stays 2'].map(seen), [true, false, true]);
    const count = other.prepare("select count(*) as n from notes where text like 'stays%'").get();
    assert.deepEqual({ ...count }, { n: 2 });
  });

  it('fail all work of a commit that fails', async () => {
    const { groups } = recorded({ failAt: 'commit' });
    const run = async (text: string) => await groups.together(() => write(text));
    const results = await Promise.allSettled([run('lost 3'), run('lost 4')]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.deepEqual(['lost 3', 'lost 4'].map(seen), [false, false]);
  });

  it('let such work wait for an open transaction and stay out of it', async () => {
    const { groups } = recorded();
    const transaction = await groups.begin();
    write('undone later');
    const work = groups.together(() => write('on its own'));
    await transaction.rollback();
    await work;
    assert.deepEqual(['undone later', 'on its own'].map(seen), [false, true]);
  });

  it('let nobody write while they are held', async () => {
    const { groups } = recorded();
    const held = Promise.withResolvers<void>();
    const holding = groups.hold(async () => await held.promise);
    const works = [groups.together(() => write('held back 1')), groups.alone(() => write('held back 2'))];
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(['held back 1', 'held back 2'].map(seen), [false, false]);
    held.resolve();
    await Promise.all([holding, ...works]);
    assert.deepEqual(['held back 1', 'held back 2'].map(seen), [true, true]);
  });
});
