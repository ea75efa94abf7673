import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { filesWith } from '../support/files-with.ts';
import {
  type Artist,
  createImage,
  createVideo,
  creationsOf,
  endOfImage,
  imageTask,
  ledgerOf,
  newArtist,
  RELIGHT,
  SKIN,
  tasksOf,
  videoLooks,
} from '../support/generation.ts';
import { client } from '../support/http-client.ts';
import {
  type OutsideVendors,
  type Plan,
  PUBLIC_URL,
  startOutsideVendors,
  VENDOR_KEY,
} from '../support/outside-vendors.ts';
import { onAnyEngine } from '../support/servers.ts';
import { untilState } from '../support/task-states.ts';
import { until } from '../support/until.ts';
import { newPicture, take } from '../support/user-files.ts';

const PRICE = 3;
const CREDITS = 1000;
/** The cheapest: one second of 540p. */
const CLIP = { model: 'clipq3-pro', duration: 1, resolution: '540p' };
const CLIP_PRICE = 9;

let vendors: OutsideVendors;
before(async () => {
  vendors = await startOutsideVendors();
});
after(async () => await vendors[Symbol.asyncDispose]());

onAnyEngine(
  'outside vendors',
  (server) => {
    const image = async () => (await newPicture()).toString('base64');
    const tell = async (prompt: string, body?: object) =>
      await vendors.tell(server.current.url, prompt, body);
    /** A link that names the public address. */
    const linked = (link: string) => {
      assert.ok(link.startsWith(`${PUBLIC_URL}/`), link);
      return server.current.url + link.slice(PUBLIC_URL.length);
    };

    /** A relight for which the vendor has a plan of its own. */
    async function relight({ api }: Artist, plan: Plan) {
      const prompt = `light ${randomUUID()}`;
      vendors.plan(prompt, plan);
      const created = await createImage(api, RELIGHT, { image: await image(), prompt });
      return { id: created.task_id, prompt, created };
    }

    async function clip({ api }: Artist, plan: Plan) {
      const prompt = `a lake ${randomUUID()}`;
      vendors.plan(prompt, plan);
      const created = await createVideo(api, { ...CLIP, prompt });
      return { id: created.task_id, prompt, created };
    }

    test('[PRX-60] [PRX-66] [PRX-91] a picture goes as its vendor does, which may call again and again', async () => {
      const artist = await newArtist(server.current, CREDITS);
      const { id, prompt, created } = await relight(artist, {
        looks: ['queued', 'running', 'running', 'done'],
      });
      assert.equal(created.status, 'CREATED');
      await tell(prompt);
      assert.equal((await imageTask(artist.api, id, RELIGHT)).status, 'CREATED');
      await tell(prompt);
      await untilState(artist.api, id, 'IN_PROGRESS');
      // Nothing of what a call says is believed.
      const lie = { task_id: id, status: 'COMPLETED', generated: [`${vendors.origin}/elsewhere`] };
      await tell(prompt, lie);
      assert.deepEqual(await imageTask(artist.api, id, RELIGHT), {
        task_id: id,
        status: 'IN_PROGRESS',
        generated: [],
        made_by: 'imagevendor',
      });
      await tell(prompt);
      await untilState(artist.api, id, 'COMPLETED');
      vendors.plan(prompt, { looks: [{ status: 404, body: {} }] });
      const [asked, link] = [vendors.requests.length, new URL(await vendors.callbackUrl(prompt))];
      for (let again = 0; again < 3; again += 1) {
        const answer = await client(server.current.url).post(link.pathname + link.search, lie);
        assert.equal(answer.status, 204);
      }
      assert.equal((await imageTask(artist.api, id, RELIGHT)).status, 'COMPLETED');
      assert.equal(vendors.requests.length, asked);
      assert.equal(vendors.creates(prompt).length, 1);
    });

    test('[PRX-60] [PRX-71] a video goes from created over queueing and processing to success', async () => {
      const artist = await newArtist(server.current, CREDITS);
      const { id, prompt, created } = await clip(artist, { looks: ['queued', 'running', 'done'] });
      assert.equal(created.state, 'created');
      await untilState(artist.api, id, 'queueing');
      await tell(prompt);
      assert.equal((await creationsOf(artist.api, id)).state, 'queueing');
      await tell(prompt);
      await untilState(artist.api, id, 'processing');
      assert.equal((await creationsOf(artist.api, id)).progress, 40);
      await tell(prompt);
      await untilState(artist.api, id, 'success');
      const { progress, creations } = await creationsOf(artist.api, id);
      assert.equal(progress, 100);
      const { status, bytes, headers } = await take(linked(creations[0]?.url ?? ''));
      assert.deepEqual([status, headers.get('content-type')], [200, 'video/mp4']);
      assert.deepEqual(bytes, vendors.resultOf(prompt));
      assert.equal(vendors.creates(prompt).length, 1);
    });

    test('[PRX-73] [PRX-91] what the vendor made is fetched once and served by links of this server', async () => {
      const artist = await newArtist(server.current, CREDITS);
      const { id, prompt } = await relight(artist, {});
      await tell(prompt);
      const { generated } = await endOfImage(artist.api, id, RELIGHT);
      const fetched = () => vendors.requests.filter(({ path }) => path.startsWith('/results/')).length;
      const once = fetched();
      for (const links of [generated, (await imageTask(artist.api, id, RELIGHT)).generated]) {
        const { status, bytes, headers } = await take(linked(links[0] ?? ''));
        assert.deepEqual([status, headers.get('content-type')], [200, 'image/png']);
        assert.deepEqual(bytes, vendors.resultOf(prompt));
        assert.equal(links.length, 1);
      }
      assert.equal(fetched(), once);
      const altered = linked(generated[0] ?? '').replace(/signature=./, (found) =>
        found.endsWith('A') ? 'signature=B' : 'signature=A',
      );
      assert.equal((await take(altered)).status, 403);
      // The vendor fetches the picture without a credential too.
      const body = vendors.creates(prompt)[0]?.json() as { image: string };
      assert.equal((await take(linked(body.image))).status, 200);
    });

    test('[PRX-51] [PRX-62] a create whose answer is lost is never sent again, and its credits return', async () => {
      const artist = await newArtist(server.current, CREDITS);
      const lost: Readonly<Record<string, NonNullable<Plan['create']>[number]>> = {
        'a reset': { does: 'reset-read' },
        'a reset within the answer': { does: 'reset-within-answer' },
        'an answer that breaks off': { does: 'truncate', body: '{"data":{"task_id":"1"}}' },
        'malformed JSON': { body: '{"data": {"task_id": ' },
        'no task id': { body: { data: { status: 'CREATED' } } },
        'HTTP 500': { status: 500, body: { message: 'oops' } },
        'HTTP 502': { status: 502, body: '<html>' },
        'HTTP 503 without a time': { status: 503 },
      };
      const tasks = [];
      for (const [what, answer] of Object.entries(lost)) {
        const { id, prompt } = await relight(artist, { create: [answer, 'begin'] });
        tasks.push({ what, id, prompt });
      }
      const video = await clip(artist, { create: [{ does: 'reset-read' }, 'begin'] });
      for (const { what, id, prompt } of tasks) {
        const { status, error } = await endOfImage(artist.api, id, RELIGHT);
        assert.deepEqual([status, error?.code], ['FAILED', 'VendorUncertain'], what);
        assert.equal(vendors.creates(prompt).length, 1, what);
      }
      assert.equal((await videoLooks(artist.api, video.id)).at(-1)?.err_code, 'VendorUncertain');
      assert.equal(vendors.creates(video.prompt).length, 1);
      assert.equal((await ledgerOf(artist.api)).balance, CREDITS);
    });

    test('[PRX-62] [PRX-65] a vendor that turns a create away is asked again after its time, and begins once', async () => {
      const artist = await newArtist(server.current, CREDITS);
      const headers = { 'retry-after': '1' };
      const busy = await relight(artist, { create: [{ status: 429, headers }, 'begin'] });
      const down = await clip(artist, { create: [{ status: 503, headers }, 'begin'] });
      await Promise.all([tell(busy.prompt), tell(down.prompt)]);
      assert.equal((await endOfImage(artist.api, busy.id, RELIGHT)).status, 'COMPLETED');
      assert.equal((await videoLooks(artist.api, down.id)).at(-1)?.state, 'success');
      for (const { prompt } of [busy, down]) assert.equal(vendors.creates(prompt).length, 2);
      assert.equal((await ledgerOf(artist.api)).balance, CREDITS - PRICE - CLIP_PRICE);
    });

    test('[PRX-65] a slow vendor is waited for, and holds up nobody else', async () => {
      const artist = await newArtist(server.current, CREDITS);
      const { promise: begunAfter, resolve } = Promise.withResolvers<void>();
      const slow = await relight(artist, { begunAfter });
      await until('the request', () => vendors.creates(slow.prompt).length === 1);
      const quick = await relight(artist, {});
      await tell(quick.prompt);
      await untilState(artist.api, quick.id, 'COMPLETED');
      assert.equal((await imageTask(artist.api, slow.id, RELIGHT)).status, 'CREATED');
      resolve();
      await tell(slow.prompt);
      await untilState(artist.api, slow.id, 'COMPLETED');
      assert.equal(vendors.creates(slow.prompt).length, 1);
    });

    test('[PRX-65] [PRX-73] a result is fetched again after trouble, and one that is not a picture fails the task', async () => {
      const artist = await newArtist(server.current, CREDITS);
      const late = await relight(artist, { results: [{ status: 500 }, 'hand-over'] });
      const page = { body: '<html>this file has expired</html>', headers: { 'content-type': 'image/png' } };
      const wrong = await relight(artist, { results: [page] });
      const video = await clip(artist, { results: [page] });
      for (const { prompt } of [late, wrong, video]) await tell(prompt);
      await untilState(artist.api, late.id, 'COMPLETED');
      const { status, error, generated } = await endOfImage(artist.api, wrong.id, RELIGHT);
      assert.deepEqual([status, error?.code, generated], ['FAILED', 'NoResult', []]);
      assert.equal((await videoLooks(artist.api, video.id)).at(-1)?.err_code, 'NoResult');
      assert.equal((await ledgerOf(artist.api)).balance, CREDITS - PRICE);
    });

    test('[PRX-65] looks that come to nothing are repeated until the vendor tells, whatever it says between', async () => {
      const artist = await newArtist(server.current, CREDITS);
      const nothing: Plan['looks'] = [
        { status: 500, body: { message: 'oops' } },
        { status: 429, headers: { 'retry-after': '1' } },
        { body: '{"data"' },
        { body: {} },
        { does: 'reset-read' },
        { status: 401, body: { message: 'who are you' } },
      ];
      const picture = await relight(artist, { looks: [...nothing, 'done'] });
      const video = await clip(artist, { looks: [...nothing, 'done'] });
      for (let look = 0; look <= nothing.length; look += 1) {
        await Promise.all([tell(picture.prompt), tell(video.prompt)]);
      }
      assert.equal((await endOfImage(artist.api, picture.id, RELIGHT)).status, 'COMPLETED');
      assert.equal((await videoLooks(artist.api, video.id)).at(-1)?.state, 'success');
      for (const { prompt } of [picture, video]) assert.equal(vendors.creates(prompt).length, 1);
    });

    test('[PRX-51] [PRX-65] [PRX-70] a refusal, a failure and a lost task end it in the vendor’s words', async () => {
      const artist = await newArtist(server.current, CREDITS);
      const refused = await relight(artist, {
        create: [{ status: 422, body: { code: 'PromptForbidden', message: 'not this light' } }],
      });
      const denied = await relight(artist, {
        create: [{ status: 401, body: { message: `the key ${VENDOR_KEY} is wrong` } }],
      });
      const lost = await relight(artist, { looks: ['running', { status: 404, body: {} }] });
      const failed = await clip(artist, {
        looks: ['running', { body: { state: 'failed', err_code: 'CreationPolicyViolation', creations: [] } }],
      });
      for (const { prompt } of [lost, failed]) {
        await tell(prompt);
        await tell(prompt);
      }
      const end = async ({ id }: { id: string }) => await endOfImage(artist.api, id, RELIGHT);
      assert.deepEqual((await end(refused)).error, {
        code: 'PromptForbidden',
        message: 'The image vendor says: not this light',
      });
      assert.equal((await end(denied)).error?.code, 'Unauthorized');
      assert.deepEqual(await end(lost), {
        task_id: lost.id,
        status: 'FAILED',
        generated: [],
        made_by: 'imagevendor',
        error: { code: 'TaskNotFound', message: 'The image vendor no longer knows this task.' },
      });
      const video = (await videoLooks(artist.api, failed.id)).at(-1);
      assert.deepEqual(
        [video?.state, video?.err_code, video?.creations],
        ['failed', 'CreationPolicyViolation', []],
      );
      assert.match(video?.err_msg ?? '', /rules/);
      const { balance, entries } = await ledgerOf(artist.api);
      assert.equal(balance, CREDITS);
      assert.equal(entries.filter(({ kind }) => kind === 'return').length, 4);
    });

    test('[PRX-66] a call with an altered, foreign, expired or missing seal gets 403 or 400 and changes nothing', async () => {
      const artist = await newArtist(server.current, CREDITS);
      const own = await relight(artist, { looks: ['running', 'done'] });
      const other = await relight(artist, {});
      await tell(own.prompt);
      await untilState(artist.api, own.id, 'IN_PROGRESS');
      const { pathname, search } = new URL(await vendors.callbackUrl(own.prompt));
      assert.equal(pathname, `/proxy/callbacks/${own.id}`);
      const query = new URLSearchParams(search);
      const anybody = client(server.current.url);
      for (const [path, changes] of [
        [pathname, { signature: 'A'.repeat(query.get('signature')?.length ?? 0) }],
        [pathname, { expires: String(Number(query.get('expires')) + 1) }],
        [pathname, { expires: '1' }],
        [`/proxy/callbacks/${other.id}`, {}],
      ] as const) {
        const changed = new URLSearchParams({ ...Object.fromEntries(query), ...changes });
        const { status, body } = await anybody.post(`${path}?${changed}`, {});
        assert.equal(status, 403, path);
        assertShape(body, 'error');
      }
      assert.equal((await anybody.post(pathname, {})).status, 400);
      assert.equal((await imageTask(artist.api, own.id, RELIGHT)).status, 'IN_PROGRESS');
      for (const { id, prompt } of [own, other]) {
        await tell(prompt);
        await untilState(artist.api, id, 'COMPLETED');
      }
    });

    test('[PRX-90] [PRX-91] vendors get the key, and nobody else: no answer, no log, no file has it', async () => {
      const { api } = await newArtist(server.current, 0);
      const { status, body } = await api.get<{ vendors: { local: boolean; host?: string }[] }>(
        '/proxy/vendors',
      );
      assert.equal(status, 200);
      assert.deepEqual(
        body.vendors.map(({ local, host }) => [local, host]),
        [
          [false, `127.0.0.1:${vendors.port}`],
          [false, `127.0.0.1:${vendors.port}`],
        ],
      );
      for (const { headers, path } of vendors.requests) {
        const shown = [headers['x-freepik-api-key'], headers.authorization?.replace('Token ', '')];
        // Results lie elsewhere, where nobody knows the key.
        const expected = path.startsWith('/results/') ? [] : [VENDOR_KEY];
        assert.deepEqual(
          shown.filter((each) => each !== undefined),
          expected,
          path,
        );
      }
      assert.ok(!JSON.stringify(body).includes(VENDOR_KEY));
      assert.ok(server.current.output().length > 10_000);
      assert.ok(!server.current.output().includes(VENDOR_KEY));
      assert.deepEqual(await filesWith(server.current.dataFolder, VENDOR_KEY), []);
    });

    test('[PRX-91] a task stays with whom it was given to', async () => {
      const artist = await newArtist(server.current, CREDITS);
      const { id, prompt } = await relight(artist, { looks: ['running', 'done'] });
      await tell(prompt);
      await untilState(artist.api, id, 'IN_PROGRESS');
      await server.restart({ ATELIER_IMAGE_VENDOR_KEY: '' });
      const api = client(server.current.url, { apiKey: artist.key });
      const asked = vendors.requests.length;
      const { task_id: local } = await createImage(api, `${SKIN}/faithful`, { image: await image() });
      assert.equal((await endOfImage(api, local)).status, 'COMPLETED');
      const link = new URL(await vendors.callbackUrl(prompt));
      assert.equal((await client(server.current.url).post(link.pathname + link.search, {})).status, 204);
      assert.equal((await imageTask(api, id, RELIGHT)).status, 'IN_PROGRESS');
      assert.equal(vendors.requests.length, asked);
      assert.equal((await tasksOf(api, 'state=IN_PROGRESS')).tasks[0]?.id, id);
    });
  },
  {
    environment: async () => ({
      ...vendors.settings,
      ATELIER_OUTBOUND_ALLOW: `127.0.0.1:${vendors.port}`,
      ATELIER_RELIGHT_CREDITS: String(PRICE),
      ATELIER_TASKS_PER_USER: '12',
      ATELIER_LOG_LEVEL: 'trace',
    }),
  },
);
