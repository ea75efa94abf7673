import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';

import { assertShape } from '../support/error-shapes.ts';
import {
  type Artist,
  assertNothingMade,
  createImage,
  createVideo,
  endOfImage,
  generated,
  imageLooks,
  imageTask,
  ledgerOf,
  MODES,
  newArtist,
  RELIGHT,
  RENDERED_HERE,
  SKIN,
  tasksOf,
  told,
  VIDEO,
  videoLooks,
} from '../support/generation.ts';
import { client } from '../support/http-client.ts';
import { readMp4 } from '../support/mp4.ts';
import { endless, type PictureHost, startPictureHost } from '../support/picture-host.ts';
import {
  REFUSED_IMAGES,
  REFUSED_PICTURES,
  REFUSED_VIDEOS,
  type RefusedRequest,
} from '../support/refused-requests.ts';
import { onEachEngine } from '../support/servers.ts';
import { announce, put, sha256 } from '../support/storage.ts';
import { face, faceText } from '../support/test-pictures.ts';
import { hugePng, take } from '../support/user-files.ts';

const DAY_SECONDS = 86_400;
const prompt = 'a lake at dawn';

let host: PictureHost;
/** Another one that the server may not call. */
let hidden: PictureHost;
before(async () => {
  host = await startPictureHost();
  hidden = await startPictureHost();
  hidden.serve('/face.png', await face(), 'image/png');
  host.serve('/face.png', await face(), 'image/png');
});
after(() => {
  host.close();
  hidden.close();
});

/** What was made of the same request on the other database. */
let madeBefore: string | undefined;

onEachEngine(
  'results of tasks',
  (server) => {
    let artist: Artist;
    /** Gets nothing but refusals. */
    let refused: Artist;
    before(async () => {
      artist = await newArtist(server.current, 10_000);
      refused = await newArtist(server.current);
    });

    /** Refused as a whole: no task, no charge, and nobody was asked for anything. */
    const assertRefused = async ({ what, path, field, body }: RefusedRequest) => {
      const { api } = refused;
      const asked = host.asked.length;
      const hook = host.url('/hook');
      const answer = await api.post(path, { webhook_url: hook, callback_url: hook, ...(await body()) });
      assert.equal(answer.status, 400, JSON.stringify(answer.body));
      assertShape(answer.body, path.startsWith(VIDEO) ? 'details' : 'error');
      assert.ok(told(answer).includes(field), told(answer));
      await assertNothingMade(api, what);
      assert.equal(host.asked.length, asked);
    };

    for (const row of REFUSED_PICTURES) {
      test(`[PRX-6] [PRX-3] [PRX-11] [PRX-12] no picture, and no trace of the request: ${row.what}`, async () => {
        await assertRefused(row);
      });
    }

    for (const row of REFUSED_IMAGES) {
      test(`[PRX-6] [PRX-3] [PRX-20] [PRX-22] [PRX-23] [PRX-24] [PRX-25] refused without a trace: ${row.what}`, async () => {
        await assertRefused(row);
      });
    }

    for (const row of REFUSED_VIDEOS) {
      test(`[PRX-6] [PRX-3] [PRX-30] [PRX-31] [PRX-32] [PRX-33] [PRX-39] refused without a trace: ${row.what}`, async () => {
        await assertRefused(row);
      });
    }

    test('[PRX-6] every problem is told, up to five', async () => {
      const numbers = { whites: 101, blacks: -1, contrast: '1', brightness: 1.5, saturation: 200 };
      const answer = await artist.api.post(RELIGHT, { style: 'x', advanced_settings: numbers });
      assert.equal(answer.status, 400);
      assert.equal(told(answer).split(/ must /).length - 1, 5, told(answer));
      const video = await artist.api.post<{ details: string[] }>(`${VIDEO}/text2video`, {
        model: 'clip2.0',
        duration: 5,
        meta_data: '{',
      });
      assert.deepEqual(
        video.body.details.map((sentence) => sentence.split(' ', 1)[0]),
        ['images', 'duration', 'meta_data'],
      );
    });

    test('[PRX-9] without aliases the public paths get 404 and the public models 400', async () => {
      const image = await faceText();
      for (const path of ['/v1/ai/skin-enhancer/faithful', '/v1/ai/image-relight']) {
        const answer = await artist.api.post(`/proxy/freepik${path}`, { image });
        assert.equal(answer.status, 404);
        assertShape(answer.body, 'error');
      }
      for (const [path, status] of [
        ['/proxy/vidu/text2video', 404],
        [`${VIDEO}/text2video`, 400],
      ] as const) {
        const answer = await artist.api.post(path, { model: 'viduq3-pro', prompt });
        assert.equal(answer.status, status);
        assertShape(answer.body, 'details');
      }
    });

    test('[PRX-12] [PRX-13] [PRX-70] a URL of which no picture comes fails the task, and its credits come back', async () => {
      const who = await newArtist(server.current, 100);
      host.on('/endless', endless((await face()).subarray(0, 33)));
      host.on(
        '/too-large',
        (response) => void response.writeHead(200, { 'content-length': 53_000_000 }).write('x'),
      );
      host.on(
        '/hidden',
        (response) => void response.writeHead(302, { location: hidden.url('/face.png') }).end(),
      );
      host.on('/round', (response) => void response.writeHead(302, { location: host.url('/round') }).end());
      host.serve('/page', Buffer.from('<!doctype html><title>face.png</title>'), 'image/png');
      host.serve('/gif', await face({ format: 'gif' }), 'image/png');
      host.serve('/huge', hugePng(20_000, 10_000), 'image/png');
      host.serve('/empty', Buffer.alloc(0), 'image/png');
      host.serve('/half', (await face({ width: 128, height: 128 })).subarray(0, 2000), 'image/png');
      const codes: Record<string, string> = {
        '/endless': 'ImageDownloadFailure',
        '/too-large': 'ImageDownloadFailure',
        '/hidden': 'ImageDownloadFailure',
        '/round': 'ImageDownloadFailure',
        '/missing': 'ImageDownloadFailure',
        '/page': 'ImageFormatInvalid',
        '/gif': 'ImageFormatInvalid',
        '/huge': 'ImageFormatInvalid',
        '/empty': 'ImageFormatInvalid',
        '/half': 'ImageFormatInvalid',
      };
      const tasks = await Promise.all(
        Object.keys(codes).map(
          async (path) =>
            [path, await createImage(who.api, `${SKIN}/faithful`, { image: host.url(path) })] as const,
        ),
      );
      for (const [path, { task_id: id }] of tasks) {
        const { error, ...task } = await endOfImage(who.api, id);
        assert.deepEqual(task, { task_id: id, status: 'FAILED', generated: [], ...RENDERED_HERE }, path);
        assert.equal(error?.code, codes[path], `${path} ${error?.message}`);
        assert.ok(host.asked.includes(path), path);
        const { entries } = await ledgerOf(who.api);
        assert.deepEqual(
          entries.filter(({ reference }) => reference === `task:${id}`).map(({ amount }) => amount),
          [3, -3],
          path,
        );
      }
      assert.deepEqual(hidden.asked, []);
      assert.equal((await ledgerOf(who.api)).balance, 100);
      const listed = (await tasksOf(who.api, 'state=FAILED')).tasks;
      assert.equal(listed.length, tasks.length);
      for (const { error, ended_at: ended, updated_at: updated } of listed) {
        assert.ok(error && error.message !== '' && ended !== undefined && ended === updated);
        assert.doesNotMatch(error.message, /127\.0\.0\.1:\d+.*at |\/tmp\/|node_modules/);
      }
    });

    test('[PRX-13] what may pass is tried again, and the type of a picture is what its bytes are', async () => {
      const picture = await face({ format: 'jpeg' });
      let times = 0;
      host.on('/later', (response) => {
        times += 1;
        if (times === 1) response.writeHead(503).end();
        else response.writeHead(200, { 'content-type': 'text/plain' }).end(picture);
      });
      const link = await generated(artist.api, `${SKIN}/creative`, { image: host.url('/later') });
      assert.equal(times, 2);
      assert.equal((await sharp((await take(link)).bytes).metadata()).format, 'jpeg');
    });

    test('[PRX-60] [PRX-70] [PRX-73] each mode makes a picture like the one that was sent, behind a link for a day', async () => {
      const { api } = artist;
      const results = new Set<string>();
      for (const [index, mode] of MODES.entries()) {
        const format = (['png', 'jpeg', 'webp'] as const)[index] ?? 'png';
        const bytes = await face({ format, width: 96, height: 64 });
        const { task_id: id } = await createImage(api, `${SKIN}/${mode}`, {
          image: bytes.toString('base64'),
        });
        const looks = await imageLooks(api, id);
        const order = ['CREATED', 'IN_PROGRESS', 'COMPLETED'];
        const states = looks.map(({ status }) => order.indexOf(status));
        assert.deepEqual(states, states.toSorted(), mode);
        assert.ok(looks.slice(0, -1).every((look) => look.generated.length === 0));
        const last = looks.at(-1);
        assert.equal(last?.status, 'COMPLETED', JSON.stringify(last));
        assert.equal(last.generated.length, 1);
        const link = last.generated[0] ?? '';
        const lives = Number(new URL(link).searchParams.get('expires')) - Date.now() / 1000;
        assert.ok(lives > DAY_SECONDS - 60 && lives <= DAY_SECONDS + 1, String(lives));
        const answer = await take(link);
        assert.equal(answer.status, 200);
        assert.equal(answer.headers.get('content-type'), `image/${format}`);
        const { width, height, format: shown } = await sharp(answer.bytes).metadata();
        assert.deepEqual([width, height, shown], [96, 64, format]);
        assert.notDeepEqual(answer.bytes, bytes);
        results.add(sha256(answer.bytes));
        const again = (await imageTask(api, id)).generated[0] ?? '';
        assert.deepEqual((await take(again)).bytes, answer.bytes);
        assert.equal((await take(link.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')))).status, 403);
      }
      assert.equal(results.size, MODES.length);
    });

    test('[PRX-14] links of this server are taken as pictures and read without HTTP: an upload, a result of the task before', async () => {
      const bytes = await face();
      const upload = await announce(artist.api, { file_name: 'face.png', content_type: 'image/png' });
      const skin = async (image: string) => await artist.api.post(`${SKIN}/faithful`, { image });
      const early = await skin(upload.download_url);
      assert.equal(early.status, 400, 'before its bytes are there');
      assert.equal((await put(server.current, upload.upload_url, bytes, 'image/png')).status, 200);
      const asked = host.asked.length;
      const result = await generated(artist.api, `${SKIN}/faithful`, { image: upload.download_url });
      const relit = await generated(artist.api, RELIGHT, {
        image: result,
        transfer_light_from_reference_image: upload.download_url,
      });
      const { width, height } = await sharp((await take(relit)).bytes).metadata();
      assert.deepEqual([width, height], [96, 96]);
      assert.equal(host.asked.length, asked);
      for (const link of [result, upload.download_url]) {
        const url = new URL(link);
        const later = new URL(link);
        later.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 1));
        const past = new URL(link);
        past.searchParams.set('expires', '1');
        const bare = url.origin + url.pathname;
        const other = link.replace(/[\da-f](?=[\da-f]*\/)/, (digit) => (digit === '0' ? '1' : '0'));
        for (const wrong of [later.href, past.href, bare, other, link.slice(0, -1), `${link}0`]) {
          const answer = await skin(wrong);
          assert.equal(answer.status, 400, wrong);
          assert.match(told(answer), /image cannot be used/);
        }
      }
      for (const path of ['/proxy/tasks', '/files/../proxy/tasks', '/health', '/customers/me']) {
        assert.equal((await skin(server.current.url + path)).status, 400, path);
      }
    });

    test('[PRX-33] [PRX-34] [PRX-38] [PRX-71] [PRX-73] a start frame becomes a video of its shape, with sound, a cover and a marked copy, the same for the same seed', async () => {
      const { api } = await newArtist(server.current, 50);
      const wish = {
        model: 'clipq2-turbo',
        images: [await faceText({ width: 64, height: 64 })],
        duration: 1,
        resolution: '540p',
        audio: true,
        seed: 7,
        payload: 'order 7',
        watermark: true,
        wm_url: host.url('/face.png'),
      };
      const { task_id: id, credits } = await createVideo(api, wish, 'img2video');
      assert.equal(credits, 21);
      const looks = await videoLooks(api, id);
      const states = looks.map(({ state }) =>
        ['created', 'queueing', 'processing', 'success'].indexOf(state),
      );
      const progress = looks.map((look) => look.progress);
      for (const way of [states, progress]) {
        assert.deepEqual(
          way,
          way.toSorted((left, right) => left - right),
        );
      }
      for (const look of looks.slice(0, -1)) assert.ok(look.progress < 100 && look.creations.length === 0);
      const { creations = [], ...last } = looks.at(-1) ?? {};
      const shown = { credits, payload: 'order 7', bgm: false, off_peak: false, ...RENDERED_HERE };
      assert.deepEqual(last, { ...shown, id, state: 'success', err_code: '', err_msg: '', progress: 100 });
      assert.equal(creations.length, 1);
      const { url = '', cover_url: cover = '', watermarked_url: marked = '' } = creations[0] ?? {};
      const film = await take(url);
      assert.equal(film.headers.get('content-type'), 'video/mp4');
      const { seconds, codecs, width, height } = readMp4(film.bytes);
      assert.ok(Math.abs(seconds - 1) < 0.1, String(seconds));
      assert.deepEqual([width, height, codecs.toSorted()], [540, 540, ['avc1', 'mp4a']]);
      const copy = await take(marked);
      assert.partialDeepStrictEqual(readMp4(copy.bytes), { width, height });
      assert.notDeepEqual(copy.bytes, film.bytes);
      const still = await take(cover);
      assert.equal(still.headers.get('content-type'), 'image/jpeg');
      assert.partialDeepStrictEqual(await sharp(still.bytes).metadata(), { width, height, format: 'jpeg' });
      const hash = sha256(film.bytes);
      assert.equal(madeBefore ?? hash, hash, 'on another server');
      madeBefore = hash;
      const [task] = (await tasksOf(api, 'vendor=videovendor&state=success')).tasks;
      assert.partialDeepStrictEqual(task, { id, kind: 'video', progress: 100, credits });
      assert.ok(task?.ended_at !== undefined && !('error' in task));
      assert.equal((await ledgerOf(api)).balance, 50 - credits);
    });

    // Drawing takes long and asks no database.
    if (server.engine === 'sqlite') {
      test('[PRX-21] [PRX-22] [PRX-26] what is absent has its default: a fixed generation is the same with and without it', async () => {
        const image = await faceText();
        const plain = {
          image,
          prompt: 'sunset from the left',
          advanced_settings: { fixed_generation: true },
        };
        const tones = { whites: 50, blacks: 50, brightness: 50, contrast: 50, saturation: 50 };
        const full = {
          ...plain,
          light_transfer_strength: 100,
          interpolate_from_original: false,
          change_background: true,
          preserve_details: true,
          style: 'standard',
          advanced_settings: {
            ...tones,
            engine: 'automatic',
            transfer_light_a: 'automatic',
            transfer_light_b: 'automatic',
            fixed_generation: true,
          },
        };
        const hashOf = async (body: object) =>
          sha256((await take(await generated(artist.api, RELIGHT, body))).bytes);
        const first = await hashOf(plain);
        assert.equal(await hashOf(full), first);
        const stronger = { ...full, advanced_settings: { ...full.advanced_settings, contrast: 90 } };
        assert.notEqual(await hashOf(stronger), first);
        const free = { ...full, advanced_settings: { ...full.advanced_settings, fixed_generation: false } };
        assert.notEqual(await hashOf(free), await hashOf(free));
      });

      test('[PRX-33] [PRX-36] words become a video of the shape that was asked for, without sound or mark when none is wanted', async () => {
        const { api } = artist;
        const wish = { model: 'clipq3-pro', prompt, duration: 1, resolution: '540p', aspect_ratio: '1:1' };
        const { task_id: id } = await createVideo(api, { ...wish, audio: false });
        const last = (await videoLooks(api, id)).at(-1);
        assert.equal(last?.state, 'success', JSON.stringify(last));
        const [{ url, ...others } = { url: '' }] = last.creations;
        assert.ok(!('watermarked_url' in others));
        const { width, height, codecs } = readMp4((await take(url)).bytes);
        assert.deepEqual([width, height, codecs], [540, 540, ['avc1']]);
      });
    }

    test('[PRX-92] without a key no vendor was asked for all this, and the server has failed at nothing', async () => {
      assert.equal((await client(server.current.url).get('/health')).status, 200);
      assert.doesNotMatch(server.current.output(), /"level":"(error|fatal)"/);
      assert.deepEqual(
        host.asked.filter((path) => path.startsWith('/vendor')),
        [],
      );
    });
  },
  {
    environment: async () => ({
      ATELIER_OUTBOUND_ALLOW: `127.0.0.1:${host.port}`,
      ATELIER_VENDOR_ALIASES: 'off',
      ATELIER_TASKS_PER_USER: '50',
      ATELIER_SKIN_CREDITS: '3',
      // Without keys nobody may call them.
      ATELIER_IMAGE_VENDOR_URL: host.url('/vendor/image'),
      ATELIER_VIDEO_VENDOR_URL: host.url('/vendor/video'),
    }),
  },
);
