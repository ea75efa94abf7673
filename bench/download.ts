import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';

import type { Drive } from './http-load.ts';
import { answer, inputOf } from './in-process.ts';
import { toSample } from './sample.ts';

const { url: origin, paths, connections, seconds } = await inputOf<Drive>();
const url = `${origin}${paths[0] ?? '/'}`;

const agent = new Agent({ keepAlive: true, maxSockets: connections });
const signal = AbortSignal.timeout(seconds * 1000 + 10_000);
const times: number[] = [];
const start = performance.now();

async function downloadUntilTheEnd(): Promise<void> {
  for (let now = start; now < start + seconds * 1000; ) {
    const request = get(url, { agent, signal });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`);
    await once(response.resume(), 'end');
    const doneAt = performance.now();
    times.push(doneAt - now);
    now = doneAt;
  }
}

await Promise.all(Array.from({ length: connections }, downloadUntilTheEnd));
agent.destroy();
answer(toSample(times, performance.now() - start));
