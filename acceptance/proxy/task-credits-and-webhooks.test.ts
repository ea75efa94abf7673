import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';

import { deliveries } from '../support/deliveries.ts';
import { assertShape } from '../support/error-shapes.ts';
import {
  type Artist,
  type Creations,
  createImage,
  createVideo,
  creationsOf,
  endOfImage,
  type ImageTask,
  ledgerOf,
  newArtist,
  RELIGHT,
  SKIN,
  tasksOf,
  VIDEO,
} from '../support/generation.ts';
import type { Answer, Client } from '../support/http-client.ts';
import {
  type OutsideVendors,
  type Plan,
  PUBLIC_URL,
  startOutsideVendors,
} from '../support/outside-vendors.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { onEachEngine } from '../support/servers.ts';
import { untilSome, untilState } from '../support/task-states.ts';
import { until } from '../support/until.ts';
import { newPicture, take } from '../support/user-files.ts';

const PRICE = 7;
const MAX_TASKS = 12;
const CLIP = { model: 'clipq3-pro', duration: 1, resolution: '540p' };
const CLIP_PRICE = 9;
const OFF_PEAK_PRICE = 5;
const DAY_MS = 86_400_000;
const REFUSED: Plan = { create: [{ status: 422, body: { code: 'NotThis', message: 'no' } }] };

let vendors: OutsideVendors;
let receiver: Receiver;
before(async () => {
  [vendors, receiver] = await Promise.all([startOutsideVendors(), startReceiver()]);
});
after(async () => {
  receiver.close();
  await vendors[Symbol.asyncDispose]();
});

/** What a receiver was told, in order. */
function toldAt<Body>(path: string): Body[] {
  return receiver.at(path).map(({ text }) => JSON.parse(text) as Body);
}

/** The vendor has the request, and refuses it when the test says so. */
function refusedLater() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const plan: Plan = { create: [{ after: promise, status: 422, body: {} }] };
  return { plan, release: () => resolve() };
}

function statuses(answers: readonly Answer<unknown>[]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(Object.groupBy(answers, ({ status }) => status)).map(([status, all]) => [
      status,
      all?.length ?? 0,
    ]),
  );
}

onEachEngine(
  'credits, limits and messages of tasks',
  (server) => {
    const newPath = () => `/${randomUUID()}`;
    const image = async () => (await newPicture()).toString('base64');
    const tell = async (prompt: string) => await vendors.tell(server.current.url, prompt);
    const newPrompt = (plan: Plan = {}) => {
      const prompt = `words ${randomUUID()}`;
      vendors.plan(prompt, plan);
      return prompt;
    };
    const relight = async ({ api }: Artist, prompt: string, others: object = {}) =>
      (await createImage(api, RELIGHT, { image: await image(), prompt, ...others })).task_id;
    const clip = async ({ api }: Artist, prompt: string, others: object = {}) =>
      (await createVideo(api, { ...CLIP, prompt, ...others })).task_id;
    const withKey = async (api: Client, key: string, path: string, body: object) =>
      await api.request<Record<string, unknown>>('POST', path, { headers: { 'idempotency-key': key }, body });
    const secretOf = async ({ api }: Artist) =>
      (await api.get<{ secret: string }>('/webhooks/secret')).body.secret;

    test('[PRX-50] of fifty creates at once against a balance for ten exactly ten succeed', async () => {
      const { api } = await newArtist(server.current, 10 * CLIP_PRICE + CLIP_PRICE - 1);
      const { plan, release } = refusedLater();
      const prompt = newPrompt(plan);
      const answers = await Promise.all(
        Array.from({ length: 50 }, async () => await api.post(`${VIDEO}/text2video`, { ...CLIP, prompt })),
      );
      assert.deepEqual(statuses(answers), { 200: 10, 402: 40 });
      for (const { status, body } of answers) if (status === 402) assertShape(body, 'details');
      const { tasks } = await tasksOf(api, 'limit=100');
      assert.equal(tasks.length, 10);
      assert.equal((await ledgerOf(api)).balance, CLIP_PRICE - 1);
      release();
      for (const { id } of tasks) await untilState(api, id, 'failed');
      assert.equal(vendors.creates(prompt).length, 10);
      assert.equal((await ledgerOf(api)).balance, 10 * CLIP_PRICE + CLIP_PRICE - 1);
    });

    test('[PRX-50] [PRX-54] a picture that cannot be paid for gets 402, and nobody is asked', async () => {
      const artist = await newArtist(server.current, PRICE - 1);
      const prompt = newPrompt();
      const { status, body } = await artist.api.post(RELIGHT, { image: await image(), prompt });
      assert.equal(status, 402);
      assertShape(body, 'error');
      assert.deepEqual((await tasksOf(artist.api)).tasks, []);
      const { balance, entries } = await ledgerOf(artist.api);
      assert.deepEqual([balance, entries.length], [PRICE - 1, 1]);
      assert.equal(vendors.creates(prompt).length, 0);
    });

    test('[PRX-51] [PRX-54] credits are taken at once, spent at a good end and back after a bad one', async () => {
      const artist = await newArtist(server.current, 100);
      const [good, bad] = [newPrompt(), newPrompt(REFUSED)];
      const spent = await relight(artist, good);
      assert.equal((await ledgerOf(artist.api)).balance, 100 - PRICE);
      await tell(good);
      await untilState(artist.api, spent, 'COMPLETED');
      const returned = await clip(artist, bad);
      await untilState(artist.api, returned, 'failed');
      const { balance, entries } = await ledgerOf(artist.api);
      assert.equal(balance, 100 - PRICE);
      assert.deepEqual(entries.map(({ kind, amount, reference }) => [kind, amount, reference]).slice(0, -1), [
        ['return', CLIP_PRICE, `task:${returned}`],
        ['reserve', -CLIP_PRICE, `task:${returned}`],
        ['settle', 0, `task:${spent}`],
        ['reserve', -PRICE, `task:${spent}`],
      ]);
    });

    test('[PRX-8] an account has so many tasks under way, pictures and videos together, also at once', async () => {
      const artist = await newArtist(server.current, 10_000);
      const picture = await image();
      const asked = Array.from({ length: 2 * MAX_TASKS }, () => refusedLater());
      const answers = await Promise.all(
        asked.map(async ({ plan }, index) => {
          const prompt = newPrompt(plan);
          return index % 2 === 0
            ? await artist.api.post(RELIGHT, { image: picture, prompt })
            : await artist.api.post(`${VIDEO}/text2video`, { ...CLIP, prompt });
        }),
      );
      assert.deepEqual(statuses(answers), { 200: MAX_TASKS, 429: MAX_TASKS });
      for (const [index, { status, headers, body }] of answers.entries()) {
        if (status !== 429) continue;
        assertShape(body, index % 2 === 0 ? 'error' : 'details');
        assert.ok(Number(headers.get('retry-after')) > 0);
      }
      const { tasks } = await tasksOf(artist.api, 'limit=100');
      assert.equal(tasks.length, MAX_TASKS);
      // One that is put off is not under way, nor are those of others.
      const putOff = await clip(artist, newPrompt(REFUSED), { off_peak: true });
      await clip(await newArtist(server.current, 100), newPrompt(REFUSED));
      // One that has ended makes room for the next.
      asked[answers.findIndex(({ status }) => status === 200)]?.release();
      await untilSome(artist.api, ({ id, ended_at }) => id !== putOff && ended_at !== undefined);
      const next = refusedLater();
      await relight(artist, newPrompt(next.plan));
      const full = await artist.api.post(RELIGHT, { image: picture });
      assert.equal(full.status, 429);
      for (const { release } of [...asked, next]) release();
      await untilState(artist.api, putOff, 'failed');
    });

    test('[PRX-8] [PRX-64] an off-peak task waits while anything of its vendor runs, and a hundred may wait', async () => {
      const [artist, other] = [await newArtist(server.current, 10_000), await newArtist(server.current, 100)];
      // The server asks by itself now and then.
      const running = newPrompt({ looks: ['running', 'done'] });
      const first = await clip(other, running);
      const waiting = Array.from({ length: 100 }, () => newPrompt(REFUSED));
      const tasks = await Promise.all(
        waiting.map(async (prompt) => await createVideo(artist.api, { ...CLIP, prompt, off_peak: true })),
      );
      for (const { credits, off_peak } of tasks)
        assert.deepEqual([credits, off_peak], [OFF_PEAK_PRICE, true]);
      const more = await artist.api.post(`${VIDEO}/text2video`, { ...CLIP, prompt: 'more', off_peak: true });
      assert.equal(more.status, 429);
      assertShape(more.body, 'details');
      // Pictures have another vendor, and what is not put off does not wait.
      const prompt = newPrompt();
      const picture = await relight(artist, prompt);
      const urgent = newPrompt();
      const video = await clip(artist, urgent);
      await Promise.all([tell(prompt), tell(urgent)]);
      await untilState(artist.api, picture, 'COMPLETED');
      await untilState(artist.api, video, 'success');
      const states = (await tasksOf(artist.api, 'state=created&limit=100')).tasks;
      assert.equal(states.length, 100);
      assert.equal(waiting.filter((each) => vendors.creates(each).length > 0).length, 0);
      await tell(running);
      await tell(running);
      await untilState(other.api, first, 'success');
      await untilSome(artist.api, ({ state }) => state === 'failed');
    });

    test('[PRX-7] one key and body make one task and one charge, also at once', async () => {
      const artist = await newArtist(server.current, 1000);
      const [key, prompt] = [randomUUID(), newPrompt()];
      const body = { image: await image(), prompt };
      const answers = await Promise.all(
        Array.from({ length: 10 }, async () => await withKey(artist.api, key, RELIGHT, body)),
      );
      const ids = answers.map((answer) => (answer.body['data'] as ImageTask | undefined)?.task_id);
      assert.deepEqual([statuses(answers), new Set(ids).size], [{ 200: 10 }, 1]);
      await tell(prompt);
      await untilState(artist.api, ids[0] ?? '', 'COMPLETED');
      const later = await withKey(artist.api, key, RELIGHT, body);
      const { task_id: id, status } = later.body['data'] as ImageTask;
      assert.deepEqual([later.status, id, status], [200, ids[0], 'COMPLETED']);
      assert.equal(vendors.creates(prompt).length, 1);
      assert.equal((await ledgerOf(artist.api)).balance, 1000 - PRICE);
      // It is the account's own.
      const other = await newArtist(server.current, 1000);
      const foreign = await withKey(other.api, key, RELIGHT, { ...body, prompt: newPrompt(REFUSED) });
      assert.equal(foreign.status, 200);
      assert.notEqual((foreign.body['data'] as ImageTask).task_id, id);
    });

    test('[PRX-7] a key with another body or route gets 409, a refused request leaves it free', async () => {
      const artist = await newArtist(server.current, 2 * CLIP_PRICE - 1);
      const path = `${VIDEO}/text2video`;
      const [key, prompt] = ['k'.repeat(255), newPrompt(REFUSED)];
      const body = { ...CLIP, prompt };
      assert.equal((await withKey(artist.api, key, path, { ...body, duration: 99 })).status, 400);
      assert.equal((await withKey(artist.api, key, path, { ...body, duration: 16 })).status, 402);
      assert.equal((await withKey(artist.api, key, path, body)).status, 200);
      const otherBody = await withKey(artist.api, key, path, { ...body, seed: 5 });
      const otherRoute = await withKey(artist.api, key, `${SKIN}/faithful`, { image: await image() });
      assert.deepEqual([otherBody.status, otherRoute.status], [409, 409]);
      assertShape(otherBody.body, 'details');
      assertShape(otherRoute.body, 'error');
      for (const bad of ['', 'k'.repeat(256)]) {
        assert.equal((await withKey(artist.api, bad, path, body)).status, 400);
      }
      assert.equal((await tasksOf(artist.api)).tasks.length, 1);
    });

    test('[PRX-80] [PRX-82] [PRX-83] a picture tells of its changes in order, verified by a public library', async () => {
      const artist = await newArtist(server.current, 100);
      const [path, prompt] = [newPath(), newPrompt({ looks: ['running', 'done'] })];
      const id = await relight(artist, prompt, { webhook_url: receiver.url(path) });
      await tell(prompt);
      await until('the first message', () => receiver.at(path).length === 1);
      await tell(prompt);
      await until('the second message', () => receiver.at(path).length === 2);
      const end = await endOfImage(artist.api, id, RELIGHT);
      const [first, second] = toldAt<ImageTask>(path);
      assert.deepEqual(first, { task_id: id, status: 'IN_PROGRESS', generated: [], made_by: 'imagevendor' });
      assert.deepEqual(Object.keys(second ?? {}), ['task_id', 'status', 'generated', 'made_by']);
      assert.deepEqual([second?.task_id, second?.status], [id, 'COMPLETED']);
      const hook = new Webhook(await secretOf(artist));
      for (const { text, headers } of receiver.at(path)) assert.ok(hook.verify(text, headers));
      assert.equal(end.generated.length, second?.generated.length);
      const link = second?.generated[0] ?? '';
      const found = await take(link.replace(PUBLIC_URL, server.current.url));
      assert.deepEqual([found.status, found.bytes], [200, vendors.resultOf(prompt)]);
      const lives = Number(new URL(link).searchParams.get('expires')) * 1000 - Date.now();
      assert.ok(lives > DAY_MS - 60_000 && lives <= DAY_MS + 1000, String(lives));
      const log = (await deliveries(artist.api, `subject=task:${id}`)).deliveries;
      assert.deepEqual(
        log.map(({ type, url }) => [type, url]),
        [
          ['task.completed', receiver.url(path)],
          ['task.in_progress', receiver.url(path)],
        ],
      );
      assert.deepEqual(
        log.map((each) => each.id).toReversed(),
        receiver.at(path).map(({ headers }) => headers['webhook-id']),
      );
    });

    test('[PRX-81] [PRX-82] a video tells of processing and success with its payload and no queueing', async () => {
      const artist = await newArtist(server.current, 100);
      const [path, prompt] = [newPath(), newPrompt({ looks: ['queued', 'running', 'running', 'done'] })];
      const payload = '{"order":"12"}';
      const id = await clip(artist, prompt, { callback_url: receiver.url(path), payload });
      for (let look = 0; look < 4; look += 1) await tell(prompt);
      await until('both messages', () => receiver.at(path).length === 2);
      const now = await creationsOf(artist.api, id);
      const [first, second] = toldAt<Creations>(path);
      assert.deepEqual(
        { ...first, progress: 0 },
        { ...now, state: 'processing', creations: [], progress: 0 },
      );
      assert.deepEqual({ ...second, creations: [] }, { ...now, creations: [] });
      assert.deepEqual([second?.payload, second?.creations.length], [payload, 1]);
      const url = second?.creations[0]?.url.replace(PUBLIC_URL, server.current.url) ?? '';
      assert.deepEqual((await take(url)).bytes, vendors.resultOf(prompt));
    });

    test('[PRX-80] [PRX-81] [PRX-82] a failure is told with its reason, after the state before it', async () => {
      const artist = await newArtist(server.current, 100);
      const [picturePath, videoPath] = [newPath(), newPath()];
      await relight(artist, newPrompt(REFUSED), { webhook_url: receiver.url(picturePath) });
      const id = await clip(artist, newPrompt(REFUSED), { callback_url: receiver.url(videoPath) });
      await until('both', () => receiver.at(picturePath).length + receiver.at(videoPath).length === 4);
      assert.deepEqual(
        toldAt<ImageTask>(picturePath).map(({ status, error }) => [status, error?.code]),
        [
          ['IN_PROGRESS', undefined],
          ['FAILED', 'NotThis'],
        ],
      );
      const [first, last] = toldAt<Creations>(videoPath);
      assert.equal(first?.state, 'processing');
      assert.deepEqual(last, await creationsOf(artist.api, id));
    });

    test('[PRX-82] the next message waits for the one before, and is sent again by hand with its id', async () => {
      const artist = await newArtist(server.current, 100);
      const [path, prompt] = [newPath(), newPrompt({ looks: ['running', 'done'] })];
      receiver.answer(path, { status: 500 });
      const id = await relight(artist, prompt, { webhook_url: receiver.url(path) });
      await tell(prompt);
      await until('the first message', () => receiver.at(path).length === 1);
      await tell(prompt);
      await untilState(artist.api, id, 'COMPLETED');
      const listed = async () => (await deliveries(artist.api, `subject=task:${id}`)).deliveries.toReversed();
      const [first, second] = await listed();
      assert.deepEqual([second?.status, second?.tries], ['pending', []]);
      receiver.answer(path, { status: 204 });
      const again = await artist.api.post(`/webhooks/deliveries/${first?.id}/redeliver`);
      assert.equal(again.status, 202);
      await until('all of them', () => receiver.at(path).length === 3);
      assert.deepEqual(
        toldAt<ImageTask>(path).map(({ status }) => status),
        ['IN_PROGRESS', 'IN_PROGRESS', 'COMPLETED'],
      );
      assert.deepEqual(
        receiver.at(path).map(({ headers }) => headers['webhook-id']),
        [first?.id, first?.id, second?.id],
      );
    });
  },
  {
    environment: async () => ({
      ...vendors.settings,
      ATELIER_OUTBOUND_ALLOW: `127.0.0.1:${vendors.port},127.0.0.1:${receiver.port}`,
      ATELIER_RELIGHT_CREDITS: String(PRICE),
      ATELIER_TASKS_PER_USER: String(MAX_TASKS),
    }),
  },
);
