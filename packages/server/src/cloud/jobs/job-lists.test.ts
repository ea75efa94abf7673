import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';

import { aUser } from '../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { tagHash } from '../filter-hashes.ts';
import { forgetOldJobs } from '../old-jobs.ts';
import { aQueue } from '../queue/test/a-queue.ts';
import { AN_END } from '../queue/test/an-end.ts';
import { pairText } from '../submit/job-metadata.ts';
import { countJobs, type JobFilter, listJobs, listSeqs, type Page } from './job-list.repo.ts';
import { ENDED, OPEN } from './job-states.ts';
import { hideJobs } from './jobs.repo.ts';
import { aJob, manyJobs } from './test/a-job.ts';

const ALL = [...OPEN, ...ENDED];
const FIRST = { order: 'desc', limit: 100, offset: 0 } as const;

onEachDatabase('lists of jobs', (db) => {
  const newUser = async () => (await aUser(db())).id;
  const arrivals = async (filter: JobFilter, page: Partial<Page> = {}) =>
    await listSeqs(db(), filter, { ...FIRST, ...page });

  it('are in order of arrival across states, from any position, in both directions', async () => {
    const userId = await newUser();
    const states = ['completed', 'failed', 'pending', 'completed', 'cancelled', 'in_progress'] as const;
    const seqs: number[] = [];
    for (const status of states) seqs.push((await aJob(db(), { user_id: userId, status })).seq);
    await aJob(db(), { user_id: await newUser() });
    const all = { userId, statuses: ALL };
    assert.deepEqual(await arrivals(all), seqs.toReversed());
    assert.deepEqual(await arrivals(all, { limit: 0 }), []);
    assert.deepEqual(await arrivals(all, { order: 'asc', limit: 2, offset: 1 }), seqs.slice(1, 3));
    assert.deepEqual(await arrivals(all, { order: 'asc', after: seqs[3] }), seqs.slice(4));
    assert.deepEqual(await arrivals(all, { after: seqs[3], limit: 2 }), [seqs[2], seqs[1]]);
    assert.deepEqual(await arrivals({ userId, statuses: ['failed', 'pending'] }), [seqs[2], seqs[1]]);
    assert.deepEqual(await listSeqs(db(), { userId, statuses: ENDED }, { ...FIRST, limit: 3 }), [
      seqs[4],
      seqs[3],
      seqs[1],
    ]);
  });

  it('leave out jobs that do not match or are hidden', async () => {
    const userId = await newUser();
    const video = await aJob(db(), { user_id: userId, output_types: ' image video ', workflow_id: 'w' });
    const image = await aJob(db(), { user_id: userId, output_types: ' image ' });
    const hidden = await aJob(db(), { user_id: userId, output_types: ' image ', hidden: 1 });
    const statuses = ['completed'] as const;
    assert.deepEqual(await arrivals({ userId, statuses, outputType: 'video' }), [video.seq]);
    assert.deepEqual(await arrivals({ userId, statuses, outputType: 'image' }), [image.seq, video.seq]);
    assert.deepEqual(await arrivals({ userId, statuses, workflowId: 'w' }), [video.seq]);
    assert.deepEqual(await arrivals({ userId, statuses, workflowId: 'W' }), []);
    assert.equal((await arrivals({ userId, statuses })).includes(hidden.seq), false);
  });

  it('are found by the exact text of a tag or a pair', async () => {
    const userId = await newUser();
    const statuses = ALL;
    const seqs: number[] = [];
    for (const tags of ['a_b', 'axb', 'A_B', '50%', '500', String.raw`a\b`, 'a_b,c', 'a_b c', 'Straße,夜']) {
      const metadata = JSON.stringify(Object.fromEntries(tags.split(',').map((tag, n) => [`key ${n}`, tag])));
      seqs.push((await aJob(db(), { user_id: userId, tags: `,${tags},`, metadata })).seq);
    }
    for (const [tag, found] of [
      ['a_b', [6, 0]],
      ['A_B', [2]],
      ['50%', [3]],
      [String.raw`a\b`, [5]],
      ['a_b c', [7]],
      ['Straße', [8]],
      ['Strasse', []],
      ['%', []],
    ] as const) {
      const expected = found.map((index) => seqs[index]);
      const metadata = [pairText('key 0', tag)];
      assert.deepEqual(await arrivals({ userId, statuses, tags: [tag] }), expected, tag);
      assert.deepEqual(await arrivals({ userId, statuses, metadata }), expected, tag);
      assert.deepEqual(await arrivals({ userId, statuses, tags: [tag], metadata }), expected, tag);
      assert.deepEqual(await arrivals({ userId, statuses, metadata: [pairText('key 9', tag)] }), []);
      // As a tag, the text of a pair is none.
      assert.deepEqual(await arrivals({ userId, statuses, tags: metadata }), []);
    }
    const both = [pairText('key 0', 'a_b'), pairText('key 1', 'c')];
    assert.deepEqual(await arrivals({ userId, statuses, tags: ['c', 'a_b'] }), [seqs[6]]);
    assert.deepEqual(await arrivals({ userId, statuses, metadata: both }), [seqs[6]]);
    assert.deepEqual(await arrivals({ userId, statuses, tags: ['夜'], metadata: both }), []);
  });

  it('are found by any of many tags, whatever bytes the hash has', async () => {
    const userId = await newUser();
    const tags = Array.from({ length: 60 }, (_each, n) => `tag ${n}`);
    assert.ok(['%', '_', '\\'].every((special) => tags.some((tag) => tagHash(tag).includes(special))));
    for (const tag of tags) {
      const { seq } = await aJob(db(), { user_id: userId, tags: `,${tag},` });
      assert.deepEqual(await arrivals({ userId, statuses: ENDED, tags: [tag] }), [seq], tag);
    }
  });

  it('are sorted by duration, ties by arrival', async () => {
    const userId = await newUser();
    const seqs: number[] = [];
    for (const ms of [50, 10, 0, 50, 9000]) {
      seqs.push((await aJob(db(), { user_id: userId, execution_ms: ms })).seq);
    }
    const byDuration = async (page: object) =>
      await arrivals({ userId, statuses: ALL }, { sortBy: 'duration', ...page });
    const longest = [4, 3, 0, 1, 2].map((index) => seqs[index]);
    assert.deepEqual(await byDuration({}), longest);
    assert.deepEqual(await byDuration({ order: 'asc' }), longest.toReversed());
    assert.deepEqual(await byDuration({ limit: 2, offset: 1 }), longest.slice(1, 3));
  });

  it('[CLD-30] have the same pages and counts, from whichever end they are read', async () => {
    const userId = await newUser();
    const all = await manyJobs(db(), userId, 700);
    const filters: readonly Omit<JobFilter, 'userId'>[] = [
      { statuses: ALL },
      { statuses: ENDED },
      { statuses: ['failed', 'pending'] },
      { statuses: ['pending', 'in_progress'] },
      { statuses: ALL, workflowId: 'rare' },
      { statuses: ['completed'], outputType: 'video' },
      { statuses: ['completed'], outputType: 'audio' },
      { statuses: ALL, tags: ['night'] },
      { statuses: ALL, tags: ['night', 'day'], from: 1000, before: 1001 },
      { statuses: ALL, workflowName: 'Day', metadata: ['"a":"b"'] },
      { statuses: [] },
    ];
    for (const filter of filters) {
      const matching = all.filter((job) => matches(job, filter));
      const { open, ended } = await countJobs(db(), { userId, ...filter });
      assert.equal(open + ended, matching.length);
      for (const sortBy of ['arrival', 'duration'] as const) {
        for (const order of ['asc', 'desc'] as const) {
          const expected = matching.toSorted(naiveOrder(sortBy, order)).map(({ seq }) => seq);
          for (const offset of [0, 1, 330, 610, 5000]) {
            const page = { sortBy, order, offset, limit: 70 };
            for (const known of [undefined, ended]) {
              const seqs = await listSeqs(db(), { userId, ...filter }, page, known);
              assert.deepEqual(
                seqs,
                expected.slice(offset, offset + 70),
                JSON.stringify({ ...filter, ...page, known }),
              );
            }
            const { total } = await listJobs(db(), { userId, ...filter }, page);
            assert.equal(total, matching.length);
          }
          assert.deepEqual(
            await listSeqs(db(), { userId, ...filter }, { sortBy, order, offset: 3, limit: 9999 }),
            expected.slice(3),
          );
        }
      }
      const after = all[500]?.seq ?? 0;
      const behind = matching.filter(({ seq }) => seq < after).map(({ seq }) => seq);
      assert.deepEqual(await arrivals({ userId, ...filter }, { after }), behind.toReversed().slice(0, 100));
    }
  });

  it('have a total that counts new jobs and leaves hidden ones out', async () => {
    const userId = await newUser();
    const totalOf = async (statuses: JobFilter['statuses'] = ALL) => {
      const { open, ended } = await countJobs(db(), { userId, statuses });
      return open + ended;
    };
    assert.equal(await totalOf(), 0);
    const first = await aJob(db(), { user_id: userId });
    const open = await aJob(db(), { user_id: userId, status: 'pending' });
    await aJob(db(), { user_id: userId, status: 'failed' });
    assert.equal(await totalOf(), 3);
    assert.equal(await totalOf(['completed', 'pending']), 2);
    const ended = { status: 'completed', ended_at: 2000, execution_ms: 5 } as const;
    await db().updateTable('jobs').set(ended).where('id', '=', open.id).execute();
    assert.equal(await totalOf(['completed']), 2);
    assert.equal(await totalOf(['pending']), 0);
    await hideJobs(db(), userId, { ids: [first.id] });
    assert.equal(await totalOf(), 2);
    const videos = await countJobs(db(), { userId, statuses: ALL, outputType: 'video' });
    assert.deepEqual(videos, { open: 0, ended: 0 });
  });

  it('[CLD-30] have the right page and total after every change, however often they are read', async () => {
    const test = await aQueue(db());
    const userId = await newUser();
    const read = async (filter: Omit<JobFilter, 'userId' | 'statuses'> = {}) => {
      const list = async (limit: number) =>
        await listJobs(db(), { userId, statuses: ALL, ...filter }, { ...FIRST, limit });
      const { total } = await list(1);
      const again = await list(100);
      assert.deepEqual({ ...again, total: again.seqs.length }, again);
      return [total, again.total];
    };
    const finish = async (id: string) => {
      await test.add(userId, { id, tags: ['night'] });
      const job = await test.start();
      assert.deepEqual(await read(), [1, 1]);
      await test.queue.finish(job, AN_END);
    };
    assert.deepEqual(await read(), [0, 0]);
    assert.deepEqual(await read({ tags: ['night'] }), [0, 0]);
    const [first, second] = [randomUUID(), randomUUID()];
    await finish(first);
    assert.deepEqual(await read(), [1, 1]);
    assert.deepEqual(await read({ tags: ['night'] }), [1, 1]);
    assert.deepEqual(await read({ tags: ['day'] }), [0, 0]);
    await hideJobs(db(), userId, { ids: [first] });
    assert.deepEqual(await read(), [0, 0]);
    await test.add(userId, { id: second });
    assert.deepEqual(await read(), [1, 1]);
    await test.queue.cancel(userId, [second], () => AN_END);
    assert.deepEqual(await read(), [1, 1]);
    test.now += 10_000;
    await forgetOldJobs({ db: db(), now: test.now, keptMs: 1000 });
    assert.deepEqual(await read(), [0, 0]);
  });

  it('lose only jobs that have ended, and only those of the user who hides them', async () => {
    const [userId, other] = [await newUser(), await newUser()];
    const open = await aJob(db(), { user_id: userId, status: 'in_progress' });
    const ended = await aJob(db(), { user_id: userId });
    const foreign = await aJob(db(), { user_id: other });
    await hideJobs(db(), userId, { ids: [open.id, ended.id, foreign.id] });
    assert.deepEqual(await arrivals({ userId, statuses: ALL }), [open.seq]);
    assert.deepEqual(await arrivals({ userId: other, statuses: ALL }), [foreign.seq]);
  });
});

type ManyJob = Awaited<ReturnType<typeof manyJobs>>[number];

function matches(job: ManyJob, filter: Omit<JobFilter, 'userId'>): boolean {
  const { statuses, workflowId, outputType, workflowName, tags = [], metadata = [], from, before } = filter;
  if (job.hidden === 1 || !statuses.includes(job.status)) return false;
  if (workflowName !== undefined && job.workflow_name !== workflowName) return false;
  if (!tags.every((tag) => job.tags.split(',').includes(tag))) return false;
  if (!metadata.every((pair) => job.metadata.includes(pair))) return false;
  if (job.created_at < (from ?? 0) || job.created_at >= (before ?? Number.POSITIVE_INFINITY)) return false;
  if (workflowId !== undefined && job.workflow_id !== workflowId) return false;
  return outputType === undefined || job.output_types.includes(` ${outputType} `);
}

function naiveOrder(sortBy: 'arrival' | 'duration', order: 'asc' | 'desc') {
  const sign = order === 'asc' ? 1 : -1;
  return (left: ManyJob, right: ManyJob): number => {
    const longer = sortBy === 'duration' ? (left.execution_ms ?? 0) - (right.execution_ms ?? 0) : 0;
    return sign * (longer || left.seq - right.seq);
  };
}
