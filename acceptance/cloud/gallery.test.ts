import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';

import { client } from '../support/http-client.ts';
import { newClient, patience, rejection } from '../support/sdk.ts';
import { onEachEngine } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { pictureWorkflow, videoWorkflow } from '../support/workflows.ts';

const text = (content: string, name: string) => new File([content], name);

onEachEngine('the gallery', (server) => {
  test('[AST-23] assets are listed by kind, with the size of each picture', async () => {
    const { jobs, assets } = await newClient(server.current);
    const { id: jobId } = await jobs.run(pictureWorkflow({ width: 40, height: 24 }), { signal: patience() });
    await assets.upload(text('words', 'words.txt'));
    const pictures = await assets.list({ kind: 'picture' }).toArray();
    assert.deepEqual(
      pictures.map((asset) => [asset.job_id, asset.mime_type]),
      [[jobId, 'image/png']],
    );
    // It is measured when it is first listed.
    const sized = await until('the size', async () =>
      (await assets.list({ kind: 'picture' }).toArray()).find(({ width }) => width !== undefined),
    );
    assert.deepEqual([sized.width, sized.height], [40, 24]);
    const others = await assets.list({ kind: 'other' }).toArray();
    assert.deepEqual(
      others.map(({ name, width }) => [name, width]),
      [['words.txt', undefined]],
    );
    assert.deepEqual(await assets.list({ kind: 'video' }).toArray(), []);
    assert.equal((await assets.list({ kind: 'picture', tagsAll: ['input'] }).toArray()).length, 0);
  });

  test('[AST-24] a preview is a WebP that browsers may keep; other files have none', async () => {
    const { jobs, assets, key } = await newClient(server.current);
    const other = await newClient(server.current);
    await jobs.run(pictureWorkflow({ width: 600, height: 300 }), { signal: patience() });
    const [picture] = await assets.list().toArray();
    assert.ok(picture?.thumbnail_url);
    const answer = await fetch(assets.previewUrl(picture.id, 256), {
      headers: { authorization: `Bearer ${key}` },
    });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'image/webp');
    assert.equal(answer.headers.get('cache-control'), 'private, max-age=31536000, immutable');
    const bytes = new Uint8Array(await answer.arrayBuffer());
    assert.equal(new TextDecoder('latin1').decode(bytes.subarray(8, 12)), 'WEBP');

    const api = client(server.current.url, { apiKey: key });
    const { id } = await assets.upload(text('words', 'words.txt'));
    assert.equal((await api.get(`/api/assets/${id}/preview`)).status, 400);
    assert.equal((await api.get(`${picture.thumbnail_url}?size=300`)).status, 400);
    const foreign = client(server.current.url, { apiKey: other.key });
    assert.equal((await foreign.get(picture.thumbnail_url)).status, 404);
  });

  test('[AST-24] the preview of a video is its first frame, and a damaged video has none', async () => {
    const { jobs, assets, files, key } = await newClient(server.current);
    const headers = { authorization: `Bearer ${key}` };
    await jobs.run(videoWorkflow(), { signal: patience() });
    const [video] = await assets.list({ kind: 'video' }).toArray();
    assert.ok(video?.thumbnail_url);
    const get = async (id: string) => await fetch(assets.previewUrl(id, 256), { headers });
    const answer = await get(video.id);
    assert.equal(answer.status, 200);
    const picture = sharp(await answer.arrayBuffer());
    assert.equal(
      (await fetch(files.url({ filename: video.hash ?? '' }, { size: 128 }), { headers })).status,
      200,
    );
    const { width, height } = await picture.metadata();
    assert.deepEqual([width, height], [256, 128]);
    const { channels } = await picture.stats();
    assert.deepEqual(
      channels.slice(0, 3).map(({ mean }) => Math.round(mean / 32)),
      [8, 4, 0],
    );
    const bytes = await assets.open(video).download();
    const damaged = await assets.upload(new File([bytes.fill(0, 100)], 'damaged.mp4'));
    assert.equal((await get(damaged.id)).status, 400);
  });

  test('[AST-25] many assets are tagged and deleted at once, and only the caller’s own', async () => {
    const { assets } = await newClient(server.current);
    const other = await newClient(server.current);
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.push((await assets.upload(text(name, `${name}.txt`))).id);
    const foreign = await other.assets.upload(text('foreign', 'foreign.txt'));
    const [first = '', ...rest] = ids;
    assert.deepEqual(await assets.changeTags([...ids, foreign.id], { add: ['red', 'blue'] }), ids);
    assert.deepEqual(await assets.changeTags([first], { add: ['green'], remove: ['red', 'none'] }), [first]);
    assert.deepEqual((await assets.get(first)).tags, ['blue', 'green', 'input']);
    assert.deepEqual((await other.assets.get(foreign.id)).tags, ['input']);
    for (const change of [{ add: ['output'] }, { remove: ['input'] }]) {
      const error = await rejection(assets.changeTags(ids, change));
      assert.equal((error as { status?: number }).status, 400);
    }
    assert.deepEqual((await assets.deleteMany([...rest, foreign.id, 'nobody'])).toSorted(), rest.toSorted());
    assert.deepEqual(
      (await assets.list().toArray()).map(({ id }) => id),
      [first],
    );
    assert.equal((await other.assets.get(foreign.id)).id, foreign.id);
    assert.deepEqual(await assets.deleteMany(rest), []);
  });
});
