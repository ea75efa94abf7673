import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import {
  type Artist,
  createImage,
  createVideo,
  IMAGE_CREATES,
  ledgerOf,
  NOT_RENDERING,
  newArtist,
  RELIGHT,
  tasksOf,
  VIDEO_MODELS,
  type VideoModel,
} from '../support/generation.ts';
import { onAnyEngine } from '../support/servers.ts';
import { faceText } from '../support/test-pictures.ts';
import { DURATIONS, RESOLUTIONS } from '../support/video-rules.ts';

const prompt = 'a fox in the snow';

/** The table of prices, with an image. */
const PRICES: Readonly<Record<VideoModel, Readonly<Record<string, (s: number) => number>>>> = {
  'clipq3-pro': { '540p': (s) => 9 * s, '720p': (s) => 20 * s, '1080p': (s) => 24 * s, '2K': (s) => 40 * s },
  'clipq2-pro-fast': { '720p': (s) => 8 + 2 * (s - 1), '1080p': (s) => 16 + 4 * (s - 1) },
  'clipq2-pro': {
    '540p': (s) => (s === 1 ? 8 : 10 + 5 * (s - 2)),
    '720p': (s) => 15 + 10 * (s - 1),
    '1080p': (s) => 55 + 15 * (s - 1),
  },
  'clipq2-turbo': {
    '540p': (s) => 6 + 2 * (s - 1),
    '720p': (s) => (s === 1 ? 8 : 10 + 10 * (s - 2)),
    '1080p': (s) => 35 + 10 * (s - 1),
  },
  clipq1: { '1080p': () => 80 },
  'clipq1-classic': { '1080p': () => 80 },
  'clip2.0': { '360p': () => 20, '720p': (s) => (s === 4 ? 40 : 100), '1080p': () => 100 },
};

interface PriceList {
  readonly images: Readonly<Record<string, number>>;
  readonly videos: readonly {
    readonly model: string;
    readonly prices: readonly {
      readonly resolution: string;
      readonly duration: number;
      readonly credits: number;
      readonly off_peak_credits: number;
    }[];
    readonly extras: Readonly<Record<'audio' | 'bgm' | 'is_rec', number>>;
  }[];
}

onAnyEngine(
  'what generation costs',
  (server) => {
    let artist: Artist;
    let image: string;
    let images: readonly string[];
    before(async () => {
      artist = await newArtist(server.current, 1_000_000);
      image = await faceText();
      images = [image];
    });
    const video = async (body: object) => await createVideo(artist.api, body);

    test('[PRX-93] the price list has every video that can be asked for, at the price that is charged', async () => {
      const { status, body } = await artist.api.get<PriceList>('/proxy/prices');
      assert.equal(status, 200);
      assert.deepEqual(body.images, { 'skin-enhancer': 3, 'image-relight': 4 });
      const listed = body.videos.flatMap(({ model, prices }) =>
        prices.map(({ resolution, duration, credits }) => `${model} ${resolution} ${duration}: ${credits}`),
      );
      const expected = VIDEO_MODELS.flatMap((model) =>
        [...new Set(DURATIONS[model])].flatMap((duration) =>
          RESOLUTIONS[model]
            .filter((resolution) => !(model === 'clip2.0' && duration === 8 && resolution !== '720p'))
            .map((resolution) => {
              const credits = PRICES[model][resolution]?.(duration);
              return `${model} ${resolution} ${duration}: ${credits}`;
            }),
        ),
      );
      assert.deepEqual(listed.toSorted(), expected.toSorted());
      for (const { model, prices, extras } of body.videos) {
        const [price] = prices;
        assert.ok(price);
        const { resolution, duration, off_peak_credits: base } = price;
        const wish = { model, images, resolution, duration, off_peak: true, is_rec: true };
        assert.equal((await video({ ...wish, audio: false })).credits, base + extras.is_rec, model);
        const loud = await video({ ...wish, audio: true, bgm: true });
        assert.equal(loud.credits, base + extras.is_rec + extras.audio + extras.bgm, model);
      }
    });

    test('[PRX-32] [PRX-52] a video costs what the table says, at every resolution and at the ends of every range', async () => {
      for (const model of VIDEO_MODELS) {
        const seconds = new Set([...DURATIONS[model].slice(0, 3), DURATIONS[model].at(-1) ?? 0]);
        for (const duration of seconds) {
          for (const resolution of RESOLUTIONS[model]) {
            if (model === 'clip2.0' && duration === 8 && resolution !== '720p') continue;
            const body = { model, images, duration, resolution, audio: false };
            const { credits, ...answer } = await video(body);
            assert.equal(
              credits,
              PRICES[model][resolution]?.(duration),
              JSON.stringify({ ...body, images: 1 }),
            );
            assert.partialDeepStrictEqual(answer, { duration, resolution });
          }
        }
      }
    });

    test('[PRX-52] [PRX-54] what an answer says is what the balance loses, and an image costs what is set', async () => {
      const { api } = await newArtist(server.current, 1000);
      const { credits, task_id: id } = await createVideo(api, { model: 'clipq1', prompt });
      assert.equal(credits, 80);
      const skins = IMAGE_CREATES.slice(0, 3);
      for (const path of skins) await createImage(api, path, { image });
      await createImage(api, RELIGHT, { image });
      const { balance, entries } = await ledgerOf(api);
      assert.equal(balance, 1000 - 80 - 3 * 3 - 4);
      assert.deepEqual(
        entries.map(({ kind, amount }) => [kind, amount]),
        [['reserve', -4], ...skins.map(() => ['reserve', -3]), ['reserve', -80], ['grant', 1000]],
      );
      assert.equal(entries.find(({ amount }) => amount === -80)?.reference, `task:${id}`);
      const { tasks } = await tasksOf(api);
      assert.deepEqual(
        tasks.map((task) => task.credits),
        [4, 3, 3, 3, 80],
      );
    });

    test('[PRX-53] off-peak halves the video alone, rounded up, and what has an effect costs more', async () => {
      for (const [body, credits] of [
        [{ model: 'clipq3-pro', prompt, duration: 1, resolution: '540p', off_peak: true }, 5],
        [{ model: 'clipq3-pro', prompt, duration: 1, resolution: '540p', is_rec: true }, 19],
        [{ model: 'clipq3-pro', prompt, duration: 1, resolution: '540p', is_rec: true, off_peak: true }, 15],
        // Neither has an effect here.
        [{ model: 'clipq3-pro', prompt, duration: 1, resolution: '540p', audio: true, bgm: true }, 9],
        [{ model: 'clipq2-turbo', images, duration: 1, resolution: '540p', audio: true }, 21],
        [{ model: 'clipq2-turbo', images, duration: 1, resolution: '540p', audio: true, bgm: true }, 36],
        [{ model: 'clipq2-pro-fast', images, duration: 9, bgm: true }, 24],
        [{ model: 'clipq2-pro-fast', images, duration: 8, bgm: true }, 37],
        [{ model: 'clipq1', prompt, bgm: true, audio: true }, 95],
        [{ model: 'clip2.0', images, audio: true, bgm: true, is_rec: true, off_peak: true }, 35],
      ] as const) {
        assert.equal((await video(body)).credits, credits, JSON.stringify(body).slice(0, 100));
      }
    });
  },
  { environment: NOT_RENDERING },
);
