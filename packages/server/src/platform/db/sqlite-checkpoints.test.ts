import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { type TemporaryFolder, temporaryFolder } from '@atelier/testing';

import { type Checkpoints, createCheckpoints } from './sqlite-checkpoints.ts';

const COPIED_PAGES = 200;

describe('checkpoints', () => {
  let folder: TemporaryFolder;
  let database: DatabaseSync;
  let checkpoints: Checkpoints;
  const holds: Promise<void>[] = [];
  before(async () => {
    folder = await temporaryFolder();
    const file = join(folder.path, 'journal.sqlite');
    database = new DatabaseSync(file);
    database.exec('pragma journal_mode = wal; pragma synchronous = off; pragma wal_autocheckpoint = 0');
    database.exec('create table notes (text text not null)');
    checkpoints = createCheckpoints({
      file,
      journalPages,
      copiedPages: COPIED_PAGES,
      async whileNobodyWrites(work) {
        const held = work();
        holds.push(held);
        await held;
      },
    });
  });
  after(async () => {
    await checkpoints.close();
    database.close();
    await folder[Symbol.asyncDispose]();
  });

  function journalPages(): number {
    return Number(database.prepare('pragma wal_checkpoint(noop)').get()?.['log']);
  }

  const write = async (): Promise<void> => {
    await holds.at(-1);
    database.prepare('insert into notes values (?)').run('a note');
    checkpoints.committed();
    await new Promise((resolve) => setImmediate(resolve));
  };

  it('keep the journal short under constant writes, and lose nothing', async () => {
    let written = 0;
    let starts = 0;
    let longest = 0;
    for (let last = 0; starts < 3; written += 1) {
      await write();
      const pages = journalPages();
      if (pages < last) starts += 1;
      last = pages;
      longest = Math.max(longest, pages);
    }
    assert.ok(longest >= COPIED_PAGES);
    assert.deepEqual({ ...database.prepare('select count(*) as n from notes').get() }, { n: written });
  });

  it('copy the rest while nobody writes when writers were faster', async () => {
    const atFirst = holds.length;
    // Who reads an old state keeps the journal from being copied to its end.
    const old = new DatabaseSync(database.location() ?? '', { readOnly: true });
    old.exec('begin');
    old.prepare('select count(*) from notes').get();
    while (holds.length === atFirst) await write();
    await holds.at(-1);
    old.exec('rollback');
    old.close();
  });
});
