import autocannon from 'autocannon';

import type { Drive } from '../http-load.ts';
import { answer, inputOf } from '../in-process.ts';
import { toSample } from '../measure.ts';

const { url, paths, method = 'GET', headers = {}, body, keys, connections, seconds } = await inputOf<Drive>();

/** With keys each connection has its share of them: autocannon builds every request of every connection before the first is sent. */
const requestsOf = (connection: number) =>
  (keys?.filter((_, index) => index % connections === connection) ?? [undefined]).flatMap((key) =>
    paths.map((path) => ({
      path,
      method,
      headers: key === undefined ? headers : { ...headers, 'x-api-key': key },
      ...(body !== undefined && { body }),
    })),
  );

const times: number[] = [];
let clients = 0;
let start = performance.now();
let lastAt = start;

const { errors, non2xx } = await autocannon({
  url,
  connections,
  duration: seconds,
  // The end is noticed at the next sample.
  sampleInt: 100,
  bailout: 1,
  // Its own latencies are whole milliseconds, which is longer than most of our answers take.
  setupClient(client) {
    client.setRequests(requestsOf(clients));
    clients += 1;
    // What comes before is the driver's own time.
    start = performance.now();
    client.on('response', (_status, _bytes, ms) => {
      times.push(ms);
      lastAt = performance.now();
    });
  },
});
if (errors > 0 || non2xx > 0) throw new Error(`${url}: ${errors} errors, ${non2xx} answers that are not 2xx`);
answer(toSample(times, lastAt - start));
