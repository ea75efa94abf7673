import autocannon from 'autocannon';

import type { Drive } from './http-load.ts';
import { answer, inputOf } from './in-process.ts';
import { toSample } from './sample.ts';

const { url, paths, method = 'GET', headers = {}, body, keys, connections, seconds } = await inputOf<Drive>();

const callers = keys?.map((key) => ({ ...headers, 'x-api-key': key })) ?? [headers];

const times: number[] = [];
const start = performance.now();
let lastAt = start;

const { errors, non2xx } = await autocannon({
  url,
  requests: callers.flatMap((caller) =>
    paths.map((path) => ({ path, method, headers: caller, ...(body === undefined ? {} : { body }) })),
  ),
  connections,
  duration: seconds,
  // The end is noticed at the next sample.
  sampleInt: 100,
  bailout: 1,
  // Its own latencies are whole milliseconds, which is longer than most of our answers take.
  setupClient: (client) =>
    client.on('response', (_status, _bytes, ms) => {
      times.push(ms);
      lastAt = performance.now();
    }),
});
if (errors > 0 || non2xx > 0) throw new Error(`${url}: ${errors} errors, ${non2xx} answers that are not 2xx`);
answer(toSample(times, lastAt - start));
