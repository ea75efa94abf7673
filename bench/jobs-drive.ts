import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { WebSocket } from 'ws';

import { answer, inputOf } from './in-process.ts';
import { toSample } from './sample.ts';
import { trivialGraph } from './seed-cloud.ts';

/** What the driver of jobs is told. */
export interface JobsDrive {
  readonly url: string;
  readonly keys: readonly string[];
  readonly seconds: number;
  /** `flood`: so many of each account at any moment. `steady`: so many a second. `single`: one after another. */
  readonly pace: { readonly flood: number } | { readonly steady: number } | 'single';
}

const { url, keys, seconds, pace } = await inputOf<JobsDrive>();
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const accepted: number[] = [];
const finished: number[] = [];
const begun = new Map<string, { readonly at: number; readonly onEnd: () => void }>();
const early = new Map<string, number>();

const sockets = keys.map((key) => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?token=${key}`);
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) return;
    const text = data.toString();
    // Only the end counts; reading every message would measure the driver.
    if (!text.includes('"execution_success"')) return;
    const { data: about } = JSON.parse(text) as { data: { prompt_id: string } };
    const now = performance.now();
    const job = begun.get(about.prompt_id);
    if (job) end(about.prompt_id, job, now);
    else early.set(about.prompt_id, now);
  });
  return socket;
});
await Promise.all(sockets.map(async (socket) => await once(socket, 'open')));

function end(
  id: string,
  { at, onEnd }: { readonly at: number; readonly onEnd: () => void },
  now: number,
): void {
  begun.delete(id);
  finished.push(now - at);
  onEnd();
}

async function submit(key: string, onEnd: () => void): Promise<void> {
  const at = performance.now();
  const { prompt_id } = await post(key, JSON.stringify({ prompt: trivialGraph(randomUUID()) }));
  accepted.push(performance.now() - at);
  const endedAt = early.get(prompt_id);
  if (endedAt === undefined) begun.set(prompt_id, { at, onEnd });
  else end(prompt_id, { at, onEnd }, endedAt);
}

async function post(key: string, body: string): Promise<{ prompt_id: string }> {
  return await new Promise((resolve, reject) => {
    const call = request(
      `${url}/api/prompt`,
      {
        agent,
        method: 'POST',
        headers: {
          'x-api-key': key,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          if (response.statusCode === 200) resolve(JSON.parse(text) as { prompt_id: string });
          else reject(new Error(`the submission was answered with ${response.statusCode}: ${text}`));
        });
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

const start = performance.now();
const isOver = () => performance.now() - start > seconds * 1000;

async function single(key: string): Promise<void> {
  while (!isOver()) await new Promise<void>((resolve, reject) => void submit(key, resolve).catch(reject));
}

if (pace === 'single') {
  await single(keys[0] ?? '');
} else if ('flood' in pace) {
  await Promise.all(keys.flatMap((key) => Array.from({ length: pace.flood }, async () => await single(key))));
} else {
  const calls: Promise<void>[] = [];
  for (let n = 0; !isOver(); n += 1) {
    const due = start + (n * 1000) / pace.steady;
    const left = due - performance.now();
    if (left > 1) await new Promise((resolve) => setTimeout(resolve, left));
    calls.push(submit(keys[n % keys.length] ?? '', () => {}));
  }
  await Promise.all(calls);
}
const span = performance.now() - start;
for (const socket of sockets) socket.terminate();
agent.destroy();
answer({ accepted: toSample(accepted, span), finished: toSample(finished, span) });
