import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';

import { file, send } from '../support/assets.ts';
import { createImage, endOfImage, newArtist, SKIN } from '../support/generation.ts';
import { type Answer, type Client, client } from '../support/http-client.ts';
import { type PictureHost, startPictureHost } from '../support/picture-host.ts';
import { newName, newStudio, publish, upload as uploadArchive } from '../support/registry-publishing.ts';
import { onAnyEngine } from '../support/servers.ts';
import { announce, put } from '../support/storage.ts';
import { image, sendForm, upload } from '../support/user-files.ts';

const MIB = 1024 * 1024;
const TOO_LARGE = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(MIB)]);
const SENTENCE = `The file is larger than ${MIB} bytes.`;

let host: PictureHost;
after(() => host.close());

onAnyEngine(
  'ATELIER_UPLOAD_MAX_MB',
  (server) => {
    let api: Client;
    before(async () => {
      ({ api } = await newArtist(server.current));
    });

    const assertRefused = (answer: Answer<unknown>, status: number, sentence = SENTENCE) => {
      assert.equal(answer.status, status);
      assert.ok(JSON.stringify(answer.body).includes(sentence), JSON.stringify(answer.body));
    };

    test('[STO-19] takes a file of exactly that size, and the editor learns the limit', async () => {
      await upload(api, randomBytes(MIB), 'a.bin');
      const { body } = await api.get<{ max_upload_size: number }>('/api/features');
      assert.equal(body.max_upload_size, MIB);
    });

    test('[STO-19] holds for pictures, masks and assets of workflows', async () => {
      for (const path of ['/api/upload/image', '/upload/image', '/api/upload/mask', '/upload/mask']) {
        assertRefused(await sendForm(api, path, [image(TOO_LARGE, 'a.png')]), 400);
      }
      assertRefused(await send(api, file(TOO_LARGE), ['tags', 'input']), 400);
    });

    test('[STO-19] holds behind a granted address', async () => {
      const { body } = await api.post<{ upload_path: string }>('/api/inputs/upload-url', {
        content_type: 'image/png',
      });
      const stranger = client(server.current.url);
      const headers = { 'content-type': 'image/png' };
      assertRefused(await stranger.request('PUT', body.upload_path, { headers, body: TOO_LARGE }), 413);
    });

    test('[STO-19] holds for uploads behind links', async () => {
      const { upload_url: uploadUrl } = await announce(api);
      assertRefused(await put(server.current, uploadUrl, TOO_LARGE), 413);
    });

    test('[STO-19] holds for archives of packs, whose own setting is larger here', async () => {
      const studio = await newStudio(server.current);
      const { signedUrl } = await publish(server.current, studio, newName('pack'));
      assertRefused(await uploadArchive(server.current, signedUrl, TOO_LARGE), 413);
    });

    test('[STO-19] holds for user data of the editor', async () => {
      const headers = { 'content-type': 'application/octet-stream' };
      const options = { headers, body: TOO_LARGE };
      const answer = await api.request('POST', '/userdata/large.bin', options);
      assert.equal(answer.status, 413);
    });

    test('[STO-19] holds for pictures of tasks, in the request and behind a URL', async () => {
      const path = `${SKIN}/creative`;
      const inline = await api.post(path, { image: TOO_LARGE.toString('base64') });
      assertRefused(inline, 400, `image must have at most ${MIB} bytes`);
      host.serve('/large.png', TOO_LARGE, 'image/png');
      const { task_id: id } = await createImage(api, path, { image: host.url('/large.png') });
      const { status, error } = await endOfImage(api, id);
      assert.equal(status, 'FAILED');
      assert.equal(error?.code, 'ImageDownloadFailure');
    });
  },
  {
    environment: async () => {
      host = await startPictureHost();
      return {
        ATELIER_UPLOAD_MAX_MB: '1',
        ATELIER_PACK_MAX_MB: '2',
        ATELIER_OUTBOUND_ALLOW: `127.0.0.1:${host.port}`,
      };
    },
  },
);
