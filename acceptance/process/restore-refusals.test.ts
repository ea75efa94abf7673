import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  createPostgresDatabase,
  runOn,
  startServer,
  type TemporaryFolder,
  temporaryFolder,
} from '@atelier/testing';
import { newSubmitter } from '../support/cloud.ts';
import { inUse, runAdmin } from '../support/run-admin.ts';
import { makePicture } from '../support/whole-installation.ts';

interface Written {
  manifest: Record<string, unknown> & { migrations: { name: string; checksum: string }[] };
  sha256: string;
}

describe('a restore', { concurrency: 2 }, () => {
  let folder: TemporaryFolder;
  const at = (...names: string[]) => join(folder.path, ...names);
  before(async () => {
    folder = await temporaryFolder();
    await using server = await startServer();
    const { key } = await newSubmitter(server);
    await makePicture(server, key);
    const { code, text } = await runAdmin({ ATELIER_DATA_DIR: server.dataFolder }, [
      'backup',
      '--to',
      at('good'),
    ]);
    assert.equal(code, 0, text);
    const running = await runAdmin({ ATELIER_DATA_DIR: server.dataFolder }, [
      'restore',
      '--from',
      at('good'),
    ]);
    assert.deepEqual([running.code, running.text], [1, inUse(server.dataFolder)]);
  });
  after(async () => await folder[Symbol.asyncDispose]());

  /** The same backup, spoiled, is refused in one sentence, and nothing is made. */
  const refuses = async (name: string, spoil: (backup: string) => Promise<unknown>, sentence: RegExp) => {
    const backup = at(name);
    await cp(at('good'), backup, { recursive: true });
    await spoil(backup);
    const target = at(`${name}-data`);
    const { code, text } = await runAdmin({ ATELIER_DATA_DIR: target }, ['restore', '--from', backup]);
    assert.match(text, sentence);
    assert.match(text, /^[^\n]+Nothing was changed\.\n$/, 'one line');
    assert.equal(code, 1);
    assert.equal(existsSync(target), false);
  };
  const oneOf = async (backup: string, pattern: RegExp): Promise<string> => {
    const names = await readdir(backup, { recursive: true });
    return join(backup, names.find((name) => pattern.test(name)) ?? assert.fail(String(pattern)));
  };
  const flip = async (path: string, index: number) => {
    const bytes = await readFile(path);
    bytes[index] = (bytes[index] ?? 0) ^ 1;
    await writeFile(path, bytes, { mode: 0o600 });
  };
  /** As a program that knows more would write it. */
  const rewrite = async (backup: string, change: (manifest: Written['manifest']) => void) => {
    const path = join(backup, 'manifest.json');
    const { manifest } = JSON.parse(await readFile(path, 'utf8')) as Written;
    change(manifest);
    await writeFile(path, JSON.stringify({ manifest, sha256: hash('sha256', JSON.stringify(manifest)) }));
  };

  test('[ADM-32] from a backup with a changed byte is refused', async () => {
    const picture = /files.outputs.+[0-9a-f]{64}$/;
    await refuses(
      'rows',
      async (backup) => await flip(await oneOf(backup, /users\.jsonl\.gz$/), 40),
      /damaged: database-\S+\/users\.jsonl\.gz is damaged\./,
    );
    await refuses(
      'file',
      async (backup) => await flip(await oneOf(backup, picture), 20),
      /damaged: files\/outputs\/\S+ is damaged\./,
    );
    await refuses(
      'manifest',
      async (backup) => await flip(join(backup, 'manifest.json'), 200),
      /manifest\.json is damaged/,
    );
  });

  test('[ADM-32] from a backup that lacks something is refused', async () => {
    const picture = /files.outputs.+[0-9a-f]{64}$/;
    await refuses(
      'cut',
      async (backup) => await truncate(await oneOf(backup, /jobs\.jsonl\.gz$/), 30),
      /jobs\.jsonl\.gz is damaged/,
    );
    await refuses(
      'no-file',
      async (backup) => await rm(await oneOf(backup, picture)),
      /files\/outputs\/\S+ is missing\./,
    );
    await refuses(
      'no-manifest',
      async (backup) => await rm(join(backup, 'manifest.json')),
      /is not a complete backup of Atelier/,
    );
    await refuses(
      'no-table',
      async (backup) => await rewrite(backup, (manifest) => Object.assign(manifest, { tables: [] })),
      /does not have the tables of its version/,
    );
  });

  test('[ADM-32] from a newer or a foreign program is refused', async () => {
    await refuses(
      'newer',
      async (backup) =>
        await rewrite(
          backup,
          ({ migrations }) => void migrations.push({ name: '9999-future', checksum: 'x' }),
        ),
      /made by a newer Atelier \(it has migration 9999-future, .+\)/,
    );
    await refuses(
      'format',
      async (backup) => await rewrite(backup, (manifest) => Object.assign(manifest, { format: 2 })),
      /made by a newer Atelier/,
    );
    await refuses(
      'edition',
      async (backup) =>
        await rewrite(backup, ({ migrations }) => void Object.assign(migrations[3] ?? {}, { checksum: 'x' })),
      /does not fit this version of Atelier \(it was made with another edition of migration 0004/,
    );
    await refuses(
      'foreign',
      async (backup) => await writeFile(join(backup, 'manifest.json'), '{"version":1}'),
      /manifest\.json is damaged/,
    );
    const outward = { path: '../../etc/passwd', lines: 0, bytes: 0, sha256: '0'.repeat(64) };
    await refuses(
      'outward',
      async (backup) =>
        await rewrite(backup, (manifest) => Object.assign(manifest, { files: { list: outward, bytes: 0 } })),
      /is not of a backup of Atelier/,
    );
  });

  test('[ADM-32] onto an installation that is not empty is refused, and it stays as it is', async () => {
    const refusesOnto = async (settings: Record<string, string>, sentence: RegExp) => {
      const { code, text } = await runAdmin(settings, ['restore', '--from', at('good')]);
      assert.match(text, sentence);
      assert.equal(code, 1);
    };
    await mkdir(at('used', 'outputs', 'ab'), { recursive: true });
    await refusesOnto({ ATELIER_DATA_DIR: at('used') }, /used is not empty\. Nothing was changed\./);
    assert.equal(existsSync(at('used', 'atelier.sqlite')), false);
    await using ending = new AsyncDisposableStack();
    const database = await createPostgresDatabase();
    ending.defer(async () => await database.drop());
    await runOn(database.url, 'create table precious (name text)');
    const settings = { ATELIER_DATA_DIR: at('unused'), ATELIER_DATABASE_URL: database.url };
    await refusesOnto(settings, /^The database is not empty\. Nothing was changed\.\n$/);
    assert.equal(existsSync(at('unused')), false);
  });

  test('[ADM-32] beside another one into the same database is refused', async () => {
    await using ending = new AsyncDisposableStack();
    const database = await createPostgresDatabase();
    ending.defer(async () => await database.drop());
    const ends = await Promise.all(
      ['one', 'other'].map(async (name) => {
        const settings = { ATELIER_DATA_DIR: at(name), ATELIER_DATABASE_URL: database.url };
        return await runAdmin(settings, ['restore', '--from', at('good')]);
      }),
    );
    assert.deepEqual(ends.map(({ code }) => code).toSorted(), [0, 1]);
    // Which of the two depends on how far the first has come.
    const second = ends.find(({ code }) => code === 1);
    assert.match(
      second?.text ?? '',
      /^(Another command fills this database now|The database is not empty)\. Nothing was changed\.\n$/,
    );
  });

  test('[ADM-32] without a folder says how it is used', async () => {
    const { code, text } = await runAdmin({}, ['restore']);
    assert.equal(code, 2);
    assert.match(text, /^Usage: npm run admin -- restore --from FOLDER \[--check\]/);
  });
});
