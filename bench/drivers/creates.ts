/** Sends a large body again and again, no two alike, so that no server stores the same bytes twice. */
import { closeConnections, httpCall } from '../http-call.ts';
import { type Drive, UNIQUE } from '../http-load.ts';
import { answer, inputOf } from '../in-process.ts';
import { repeat } from '../measure.ts';

const { url, paths, body = '', keys = [], connections, seconds } = await inputOf<Drive>();
const template = Buffer.from(body);
const at = template.indexOf(UNIQUE);
if (at < 0) throw new Error(`the body has no ${UNIQUE} that can be replaced`);
/** Eight digits in our time, and they are the run's own. */
const run = Date.now().toString(36);
let sent = 0;

const sample = await repeat(
  async () => {
    const bytes = Buffer.from(template);
    bytes.write(`${run}${sent.toString(36).padStart(UNIQUE.length - run.length, '0')}`, at);
    await httpCall(`${url}${paths[0]}`, keys[sent++ % keys.length] ?? '', bytes);
  },
  { seconds, strands: connections },
);
closeConnections();
answer(sample);
