/** Sends a large body again and again, no two alike, so that no server stores the same bytes twice. */
import { Agent } from 'node:http';

import { httpCall } from './http-call.ts';
import { type Drive, UNIQUE } from './http-load.ts';
import { answer, inputOf } from './in-process.ts';
import { toSample } from './sample.ts';

const { url: origin, paths, body = '', keys = [], connections, seconds } = await inputOf<Drive>();
const url = `${origin}${paths[0] ?? '/'}`;
const at = Buffer.from(body).indexOf(UNIQUE);
if (at < 0) throw new Error(`the body has no ${UNIQUE} that can be replaced`);

const agent = new Agent({ keepAlive: true, maxSockets: connections });
const signal = AbortSignal.timeout(seconds * 1000 + 10_000);
const times: number[] = [];
/** Eight digits in our time, and they are the run's own. */
const run = Date.now().toString(36);
let sent = 0;
const start = performance.now();

async function sendUntilTheEnd(): Promise<void> {
  const bytes = Buffer.from(body);
  for (let now = start; now < start + seconds * 1000; ) {
    bytes.write(`${run}${sent.toString(36).padStart(UNIQUE.length - run.length, '0')}`, at);
    const headers = { 'x-api-key': keys[sent++ % keys.length] ?? '' };
    await httpCall(url, { agent, method: 'POST', headers, signal }, bytes);
    const doneAt = performance.now();
    times.push(doneAt - now);
    now = doneAt;
  }
}

await Promise.all(Array.from({ length: connections }, sendUntilTheEnd));
agent.destroy();
answer(toSample(times, performance.now() - start));
