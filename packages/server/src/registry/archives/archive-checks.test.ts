import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { createInspector } from '@atelier/inspection';
import { type TemporaryFolder, temporaryFolder } from '@atelier/testing';

import { makePack } from '../../../../inspection/src/test/make-pack.ts';
import { aPack, aVersion } from '../../../test/support/a-pack.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { createAudit } from '../../platform/audit/audit.service.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { createLocalFileStore } from '../../platform/files/local-file-store.ts';
import { createChangePack } from '../packs/change-pack.ts';
import { attachArchive, findVersionById, insertVersion } from '../versions/versions.repo.ts';
import { createArchiveChecks } from './archive-checks.ts';

const ANNOUNCED = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

onEachDatabase('a version that waits for its archive', (db) => {
  let folder: TemporaryFolder;
  let files: FileStore;
  before(async () => {
    folder = await temporaryFolder();
    const noLinks = { sign: () => assert.fail('nobody asks for a link') };
    files = await createLocalFileStore({ folder: join(folder.path, 'files'), signer: noLinks });
  });
  after(async () => await folder[Symbol.asyncDispose]());

  const announce = async () => await aVersion(db(), await aPack(db()), '1.0.0', 'pending', ANNOUNCED);
  const statusOf = async (id: string) => (await findVersionById(db(), id))?.status;

  /** Runs the sweep of a server at a given time, and waits for its end. */
  const sweepAt = async (now: number, limits: { findings?: number } = {}) => {
    const clock = () => now;
    const errors: unknown[] = [];
    const checks = createArchiveChecks({
      db: db(),
      clock,
      files,
      inspector: createInspector({ threads: 1, limits }),
      concurrency: 1,
      audit: createAudit({ db: db(), clock }),
      changePack: createChangePack({ db: db(), clock, catalogueChanged: () => {} }),
      onError: (error) => errors.push(error),
    });
    await checks.sweep();
    await checks.close();
    assert.deepEqual(errors, []);
  };
  const uploadAt = async (id: string, now: number, sources: Readonly<Record<string, string>>) => {
    const archive = await makePack(sources);
    const { hash, size } = await files.put(Readable.from([archive]), { maxBytes: archive.length });
    assert.equal(await attachArchive(db(), id, { file_hash: hash, file_size: size, updated_at: now }), true);
  };

  test('[REG-71] waits for an hour, and is deleted a moment later with a sentence that says why', async () => {
    const id = await announce();
    for (const waited of [0, 15 * MINUTE_MS, HOUR_MS]) {
      await sweepAt(ANNOUNCED + waited);
      assert.equal(await statusOf(id), 'pending', String(waited));
    }
    const late = ANNOUNCED + HOUR_MS + 1;
    await sweepAt(late);
    const row = await findVersionById(db(), id);
    assert.equal(row?.status, 'deleted');
    assert.equal(row.extract_status, 'failed');
    assert.equal(row.updated_at, late);
    assert.match(row.status_reason ?? '', /not uploaded within an hour/);
  });

  test('[REG-71] keeps its number after it was deleted, and takes no archive any more', async () => {
    const id = await announce();
    await sweepAt(ANNOUNCED + 2 * HOUR_MS);
    const row = await findVersionById(db(), id);
    assert.ok(row);
    assert.equal(await insertVersion(db(), { ...row, id: `${id}-again`, status: 'pending' }), false);
    const archive = { file_hash: 'abc', file_size: 3, updated_at: ANNOUNCED + 2 * HOUR_MS };
    assert.equal(await attachArchive(db(), id, archive), false);
    assert.equal(await statusOf(id), 'deleted');
  });

  test('[REG-71] [REG-70] is checked when the archive came in time, however late that is', async () => {
    const id = await announce();
    await uploadAt(id, ANNOUNCED + HOUR_MS - 1, { '__init__.py': 'NODE_CLASS_MAPPINGS = {}\n' });
    await sweepAt(ANNOUNCED + 24 * HOUR_MS);
    assert.equal(await statusOf(id), 'active');
  });

  test('[REG-71] concerns nobody else when its hour is over', async () => {
    const packId = await aPack(db());
    const old = await aVersion(db(), packId, '1.0.0', 'active', ANNOUNCED);
    const late = await aVersion(db(), packId, '1.1.0', 'pending', ANNOUNCED);
    const young = await aVersion(db(), packId, '1.2.0', 'pending', ANNOUNCED + HOUR_MS);
    await sweepAt(ANNOUNCED + HOUR_MS + 1);
    assert.deepEqual(
      [await statusOf(old), await statusOf(late), await statusOf(young)],
      ['active', 'deleted', 'pending'],
    );
  });

  test('[REG-65] has a report that tells when its list of findings is cut, and what was noted', async () => {
    const id = await announce();
    const sources = { 'a.py': 'exec(x)\n'.repeat(7), 'b.py': 'def (:\n' };
    await uploadAt(id, ANNOUNCED, sources);
    await sweepAt(ANNOUNCED, { findings: 3 });
    const report = JSON.parse((await findVersionById(db(), id))?.status_reason ?? '');
    assert.deepEqual(Object.keys(report), ['total', 'findings', 'notes']);
    assert.equal(report.total, 7);
    assert.equal(report.findings.length, 3);
    assert.match(report.notes.join(), /b\.py/);
  });
});
