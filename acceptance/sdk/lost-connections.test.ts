import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { AtelierError, ConnectionError, createAtelier, type JobEvent, TimeoutError } from '@atelier/sdk';
import { freePort, startServer } from '@atelier/testing';

import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { HOLDING } from '../support/held-jobs.ts';
import { newClient, patience } from '../support/sdk.ts';
import { until } from '../support/until.ts';
import { pictureWorkflow } from '../support/workflows.ts';

/** Shows a text and then waits for a file. */
function heldWorkflow(path: string) {
  return {
    '1': { class_type: 'PrimitiveString', inputs: { value: path } },
    '2': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
    '3': { class_type: 'TestHold', inputs: { until: path, source: ['2', 0] } },
  };
}

/** What is sent once; progress may be left out. */
function kept(events: readonly JobEvent[]): string[] {
  return events
    .filter(({ type }) => !type.startsWith('progress') && type !== 'notification')
    .map(({ type, data, attempt }) => `${attempt} ${type} ${'node' in data ? data.node : ''}`.trim());
}

const ATTEMPT = [
  'execution_start',
  'execution_cached',
  'executing 1',
  'executing 2',
  'executed 2',
  'executing 3',
];
const END = ['executed 3', 'execution_success'];

test('[JOB-37] a server that is killed and comes back is followed to the end, without a gap or a repeat', async () => {
  const port = await freePort();
  const first = await startServer({ environment: { ...HOLDING, ATELIER_PORT: String(port) } });
  let server = first;
  try {
    const atelier = await newClient(server);
    const path = join(server.dataFolder, `let-go-${randomUUID()}`);
    const job = await atelier.jobs.submit(heldWorkflow(path));
    const events: JobEvent[] = [];
    const watching = (async () => {
      for await (const event of job.events({ signal: patience() })) events.push(event);
    })();
    const result = job.result({ signal: patience() });
    await until('the node that waits', () => kept(events).find((event) => event === '1 executing 3'));

    await server.stop('SIGKILL');
    // While it is away no client hears of an end.
    await assert.rejects(atelier.server.health(), ConnectionError);
    server = await server.restart();
    await until('the second attempt', () => kept(events).find((event) => event === '2 executing 3'));
    await writeFile(path, '');

    await watching;
    assert.deepEqual(kept(events), [
      ...ATTEMPT.map((event) => `1 ${event}`),
      ...[...ATTEMPT, ...END].map((event) => `2 ${event}`),
    ]);
    assert.deepEqual((await result).values['3'], { text: ['let go'] });
  } finally {
    await server[Symbol.asyncDispose]();
  }
});

test('[JOB-37] a connection that breaks again and again tells everything once', async () => {
  await using server = await startServer({ environment: HOLDING });
  const direct = await newClient(server);
  await using proxy = await startCuttingProxy(server.url);
  const atelier = createAtelier({ url: proxy.url, apiKey: direct.key });
  const path = join(server.dataFolder, `let-go-${randomUUID()}`);
  const job = await atelier.jobs.submit(heldWorkflow(path));
  proxy.cutAfter(700);
  proxy.cut();
  const before = proxy.connections();
  const events: JobEvent[] = [];
  for await (const event of job.events({ signal: patience() })) {
    events.push(event);
    if (event.type === 'executing' && event.data.node === '3') {
      proxy.cut();
      await writeFile(path, '');
    }
  }
  assert.deepEqual(
    kept(events),
    [...ATTEMPT, ...END].map((event) => `1 ${event}`),
  );
  assert.ok(proxy.connections() - before > 2, 'the connection was to break');
});

test('[JOB-48] previews come as bytes', async () => {
  await using server = await startServer({ environment: HOLDING });
  const atelier = await newClient(server);
  const path = join(server.dataFolder, `let-go-${randomUUID()}`);
  const job = await atelier.jobs.submit({ '1': { class_type: 'TestSteps', inputs: { until: path } } });
  const seen: JobEvent[] = [];
  for await (const event of job.events({ previews: true, signal: patience() })) {
    if (event.type !== 'preview') continue;
    seen.push(event);
    assert.equal(event.data.node_id, '1');
    assert.equal(event.data.image_type, 'image/jpeg');
    assert.deepEqual(event.bytes.slice(0, 2), Uint8Array.of(0xff, 0xd8));
    assert.equal(event.bytes.length, 5);
    if (seen.length === 3) await writeFile(path, '');
  }
  assert.ok(seen.length >= 3);
  for await (const event of job.events({ signal: patience() })) assert.notEqual(event.type, 'preview');
});

test('a download that breaks off goes on where it was, and is checked', async () => {
  await using server = await startServer();
  const direct = await newClient(server);
  const noise = {
    ...pictureWorkflow({ width: 512, height: 512 }),
    '2': { class_type: 'ImageAddNoise', inputs: { image: ['1', 0], seed: 1, strength: 1 } },
    '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'noise' } },
  };
  const { outputs } = await direct.jobs.run(noise, { signal: patience() });
  const whole = await outputs[0]?.download();
  assert.ok(whole && whole.length > 300_000);

  await using proxy = await startCuttingProxy(server.url);
  // Links are of the server itself; the way there is the proxy's.
  const asked: (string | null)[] = [];
  const atelier = createAtelier({
    url: proxy.url,
    apiKey: direct.key,
    fetch: async (input, init) => {
      const url = new URL(new Request(input).url);
      asked.push(new Headers(init?.headers).get('range'));
      return await fetch(`${proxy.url}${url.pathname}${url.search}`, init);
    },
  });
  proxy.cutAfter(200_000);
  const progress: number[] = [];
  const file = atelier.files.open({ filename: outputs[0]?.name ?? '' });
  const bytes = await file.download({
    onProgress: ({ loaded }) => progress.push(loaded),
    signal: patience(),
  });
  assert.deepEqual(Buffer.from(bytes).equals(Buffer.from(whole)), true);
  assert.ok(
    asked.some((range) => range !== null),
    'the rest was to be asked for',
  );
  assert.ok(progress.every((loaded, index) => loaded > (progress[index - 1] ?? 0)));
  assert.equal(progress.at(-1), whole.length);
});

test('[CLI-22] a server that takes a connection and does not answer is waited for once', async () => {
  let requests = 0;
  const server = createServer(() => {
    requests += 1;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await assert.rejects(createAtelier({ url, apiKey: 'none', timeoutMs: 200 }).account.get(), TimeoutError);
  assert.equal(requests, 1);
  server.closeAllConnections();
  server.close();
});

test('an answer without an end is read to a bound, once', async () => {
  let requests = 0;
  const spaces = Buffer.alloc(2 ** 20, ' ');
  const server = createServer((_request, response) => {
    requests += 1;
    const more = (): void => void (response.destroyed || response.write(spaces, () => setImmediate(more)));
    more();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await assert.rejects(createAtelier({ url, apiKey: 'none' }).account.get(), /has more than 256 MiB/);
  assert.equal(requests, 1);
  server.closeAllConnections();
  server.close();
});

test('a server that is not there is a ConnectionError that says so, after some tries', async () => {
  const atelier = createAtelier({ url: `http://127.0.0.1:${await freePort()}`, apiKey: 'none', retries: 1 });
  await assert.rejects(atelier.account.get(), (error: unknown) => {
    assert.ok(error instanceof ConnectionError && error instanceof AtelierError);
    assert.match(error.message, /^Cannot reach http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/);
    assert.equal(error.isRetryable, true);
    return true;
  });
});
