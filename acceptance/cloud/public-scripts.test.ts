import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { Client as HostClient } from '@stable-canvas/comfyui-client';
import sharp from 'sharp';
import { WebSocket } from 'ws';

import { type FileReference, newSubmitter, type Outputs, submit } from '../support/cloud.ts';
import { onAnyEngine } from '../support/servers.ts';
import { pictureWorkflow } from '../support/workflows.ts';

/** The ways in which public scripts and clients work, against this server. */
onAnyEngine('public clients', (server) => {
  test('[JOB-1] a script over HTTP alone: submit, poll the status, read the outputs, follow the redirect', async () => {
    const { key } = await newSubmitter(server.current);
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const { url } = server.current;
    const submitted = await fetch(`${url}/api/prompt`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ prompt: pictureWorkflow({ width: 40, height: 30 }) }),
    });
    const { prompt_id } = (await submitted.json()) as { prompt_id: string };
    for (;;) {
      const answer = await fetch(`${url}/api/job/${prompt_id}/status`, { headers });
      const { status } = (await answer.json()) as { status: string };
      assert.ok(!['failed', 'cancelled'].includes(status));
      if (status === 'completed') break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const job = await fetch(`${url}/api/jobs/${prompt_id}`, { headers });
    const { outputs } = (await job.json()) as { outputs: Outputs };
    const [image] = outputs['2']?.['images'] ?? [];
    assert.ok(image);
    await assertPicture(url, key, image, [40, 30]);
  });

  test('[JOB-30] [JOB-31] a script with a WebSocket: `executing` without a node is the end, then the history', async () => {
    const { key } = await newSubmitter(server.current);
    const { url } = server.current;
    const clientId = randomUUID();
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?clientId=${clientId}&token=${key}`);
    const ended = Promise.withResolvers<void>();
    let promptId: string | undefined;
    const early: string[] = [];
    const look = (text: string): void => {
      const message = JSON.parse(text) as {
        type: string;
        data: { node?: string | null; prompt_id?: string };
      };
      if (message.type === 'executing' && message.data.node === null && message.data.prompt_id === promptId) {
        ended.resolve();
      }
    };
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) return;
      if (promptId === undefined) early.push(data.toString());
      else look(data.toString());
    });
    await new Promise((resolve) => socket.on('open', resolve));
    // The script sends no content type of its own; its library says "form".
    const answer = await fetch(`${url}/prompt`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: JSON.stringify({ prompt: pictureWorkflow({ width: 20, height: 10 }), client_id: clientId }),
    });
    promptId = ((await answer.json()) as { prompt_id: string }).prompt_id;
    for (const text of early) look(text);
    await ended.promise;
    socket.close();
    const history = await fetch(`${url}/history/${promptId}`, { headers: { 'X-API-Key': key } });
    const entry = ((await history.json()) as Record<string, { outputs: Outputs }>)[promptId];
    const [image] = entry?.outputs['2']?.['images'] ?? [];
    assert.ok(image);
    await assertPicture(url, key, image, [20, 10]);
  });

  test('[JOB-40] a script with a WebSocket that wants pictures: binary frames while its node is `executing`', async () => {
    const { key } = await newSubmitter(server.current);
    const { url } = server.current;
    const connect = async (clientId: string): Promise<Frames> => {
      const frames = new Frames(`${url.replace('http', 'ws')}/ws?clientId=${clientId}&token=${key}`);
      await frames.next();
      return frames;
    };
    const clientId = randomUUID();
    const [socket, other] = [await connect(clientId), await connect(randomUUID())];
    const submitted = await fetch(`${url}/prompt`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: JSON.stringify({
        prompt: {
          '8': { class_type: 'EmptyImage', inputs: { width: 20, height: 10, batch_size: 3, color: 255 } },
          save_image_websocket_node: { class_type: 'SaveImageWebsocket', inputs: { images: ['8', 0] } },
        },
        client_id: clientId,
      }),
    });
    const { prompt_id: promptId } = (await submitted.json()) as { prompt_id: string };

    const images = await imagesFrom(socket, promptId);
    assert.equal(images.length, 3);
    for (const image of images) {
      assert.deepEqual([image.readUInt32BE(0), image.readUInt32BE(4)], [1, 2]);
      const { format, width, height } = await sharp(image.subarray(8)).metadata();
      assert.deepEqual([format, width, height], ['png', 20, 10]);
    }
    assert.deepEqual(await imagesFrom(other, promptId), [], 'another client of the account gets none');
  });

  test('[JOB-1] [JOB-31] a client library of the host application submits, watches and downloads', async () => {
    const { key } = await newSubmitter(server.current);
    const { host } = new URL(server.current.url);
    const client = new HostClient({
      api_host: host,
      clientId: randomUUID(),
      fetch: async (input: string, init: RequestInit = {}) =>
        await fetch(input, { ...init, headers: withKey(init.headers, key) }),
      WebSocket: class extends WebSocket {
        constructor(address: string) {
          super(`${address}&token=${key}`);
        }
      },
    });
    await client.connect();
    const stats = await client.getSystemStats();
    assert.ok(stats);
    const result = await client.enqueue(pictureWorkflow({ width: 24, height: 18 }), { workflow: {} });
    const [image] = result.images as { type: string; data: unknown }[];
    assert.ok(image);
    const bytes =
      image.type === 'buff'
        ? Buffer.from(image.data as ArrayBuffer)
        : Buffer.from(
            await (await fetch(String(image.data), { headers: { 'X-API-Key': key } })).arrayBuffer(),
          );
    const { width, height } = await sharp(bytes).metadata();
    assert.deepEqual([width, height], [24, 18]);
    client.close();
  });

  test('[JOB-1] what was made by one job is input of the next, by its name', async () => {
    const { api } = await newSubmitter(server.current);
    const first = await api.post<{ outputs: Outputs }>('/api/prompt?wait=60', { prompt: pictureWorkflow() });
    const [image] = first.body.outputs['2']?.['images'] ?? [];
    const second = await api.post<{ status: string }>('/api/prompt?wait=60', {
      prompt: {
        '1': { class_type: 'LoadImage', inputs: { image: `${image?.filename} [output]` } },
        '2': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
      },
    });
    assert.equal(second.body.status, 'completed', JSON.stringify(second.body));
    await submit(api, pictureWorkflow());
  });
});

/** What a socket receives, one frame after another: texts and bytes. */
class Frames {
  readonly #socket: WebSocket;
  readonly #frames: (string | Buffer)[] = [];
  #arrived = Promise.withResolvers<void>();

  constructor(url: string) {
    this.#socket = new WebSocket(url);
    this.#socket.on('message', (data: Buffer, isBinary: boolean) => {
      this.#frames.push(isBinary ? data : data.toString());
      this.#arrived.resolve();
    });
  }

  async next(): Promise<string | Buffer> {
    while (this.#frames.length === 0) {
      await this.#arrived.promise;
      this.#arrived = Promise.withResolvers();
    }
    return this.#frames.shift() ?? '';
  }

  close(): void {
    this.#socket.close();
  }
}

/** As ComfyUI's `websockets_api_example_ws_images.py` does it. */
async function imagesFrom(socket: Frames, promptId: string): Promise<Buffer[]> {
  const images: Buffer[] = [];
  let currentNode: string | null = '';
  for (;;) {
    const out = await socket.next();
    if (typeof out !== 'string') {
      if (currentNode === 'save_image_websocket_node') images.push(out);
      continue;
    }
    const { type, data } = JSON.parse(out) as {
      type: string;
      data: { node: string | null; prompt_id: string };
    };
    if (type !== 'executing' || data.prompt_id !== promptId) continue;
    currentNode = data.node;
    if (currentNode === null) break;
  }
  socket.close();
  return images;
}

function withKey(headers: HeadersInit | undefined, key: string): Headers {
  const all = new Headers(headers);
  all.set('X-API-Key', key);
  return all;
}

/** Fetches a picture as the scripts do: the redirect is followed, and the key stays behind. */
async function assertPicture(
  url: string,
  key: string,
  { filename, subfolder, type }: FileReference,
  size: readonly [number, number],
): Promise<void> {
  const query = new URLSearchParams({ filename, subfolder, type });
  const redirect = await fetch(`${url}/api/view?${query}`, {
    headers: { 'X-API-Key': key },
    redirect: 'manual',
  });
  assert.equal(redirect.status, 302);
  const file = await fetch(redirect.headers.get('location') ?? '');
  assert.equal(file.headers.get('content-type'), 'image/png');
  const { width, height } = await sharp(await file.arrayBuffer()).metadata();
  assert.deepEqual([width, height], size);
}
