import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import {
  type Artist,
  createImage,
  createVideo,
  IMAGE_CREATES,
  NOT_RENDERING,
  newArtist,
  RELIGHT,
  type TaskPage,
  tasksOf,
  told,
} from '../support/generation.ts';
import { onEachEngine } from '../support/servers.ts';
import { faceText } from '../support/test-pictures.ts';

const prompt = 'a fox in the snow';

onEachEngine(
  'lists of tasks',
  (server) => {
    let artist: Artist;
    let image: string;
    before(async () => {
      artist = await newArtist(server.current, 1_000_000);
      image = await faceText();
    });

    test('[PRX-74] the list has the caller’s own tasks, newest first, in pages and by vendor and state', async () => {
      const { api } = await newArtist(server.current);
      const ids: string[] = [];
      for (const path of IMAGE_CREATES) ids.unshift((await createImage(api, path, { image })).task_id);
      for (const off_peak of [true, false]) {
        ids.unshift((await createVideo(api, { model: 'clipq3-pro', prompt, off_peak })).task_id);
      }
      const { tasks, ...rest } = await tasksOf(api);
      assert.deepEqual(rest, {});
      assert.deepEqual(
        tasks.map(({ id }) => id),
        ids,
      );
      assert.deepEqual(
        tasks.map(({ vendor, kind, state, credits, progress }) => [vendor, kind, state, credits, progress]),
        [
          ['videovendor', 'video', 'created', 100, 0],
          ['videovendor', 'video', 'created', 50, 0],
          ['imagevendor', 'relight', 'CREATED', 4, 0],
          ['imagevendor', 'skin-flexible', 'CREATED', 3, 0],
          ['imagevendor', 'skin-creative', 'CREATED', 3, 0],
          ['imagevendor', 'skin-faithful', 'CREATED', 3, 0],
        ],
      );
      for (const task of tasks) {
        assert.ok(!('ended_at' in task) && !('error' in task));
        assert.ok(Date.parse(task.created_at) <= Date.parse(task.updated_at));
      }
      const list = async (query: string) => (await tasksOf(api, query)).tasks.map(({ id }) => id);
      assert.deepEqual(await list('vendor=videovendor'), ids.slice(0, 2));
      assert.deepEqual(await list('vendor=imagevendor&limit=2'), ids.slice(2, 4));
      assert.deepEqual(await list('vendor=imagevendor&state=CREATED'), ids.slice(2));
      assert.deepEqual(await list('state=success'), []);
      const paged: string[] = [];
      for (let query: string | undefined = 'limit=4'; query !== undefined; ) {
        const page: TaskPage = await tasksOf(api, query);
        paged.push(...page.tasks.map(({ id }) => id));
        query = page.next_cursor && `limit=4&after=${encodeURIComponent(page.next_cursor)}`;
      }
      assert.deepEqual(paged, ids);
    });

    test('[PRX-74] [PRX-3] an invalid query of the list gets 400 and says what is wrong', async () => {
      for (const [query, field] of [
        ['limit=0', 'limit'],
        ['limit=101', 'limit'],
        ['limit=1.5', 'limit'],
        ['limit=x', 'limit'],
        ['limit=1&limit=2', 'limit'],
        ['vendor=freepik', 'vendor'],
        ['vendor=', 'vendor'],
        ['state=done', 'state'],
        ['state=Created', 'state'],
        ['after=x', ''],
        ['after=', ''],
        [`after=${'A'.repeat(8193)}`, 'after'],
        ['after=%00', ''],
      ] as const) {
        const answer = await artist.api.get(`/proxy/tasks?${query}`);
        assert.equal(answer.status, 400, query);
        assertShape(answer.body, 'error');
        assert.match(told(answer), new RegExp(field), query);
      }
      for (let count = 0; count < 101; count += 1) await createImage(artist.api, RELIGHT, { image });
      assert.equal((await tasksOf(artist.api)).tasks.length, 20);
      assert.equal((await tasksOf(artist.api, 'limit=100&unknown=1')).tasks.length, 100);
    });
  },
  { environment: NOT_RENDERING },
);
