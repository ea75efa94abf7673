import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';

import { aPack, aPublisher, aVersion } from '../../../../test/support/a-pack.ts';
import { onEachDatabase } from '../../../../test/support/on-each-database.ts';
import { updateVersion } from '../../../registry/versions/versions.repo.ts';
import { migrate } from '../migrate.ts';
import { MIGRATIONS } from './index.ts';

onEachDatabase('a registry of before', (db) => {
  it('adds who created a publisher, the findings, and which versions were deleted with their pack', async () => {
    const [made, unknown] = [await aPublisher(db()), await aPublisher(db())];
    const pack = await aPack(db());
    const flagged = await aVersion(db(), pack, '1.0.0', 'flagged');
    const report = '{"findings":[{"rule":"process-start"}]}';
    await updateVersion(db(), flagged, { status_reason: report });
    const active = await aVersion(db(), pack, '1.1.0');
    const refused = await aVersion(db(), pack, '1.2.0', 'deleted', 7);
    await updateVersion(db(), refused, { extract_status: 'failed' });
    const gone = await aPack(db());
    const old = [await aVersion(db(), gone, '1.0.0'), await aVersion(db(), gone, '1.1.0', 'pending')];
    const banned = await aVersion(db(), gone, '1.2.0', 'banned');

    await sql`drop index inner_nodes_by_name_key`.execute(db());
    await sql`alter table inner_nodes drop column name_key`.execute(db());
    await sql`alter table pack_versions drop column report`.execute(db());
    await sql`alter table pack_versions drop column refused_at`.execute(db());
    await sql`alter table publishers drop column created_by`.execute(db());
    await sql`delete from migrations where name >= '0004'`.execute(db());
    await sql`update packs set status = 'deleted' where id = ${gone}`.execute(db());
    await sql`insert into audit_entries (at, actor, action, subject, details)
      values (1, 'user:somebody', 'publisher.create', ${`publisher:${made}`}, '{}')`.execute(db());
    await sql`insert into inner_nodes (version_id, name, deprecated, experimental)
      values (${active}, 'ÉchoSampler', 0, 0)`.execute(db());

    // Those that came later touch nothing of the registry.
    const upToThis = Object.entries(MIGRATIONS).filter(([name]) => name <= '0004-registry-reviews');
    await migrate(db(), Object.fromEntries(upToThis));
    const publishers = await db().selectFrom('publishers').select(['id', 'created_by']).execute();
    const makerOf = new Map(publishers.map((row) => [row.id, row.created_by]));
    assert.deepEqual([makerOf.get(made), makerOf.get(unknown)], ['somebody', null]);
    const versions = await db().selectFrom('pack_versions').select(['id', 'status', 'report']).execute();
    const versionOf = new Map(versions.map(({ id, status, report: found }) => [id, [status, found]]));
    assert.deepEqual(versionOf.get(flagged), ['flagged', report]);
    assert.deepEqual(versionOf.get(active), ['active', null]);
    const refusals = await db().selectFrom('pack_versions').select(['id', 'refused_at']).execute();
    assert.deepEqual(
      refusals.filter((row) => row.refused_at !== null),
      [{ id: refused, refused_at: 7 }],
    );
    for (const id of old) assert.deepEqual(versionOf.get(id), ['deleted', null]);
    assert.deepEqual(versionOf.get(banned), ['banned', null]);
    const names = await db().selectFrom('inner_nodes').select('name_key').execute();
    assert.deepEqual(names, [{ name_key: 'échosampler' }]);
  });
});
