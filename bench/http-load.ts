import autocannon from 'autocannon';

import { inChild } from './child.ts';
import { toSample } from './measure.ts';
import { cpuMsOf } from './process-status.ts';
import type { Load, Sample, Target } from './row.ts';

const CONNECTIONS = 16;
/** Where this stands in a body, each request has other characters. They are valid base64. */
export const UNIQUE = '000unique000';

export interface Requests {
  /** Requested in turn. */
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON; it makes them POST requests. */
  readonly body?: string;
  /** API keys that take turns, for what is limited for each account. */
  readonly keys?: readonly string[];
}

/** The same requests again and again, with what they cost the server. Any answer but 2xx fails the row. */
export function httpLoad({ url, pid }: Target, requests: Requests): Load {
  return async (seconds) => {
    const before = await cpuMsOf(pid);
    const sample = await inChild(import.meta.filename, sendRequests, { url, seconds, ...requests });
    return { ...sample, cpuMs: ((await cpuMsOf(pid)) - before) / sample.count };
  };
}

export async function sendRequests(input: Requests & { url: string; seconds: number }): Promise<Sample> {
  const { url, seconds, paths, body, keys } = input;
  const post = body === undefined ? {} : { method: 'POST' as const, body };
  const headers = { ...(body !== undefined && { 'content-type': 'application/json' }), ...input.headers };
  const run = Date.now().toString(36);
  // Each run begins at another account.
  const firstKey = Math.floor(Math.random() * (keys?.length ?? 0));
  let sent = 0;
  const next = (request: autocannon.Request): autocannon.Request => {
    sent += 1;
    const id = `${run}${sent.toString(36).padStart(UNIQUE.length - run.length, '0')}`;
    const key = keys?.[(sent + firstKey) % keys.length] ?? '';
    return { ...request, headers: { ...headers, 'x-api-key': key }, body: body?.replace(UNIQUE, id) };
  };
  const times: number[] = [];
  let [start, lastAt] = [0, 0];
  const { errors, non2xx } = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: paths.map((path) => ({ path, headers, ...post, ...(keys && { setupRequest: next }) })),
    // The end is noticed at the next sample.
    sampleInt: 100,
    bailout: 1,
    setupClient(client) {
      // What comes before is the driver's own time.
      start = performance.now();
      // Latencies in its result are whole milliseconds, which is longer than most of our answers take.
      client.on('response', (_status, _bytes, ms) => {
        times.push(ms);
        lastAt = performance.now();
      });
    },
  });
  if (errors > 0 || non2xx > 0) throw new Error(`${url}: ${errors} errors, ${non2xx} answers not 2xx`);
  return toSample(times, lastAt - start);
}
