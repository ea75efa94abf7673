import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import {
  assertNothingMade,
  createImage,
  createVideo,
  creationsOf,
  imageTask,
  ledgerOf,
  newArtist,
  RELIGHT,
  SKIN,
  tasksOf,
  VIDEO,
} from '../support/generation.ts';
import { onAnyEngine } from '../support/servers.ts';
import { faceText } from '../support/test-pictures.ts';

interface PriceList {
  readonly images: Readonly<Record<string, number>>;
  readonly videos: readonly {
    readonly prices: readonly { readonly credits: number; readonly off_peak_credits: number }[];
    readonly extras: Readonly<Record<string, number>>;
  }[];
}

/** Requests and answers only: nothing is rendered. */
const QUIET = { ATELIER_RENDERERS: '0', ATELIER_TASKS_PER_USER: '100', ATELIER_SKIN_CREDITS: '3' };
const CLIP = { model: 'clipq3-pro', duration: 2, resolution: '540p' } as const;
const UNKNOWN = 'a chef cooking pasta';

onAnyEngine(
  'a local stand-in',
  (server) => {
    test('[PRX-94] says in every answer that it made the task, and which words of the prompt it ignored', async () => {
      const { api } = await newArtist(server.current);
      const here = { made_by: 'local stand-in', ignored_words: ['ship', 'sails'] };
      const prompt = 'A ship sails on the sea at sunset, slow push in';
      const clip = await createVideo(api, { ...CLIP, prompt });
      assert.equal(clip.credits, 18);
      assert.partialDeepStrictEqual(clip, here);
      assert.partialDeepStrictEqual(await creationsOf(api, clip.task_id), here);
      assert.partialDeepStrictEqual((await tasksOf(api)).tasks[0], here);
      const lit = { made_by: 'local stand-in', ignored_words: ['walrus'] };
      const light = await createImage(api, RELIGHT, {
        image: await faceText(),
        prompt: 'moonlight, a walrus',
      });
      assert.partialDeepStrictEqual(light, lit);
      assert.partialDeepStrictEqual(await imageTask(api, light.task_id, RELIGHT), lit);
    });

    test('[PRX-94] uses of a prompt beside a start frame only what is said of the camera and the sound', async () => {
      const { api } = await newArtist(server.current);
      const wish = {
        model: 'clipq2-turbo',
        images: [await faceText()],
        prompt: 'a lake, the camera pans left',
      };
      const ignored = async (body: object) =>
        (await createVideo(api, { ...wish, ...body }, 'img2video')).ignored_words;
      assert.deepEqual(await ignored({}), ['lake']);
      assert.deepEqual(await ignored({ prompt: '' }), []);
      assert.deepEqual(await ignored({ is_rec: true }), ['lake', 'pans', 'left']);
    });

    test('[PRX-96] renders a prompt of which it understands nothing, and says so', async () => {
      const { api } = await newArtist(server.current);
      const { ignored_words } = await createVideo(api, { ...CLIP, prompt: UNKNOWN });
      assert.deepEqual(ignored_words, ['chef', 'cooking', 'pasta']);
    });
  },
  { environment: QUIET },
);

onAnyEngine(
  'a local stand-in that is free and refuses what it does not understand',
  (server) => {
    test('[PRX-95] costs nothing, and the prices say so', async () => {
      const { api } = await newArtist(server.current, 0);
      const image = await faceText();
      await createImage(api, `${SKIN}/faithful`, { image });
      const { credits } = await createVideo(api, { ...CLIP, prompt: 'the sea', is_rec: true });
      assert.equal(credits, 0);
      assert.equal((await ledgerOf(api)).balance, 0);
      const { body } = await api.get<PriceList>('/proxy/prices');
      const all = body.videos.flatMap(({ prices, extras }) => [
        ...prices.flatMap(({ credits: full, off_peak_credits: half }) => [full, half]),
        ...Object.values(extras),
      ]);
      assert.ok(all.length > 50);
      assert.deepEqual(new Set([...all, ...Object.values(body.images)]), new Set([0]));
    });

    test('[PRX-96] refuses a prompt of which it understands nothing, and says how to generate it', async () => {
      const { api } = await newArtist(server.current, 10);
      const image = await faceText();
      const requests = [
        [`${VIDEO}/text2video`, { ...CLIP, prompt: UNKNOWN }, /landscape.*VIDEO_VENDOR_KEY.*GPU/],
        [`${VIDEO}/text2video`, { ...CLIP, prompt: 'ein Schiff im Sturm' }, /landscape/],
        [`${VIDEO}/img2video`, { ...CLIP, images: [image], prompt: UNKNOWN }, /for a camera move/],
        [RELIGHT, { image, prompt: 'a walrus' }, /time of day.*IMAGE_VENDOR_KEY.*GPU/],
      ] as const;
      for (const [path, body, sentence] of requests) {
        const answer = await api.post<{ message: string }>(path, body);
        assert.equal(answer.status, 400, path);
        assertShape(answer.body, path.startsWith(VIDEO) ? 'details' : 'error');
        assert.match(answer.body.message, sentence);
      }
      await assertNothingMade(api, 'refused prompts');
    });

    test('[PRX-96] takes a prompt of which it understands a word, and an empty one beside an image', async () => {
      const { api } = await newArtist(server.current, 0);
      const images = [await faceText()];
      await createVideo(api, { ...CLIP, prompt: 'a chef by the sea' });
      await createVideo(api, { ...CLIP, images }, 'img2video');
      await createVideo(api, { ...CLIP, images, prompt: UNKNOWN, is_rec: true }, 'img2video');
      await createImage(api, RELIGHT, { image: images[0] });
    });
  },
  {
    environment: {
      ...QUIET,
      ATELIER_LOCAL_RENDERING_FREE: 'on',
      ATELIER_LOCAL_REFUSE_UNKNOWN_PROMPTS: 'on',
    },
  },
);
