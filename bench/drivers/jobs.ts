import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';

import { closeConnections, httpCall } from '../http-call.ts';
import { answer, inputOf } from '../in-process.ts';
import { toSample } from '../measure.ts';
import { trivialGraph } from '../seed-cloud.ts';

/** The input of the driver. */
export interface JobsDrive {
  readonly url: string;
  readonly keys: readonly string[];
  readonly seconds: number;
  /** `flood`: so many of each account at any moment. `steady`: so many a second. `single`: one after another. */
  readonly pace: { readonly flood: number } | { readonly steady: number } | 'single';
}

const { url, keys, seconds, pace } = await inputOf<JobsDrive>();
const accepted: number[] = [];
const finished: number[] = [];
/** Both wait for each other: a job may end before its submission is answered. */
const ends = new Map<string, PromiseWithResolvers<number>>();

function endOf(id: string): PromiseWithResolvers<number> {
  const known = ends.get(id) ?? Promise.withResolvers<number>();
  ends.set(id, known);
  return known;
}

const sockets = keys.map((key) => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?token=${key}`);
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    // Only the end counts; reading every message would measure the driver.
    if (isBinary || !data.includes('"execution_success"')) return;
    const { data: about } = JSON.parse(data.toString()) as { data: { prompt_id: string } };
    endOf(about.prompt_id).resolve(performance.now());
  });
  return socket;
});
await Promise.all(sockets.map(async (socket) => await once(socket, 'open')));

const start = performance.now();
const isOver = () => performance.now() - start > seconds * 1000;

async function run(key = ''): Promise<void> {
  const at = performance.now();
  const body = JSON.stringify({ prompt: trivialGraph(randomUUID()) });
  const { prompt_id } = JSON.parse(await httpCall(`${url}/api/prompt`, key, body)) as { prompt_id: string };
  accepted.push(performance.now() - at);
  finished.push((await endOf(prompt_id).promise) - at);
  ends.delete(prompt_id);
}

async function runUntilTheEnd(key?: string): Promise<void> {
  while (!isOver()) await run(key);
}

if (pace === 'single') {
  await runUntilTheEnd(keys[0]);
} else if ('flood' in pace) {
  const strands = keys.flatMap((key) => Array.from({ length: pace.flood }, () => key));
  await Promise.all(strands.map(runUntilTheEnd));
} else {
  const jobs: Promise<void>[] = [];
  for (let n = 0; !isOver(); n += 1) {
    const left = start + (n * 1000) / pace.steady - performance.now();
    if (left > 1) await wait(left);
    jobs.push(run(keys[n % keys.length]));
  }
  await Promise.all(jobs);
}
const span = performance.now() - start;
for (const socket of sockets) socket.terminate();
closeConnections();
answer({ accepted: toSample(accepted, span), finished: toSample(finished, span) });
