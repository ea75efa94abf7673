import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import {
  type Artist,
  assertNothingMade,
  createImage,
  createVideo,
  creationsOf,
  IMAGE_CREATES,
  NOT_RENDERING,
  newArtist,
  PUBLIC_URL,
  RELIGHT,
  RENDERED_HERE,
  SKIN,
  told,
  UUID,
  VIDEO,
  VIDEO_CREATES,
  VIDEO_MODELS,
  type VideoTask,
} from '../support/generation.ts';
import { onAnyEngine } from '../support/servers.ts';
import { face, faceText } from '../support/test-pictures.ts';
import { take } from '../support/user-files.ts';
import { DURATIONS, RESOLUTIONS } from '../support/video-rules.ts';

const MIB = 1024 * 1024;
const prompt = 'a fox in the snow';

onAnyEngine(
  'requests for videos',
  (server) => {
    let artist: Artist;
    let image: string;
    let images: readonly string[];
    before(async () => {
      artist = await newArtist(server.current, 1_000_000);
      image = await faceText();
      images = [image];
    });
    const video = async (body: object, route?: string) => await createVideo(artist.api, body, route);

    test('[PRX-1] [PRX-2] [PRX-71] so has a video task, with everything that it is made by', async () => {
      for (const path of VIDEO_CREATES) {
        const answer = await artist.api.post<VideoTask>(path, { model: 'clipq3-pro', images, payload: 'p' });
        assert.equal(answer.status, 200);
        const { task_id: id, created_at: at, images: links, seed, ...others } = answer.body;
        assert.match(id, UUID);
        assert.ok(Math.abs(Date.now() - Date.parse(at)) < 600_000);
        assert.equal(links.length, 1);
        assert.ok(Number.isInteger(seed) && seed > 0);
        assert.deepEqual(others, {
          state: 'created',
          credits: 100,
          model: 'clipq3-pro',
          prompt: '',
          duration: 5,
          resolution: '720p',
          aspect_ratio: '16:9',
          style: 'general',
          movement_amplitude: 'auto',
          audio: true,
          bgm: false,
          off_peak: false,
          watermark: false,
          payload: 'p',
          ...RENDERED_HERE,
        });
        assert.deepEqual(await creationsOf(artist.api, id), {
          id,
          state: 'created',
          err_code: '',
          err_msg: '',
          creations: [],
          credits: 100,
          payload: 'p',
          progress: 0,
          bgm: false,
          off_peak: false,
          ...RENDERED_HERE,
        });
      }
    });

    test('[PRX-9] the public names of vendors and models are taken, and the name that was sent comes back', async () => {
      for (const path of IMAGE_CREATES) {
        const { task_id: id } = await createImage(artist.api, path.replace('imagevendor', 'freepik'), {
          image,
        });
        for (const base of [SKIN, RELIGHT]) {
          const expected = (base === RELIGHT) === (path === RELIGHT) ? 200 : 404;
          for (const shown of [base, base.replace('imagevendor', 'freepik')]) {
            const answer = await artist.api.get(`${shown}/${id}`);
            assert.equal(answer.status, expected, shown);
            if (expected === 404) assertShape(answer.body, 'error');
          }
        }
      }
      for (const [index, model] of VIDEO_MODELS.map((own) => own.replace('clip', 'vidu')).entries()) {
        const [vendor, other] = index % 2 === 0 ? ['videovendor', 'vidu'] : ['vidu', 'videovendor'];
        const route = index % 3 === 0 ? 'text2video' : 'img2video';
        const { status, body } = await artist.api.post<VideoTask>(`/proxy/${vendor}/${route}`, {
          model,
          images,
        });
        assert.equal(status, 200, model);
        assert.equal(body.model, model);
        for (const shown of [vendor, other]) {
          const answer = await artist.api.get(`/proxy/${shown}/tasks/${body.task_id}/creations`);
          assert.equal(answer.status, 200);
        }
      }
      const own = await artist.api.post<VideoTask>('/proxy/vidu/text2video', { model: 'clipq1', prompt });
      assert.equal(own.body.model, 'clipq1');
      const refused = await artist.api.post('/proxy/vidu/text2video', { model: 'viduq4', prompt });
      assert.equal(refused.status, 400);
      assertShape(refused.body, 'details');
    });

    test('[PRX-5] [PRX-6] a text that is far too long in any field gets 400 and makes nothing; a body of 72 MiB is read', async () => {
      const who = await newArtist(server.current);
      const long = `https://93.184.215.14/${'a'.repeat(MIB)}`;
      for (const [path, base, fields] of [
        [
          RELIGHT,
          { image },
          'image transfer_light_from_reference_image transfer_light_from_lightmap prompt style webhook_url',
        ],
        [
          `${VIDEO}/text2video`,
          { model: 'clipq3-pro', prompt, watermark: true },
          'model prompt images resolution aspect_ratio style movement_amplitude audio_type voice_id callback_url meta_data payload wm_url',
        ],
      ] as const) {
        for (const field of fields.split(' ')) {
          const answer = await who.api.post(path, { ...base, [field]: field === 'images' ? [long] : long });
          assert.equal(answer.status, 400, field);
          assert.ok(told(answer).includes(field) && told(answer).length < 1000, told(answer).slice(0, 1000));
        }
      }
      await assertNothingMade(who.api, 'long texts');
      const empty = JSON.stringify({ image: 'x', unknown: '' });
      const body = empty.replace('""', `"${'a'.repeat(72 * MIB - empty.length)}"`);
      const headers = { 'content-type': 'application/json' };
      const answer = await who.api.request('POST', RELIGHT, { body, headers });
      assert.equal(answer.status, 400);
      assert.match(told(answer), /image must be/);
    });

    test('[PRX-30] [PRX-31] characters are code points, and words or an image suffice where the model has both', async () => {
      for (const model of ['clipq3-pro', 'clipq1']) {
        await video({ model, prompt: '🦊'.repeat(2000) });
        await video({ model, prompt: 'x', images: [] });
        for (const empty of [undefined, '', ' \n']) await video({ model, prompt: empty, images });
      }
      const answer = await video({ model: 'clipq3-pro', prompt: ' \n', images });
      assert.equal(answer.prompt, ' \n');
    });

    test('[PRX-32] [PRX-33] a model has its default duration and resolution, and takes every shape that it has', async () => {
      for (const model of VIDEO_MODELS) {
        const [firstDuration] = DURATIONS[model];
        const [firstResolution] = RESOLUTIONS[model];
        const byDefault = await video({ model, images });
        assert.partialDeepStrictEqual(byDefault, {
          duration: firstDuration,
          resolution: firstResolution,
          aspect_ratio: '16:9',
        });
        const isNew = model.startsWith('clipq2') || model.startsWith('clipq3');
        for (const ratio of ['16:9', '9:16', '1:1', ...(isNew ? ['3:4', '4:3'] : [])]) {
          assert.equal((await video({ model, images, aspect_ratio: ratio })).aspect_ratio, ratio);
        }
      }
      assert.equal((await video({ model: 'clip2.0', images, duration: 8 })).resolution, '720p');
      assert.equal((await video({ model: 'clipq1', prompt })).resolution, '1080p');
    });

    test('[PRX-34] the seed that is used comes back: the one that was sent, or one that was chosen', async () => {
      for (const seed of [1, 42, 2_147_483_647]) {
        assert.equal((await video({ model: 'clipq3-pro', prompt, seed })).seed, seed);
      }
      const chosen = new Set<number>();
      for (const seed of [0, undefined, null, 0]) {
        const used = (await video({ model: 'clipq3-pro', prompt, seed })).seed;
        assert.ok(Number.isInteger(used) && used >= 1 && used <= 2_147_483_647, String(used));
        chosen.add(used);
      }
      assert.equal(chosen.size, 4);
    });

    test('[PRX-35] [PRX-36] what has no effect is accepted and not done: the answer says what is', async () => {
      const all = { audio: true, bgm: true, watermark: true, style: 'anime', movement_amplitude: 'large' };
      const others = {
        audio_type: 'speech_only',
        voice_id: 'v',
        wm_position: 1,
        enhance: true,
        priority: -7,
      };
      for (const [body, audio, bgm] of [
        [{ model: 'clipq3-pro', prompt }, true, false],
        [{ model: 'clipq2-pro-fast', images, duration: 10 }, true, false],
        [{ model: 'clipq2-pro-fast', images, duration: 8 }, true, true],
        [{ model: 'clipq2-turbo', images }, true, true],
        [{ model: 'clipq1', prompt }, false, true],
        [{ model: 'clipq1', images }, true, true],
        [{ model: 'clip2.0', images }, true, true],
      ] as const) {
        const answer = await video({ ...body, ...all, ...others });
        assert.partialDeepStrictEqual(answer, { ...all, audio, bgm }, JSON.stringify(body).slice(0, 80));
        assert.equal((await creationsOf(artist.api, answer.task_id)).bgm, bgm);
      }
      assert.equal((await video({ model: 'clipq3-pro', prompt })).audio, true);
      assert.equal((await video({ model: 'clipq3-pro', prompt, audio: false })).audio, false);
      assert.equal((await video({ model: 'clipq2-turbo', images })).audio, false);
    });

    test('[PRX-37] [PRX-38] [PRX-40] a recommended prompt, corners of a mark and what is only handed on are taken', async () => {
      assert.equal((await video({ model: 'clipq3-pro', prompt, is_rec: true })).prompt, prompt);
      for (const corner of [1, 2, 3, 4]) {
        const answer = await video({ model: 'clipq3-pro', prompt, watermark: true, wm_position: corner });
        assert.equal(answer.watermark, true);
      }
      for (const priority of [-2_147_483_648, 0, 2_147_483_647]) {
        await video({ model: 'clipq3-pro', prompt, enhance: priority > 0, priority });
      }
    });

    test('[PRX-39] a payload comes back to the letter, and meta_data is JSON of any kind', async () => {
      for (const payload of [
        '',
        ' ',
        '{"a": "\\"\n\t\u2028"}',
        'Ζωή 京 🎨'.repeat(100),
        '🦊'.repeat(1_048_576),
      ]) {
        const { task_id: id, payload: back } = await video({ model: 'clipq3-pro', prompt, payload });
        assert.ok(back === payload);
        assert.ok((await creationsOf(artist.api, id)).payload === payload);
      }
      const longest = JSON.stringify('é'.repeat(65_534));
      for (const meta of ['{"order":7}', '[]', 'null', ' 1 ', '"x"', longest]) {
        await video({ model: 'clipq3-pro', prompt, meta_data: meta });
      }
    });

    test('[PRX-41] the answer has the URL that was sent, or a link to what came with the request', async () => {
      const { images: sent } = await video({ model: 'clipq2-turbo', images: [PUBLIC_URL] });
      assert.deepEqual(sent, [PUBLIC_URL]);
      const bytes = await face({ format: 'webp' });
      const { images: links } = await video({ model: 'clipq2-turbo', images: [bytes.toString('base64')] });
      assert.equal(links.length, 1);
      const answer = await take(links[0] ?? '');
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('content-type'), 'image/webp');
      assert.deepEqual(answer.bytes, bytes);
    });
  },
  { environment: NOT_RENDERING },
);
