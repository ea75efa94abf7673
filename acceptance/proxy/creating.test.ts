import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import {
  type Artist,
  assertNothingMade,
  createImage,
  createVideo,
  IMAGE_CREATES,
  type ImageTask,
  imageTask,
  MODES,
  NOT_RENDERING,
  newArtist,
  PUBLIC_URL,
  RELIGHT,
  RENDERED_HERE,
  SKIN,
  tasksOf,
  UUID,
  VIDEO,
  VIDEO_CREATES,
  VIDEO_MODELS,
} from '../support/generation.ts';
import { client } from '../support/http-client.ts';
import { admin, cookieOf, newPerson, tokenOf } from '../support/people.ts';
import { sendRaw } from '../support/raw-socket.ts';
import { oddBodies } from '../support/refused-requests.ts';
import { onEachEngine } from '../support/servers.ts';
import { faceText } from '../support/test-pictures.ts';

const MIB = 1024 * 1024;
const prompt = 'a fox in the snow';

onEachEngine(
  'creating tasks',
  (server) => {
    let artist: Artist;
    let image: string;
    before(async () => {
      artist = await newArtist(server.current, 1_000_000);
      image = await faceText();
    });
    const make = async (path: string, body: object) => await createImage(artist.api, path, body);
    const video = async (body: object, route?: string) => await createVideo(artist.api, body, route);

    test('[PRX-1] [PRX-2] [PRX-70] an image task has begun, and can be looked at, when its create is answered', async () => {
      for (const path of IMAGE_CREATES) {
        const answer = await artist.api.post<{ data: ImageTask }>(path, { image });
        assert.equal(answer.status, 200);
        const { task_id: id } = answer.body.data;
        assert.match(id, UUID);
        const begun = { task_id: id, status: 'CREATED', generated: [], ...RENDERED_HERE };
        assert.deepEqual(answer.body, { data: begun });
        assert.deepEqual(await imageTask(artist.api, id, path === RELIGHT ? RELIGHT : SKIN), begun);
        assert.equal((await tasksOf(artist.api, 'limit=1')).tasks[0]?.id, id);
      }
    });

    test('[PRX-4] a token, a key and a session are taken; nothing gets 401, a banned user 403', async () => {
      const person = await newPerson(server.current);
      await admin(server.current).post(`/admin/users/${person.id}/credits`, { amount: 10 });
      const { url } = server.current;
      const cookie = await cookieOf(server.current, person);
      const bearer = await tokenOf(server.current, person);
      for (const who of [client(url, { bearer }), client(url, { cookie, origin: url })]) {
        const { task_id: id } = await createImage(who, `${SKIN}/faithful`, { image });
        assert.equal((await imageTask(who, id)).status, 'CREATED');
        for (const path of ['/proxy/tasks', '/proxy/vendors'])
          assert.equal((await who.get(path)).status, 200);
      }
      const foreign = client(url, { cookie, origin: 'https://elsewhere.example' });
      assert.equal((await foreign.post(`${SKIN}/faithful`, { image })).status, 403);
      const routes = [
        ...IMAGE_CREATES.map((path) => ['POST', path, 'error'] as const),
        ...VIDEO_CREATES.map((path) => ['POST', path, 'details'] as const),
        ['GET', `${SKIN}/x`, 'error'],
        ['GET', `${RELIGHT}/x`, 'error'],
        ['GET', `${VIDEO}/tasks/x/creations`, 'details'],
        ['GET', '/proxy/tasks', 'error'],
        ['GET', '/proxy/vendors', 'error'],
      ] as const;
      await admin(server.current).post(`/admin/users/${person.id}/ban`, { reason: 'a test' });
      for (const [method, path, shape] of routes) {
        const options = method === 'POST' ? { body: { image } } : {};
        const refused = await client(url).request(method, path, options);
        assert.equal(refused.status, 401, path);
        assertShape(refused.body, shape);
        const banned = await client(url, { bearer }).request(method, path, options);
        assert.equal(banned.status, 403, path);
        assertShape(banned.body, shape);
      }
    });

    test('[PRX-5] unknown fields are ignored, and null is as good as absent', async () => {
      const odd = { unknown: 1, advanced: { deep: [null, {}] }, model_: 'x', '': '' };
      const nothing = { sharpen: null, smart_grain: null, skin_detail: null, webhook_url: null };
      await make(`${SKIN}/faithful`, { image, ...odd, ...nothing });
      await make(RELIGHT, {
        image,
        ...odd,
        prompt: null,
        advanced_settings: { engine: null, unknown: true },
      });
      const { duration, payload } = await video({
        model: 'clipq3-pro',
        prompt,
        ...odd,
        images: null,
        duration: null,
        payload: null,
        callback_url: null,
      });
      assert.deepEqual([duration, payload], [5, '']);
    });

    test('[PRX-5] [PRX-3] bytes that are no such body get 400, 413 or 415 in the shape of their vendor, and make nothing', async () => {
      const who = await newArtist(server.current);
      for (const [path, start, shape] of [
        [`${SKIN}/faithful`, `{"image":"${image}"`, 'error'],
        [RELIGHT, `{"image":"${image}"`, 'error'],
        [`${VIDEO}/text2video`, '{"model":"clipq3-pro","prompt":"a"', 'details'],
      ] as const) {
        for (const { status, body, headers } of oddBodies(start)) {
          const answer = await who.api.request('POST', path, { body, headers });
          assert.equal(
            answer.status,
            status,
            `${path} ${String(body).slice(0, 60)} ${JSON.stringify(headers)}`,
          );
          assertShape(answer.body, shape);
        }
        const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${who.key}\r\nContent-Type: application/json\r\n`;
        const large = await sendRaw(server.current.url, `${head}Content-Length: ${72 * MIB + 1}\r\n\r\n`);
        assert.equal(large?.status, 413);
        assertShape(JSON.parse(large.body), shape);
      }
      await assertNothingMade(who.api, 'odd bytes');
    });

    test('[PRX-10] [PRX-11] a picture is base64, a data URL or an https URL, in every field that has one', async () => {
      const forms = [PUBLIC_URL, `  ${PUBLIC_URL}\n`, 'HTTPS://93.184.215.14:8443/a?b=c#d'];
      for (const format of ['png', 'jpeg', 'webp'] as const) {
        const text = await faceText({ format });
        forms.push(text, text.replaceAll(/.{76}/g, '$&\r\n'), `data:image/${format};base64,${text}`);
        forms.push(`DATA:image/${format};name=a.b;BASE64,${text}`, `data:;base64,${text}`);
      }
      forms.push(`data:image/jpg;base64,${await faceText({ format: 'jpeg' })}`, image.replace(/=+$/, ''));
      for (const form of forms) await make(`${SKIN}/creative`, { image: form });
      for (const form of [PUBLIC_URL, image, `data:image/png;base64,${image}`]) {
        await make(RELIGHT, { image: form, transfer_light_from_reference_image: form });
        await make(RELIGHT, { image, transfer_light_from_lightmap: form });
        await video({ model: 'clipq2-turbo', images: [form] });
      }
      await video({ model: 'clipq3-pro', prompt, watermark: true, wm_url: PUBLIC_URL });
      // At the bounds of the shape of a start frame.
      for (const [width, height] of [
        [16, 64],
        [64, 16],
      ] as const) {
        await video({ model: 'clipq3-pro', images: [await faceText({ width, height })] });
      }
    });

    test('[PRX-20] the skin enhancer takes the bounds of each field, and each purpose', async () => {
      for (const edge of [0, 100, 50.0]) {
        for (const mode of MODES) {
          await make(`${SKIN}/${mode}`, { image, sharpen: edge, smart_grain: edge, skin_detail: edge });
        }
      }
      const purposes = 'enhance_skin improve_lighting enhance_everything transform_to_real no_make_up';
      for (const purpose of purposes.split(' ')) {
        await make(`${SKIN}/flexible`, { image, optimized_for: purpose });
      }
    });

    test('[PRX-21] [PRX-22] relight takes every word and the bounds of every number', async () => {
      const words = {
        style: 'standard darker_but_realistic clean smooth brighter contrasted_n_hdr just_composition',
        engine: 'automatic balanced cool real illusio fairy colorful_anime hard_transform softy',
        transfer_light_a: 'automatic low medium normal high high_on_faces',
        transfer_light_b:
          'automatic composition straight smooth_in smooth_out smooth_both reverse_both soft_in soft_out soft_mid strong_mid style_shift strong_shift',
      };
      for (const [field, all] of Object.entries(words)) {
        for (const word of all.split(' ')) {
          const wish = { [field]: word };
          await make(RELIGHT, { image, ...(field === 'style' ? wish : { advanced_settings: wish }) });
        }
      }
      for (const edge of [0, 100]) {
        const [whites, blacks, brightness, contrast, saturation] = Array<number>(5).fill(edge);
        await make(RELIGHT, {
          image,
          light_transfer_strength: edge,
          interpolate_from_original: edge === 0,
          change_background: edge === 0,
          preserve_details: edge === 0,
          advanced_settings: {
            whites,
            blacks,
            brightness,
            contrast,
            saturation,
            fixed_generation: edge === 0,
          },
        });
      }
    });

    test('[PRX-23] [PRX-24] a prompt stands beside either light, with weights from 1 to 1.4 and plain text in brackets', async () => {
      for (const light of ['transfer_light_from_reference_image', 'transfer_light_from_lightmap']) {
        await make(RELIGHT, { image, [light]: image, prompt: '(soft light:1) and (rim light:1.4)' });
      }
      for (const text of [
        '',
        '(golden hour:1.25) over ((the (old:1.1) sea:1.0):1.3)',
        '(sunset at 19:30)',
        '(at 7:05)',
        '(16:9)',
        '(poster of 1999:2000)',
        String.raw`\(rim light:1.9\)`,
        '((((((',
        '(rim light:1.9',
        'ж'.repeat(10_000),
        '🦊'.repeat(10_000),
      ]) {
        await make(RELIGHT, { image, prompt: text });
      }
    });

    test('[PRX-72] a task that is unknown, somebody else’s, of another kind or no UUID gets 404', async () => {
      const skin = (await make(`${SKIN}/faithful`, { image })).task_id;
      const relit = (await make(RELIGHT, { image })).task_id;
      const film = (await video({ model: 'clipq3-pro', prompt })).task_id;
      const other = await newArtist(server.current, 0);
      const odd = [
        '01a1df22-f7a0-7eb8-a196-3d9c39395ecc',
        'x',
        skin.toUpperCase(),
        `${skin}0`,
        '-1',
        'faithful',
      ];
      const show = { skin: `${SKIN}/ID`, relit: `${RELIGHT}/ID`, film: `${VIDEO}/tasks/ID/creations` };
      const rows = [
        [artist, show.skin, [relit, film, ...odd]],
        [artist, show.relit, [skin, film, ...odd]],
        [artist, show.film, [skin, relit, ...odd]],
        [other, show.skin, [skin]],
        [other, show.relit, [relit]],
        [other, show.film, [film]],
      ] as const;
      for (const [who, path, ids] of rows) {
        for (const id of ids) {
          const answer = await who.api.get(path.replace('ID', id));
          assert.equal(answer.status, 404, `${path} ${id}`);
          assertShape(answer.body, path === show.film ? 'details' : 'error');
        }
      }
      assert.deepEqual((await tasksOf(other.api)).tasks, []);
    });

    test('[PRX-90] it is told who generates, that it is this server, and what it cannot', async () => {
      const { status, body } = await artist.api.get<{ vendors: Record<string, unknown>[] }>('/proxy/vendors');
      assert.equal(status, 200);
      assert.deepEqual(
        body.vendors.map(({ vendor, local, models }) => ({ vendor, local, models })),
        [
          { vendor: 'imagevendor', local: true, models: undefined },
          { vendor: 'videovendor', local: true, models: [...VIDEO_MODELS] },
        ],
      );
      for (const { about, title, adapter, host } of body.vendors) {
        assert.match(String(about), /stand-in without a model/);
        assert.match(String(title), /stand-in/);
        assert.match(String(adapter), /local/);
        assert.equal(host, undefined);
      }
    });

    test('[PRX-20] [PRX-21] [PRX-32] the description tells each field’s bounds, words and default', async () => {
      const { body } = await client(server.current.url).get<Description>('/openapi');
      const fieldsOf = (name: string) => body.components.schemas[name]?.properties ?? {};
      const faithful = fieldsOf('SkinFaithfulRequest');
      const percent = { type: 'integer', minimum: 0, maximum: 100 };
      assert.partialDeepStrictEqual(faithful['sharpen'], { ...percent, default: 0 });
      assert.partialDeepStrictEqual(faithful['smart_grain'], { ...percent, default: 2 });
      assert.partialDeepStrictEqual(faithful['skin_detail'], { ...percent, default: 80 });
      assert.equal(fieldsOf('SkinFlexibleRequest')['optimized_for']?.default, 'enhance_skin');
      const relight = fieldsOf('RelightRequest');
      assert.partialDeepStrictEqual(relight['light_transfer_strength'], { ...percent, default: 100 });
      assert.deepEqual(
        ['interpolate_from_original', 'change_background', 'preserve_details', 'style'].map(
          (field) => relight[field]?.default,
        ),
        [false, true, true, 'standard'],
      );
      const film = fieldsOf('VideoTaskRequest');
      assert.partialDeepStrictEqual(film['duration'], { minimum: 1, maximum: 16 });
      assert.equal(film['images']?.maxItems, 1);
      assert.deepEqual(film['resolution']?.enum, ['360p', '540p', '720p', '1080p', '2K']);
      for (const path of [...IMAGE_CREATES, ...VIDEO_CREATES]) {
        const codes = Object.keys(body.paths[path]?.post?.responses ?? {});
        for (const code of ['200', '400', '401', '402', '403', '413', '415', '429']) {
          assert.ok(codes.includes(code), `${path} ${code}`);
        }
      }
    });
  },
  { environment: NOT_RENDERING },
);

interface Field {
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly maxItems?: number;
}

interface Description {
  readonly paths: Readonly<Record<string, { readonly post?: { readonly responses: object } }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties: Readonly<Record<string, Field>> }>>;
  };
}
