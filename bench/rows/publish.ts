import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { ZipFile } from 'yazl';

import { median } from '../measure.ts';
import type { Bench, Row } from '../row.ts';

const TIMES = 5;
const SOURCES = 100;
const DATA_BYTES = 900_000;
const DEADLINE_MS = 30_000;

/** From the announcement to an active version: publish, upload of 1 MB, all checks. */
export const rows: readonly Row[] = [{ name: 'publish-1mb', unit: 'ms', bar: 1000, measure: publishSeveral }];

async function publishSeveral({ ours }: Bench): Promise<number> {
  const call = async (method: string, path: string, body: BodyInit | null, headers = {}) => {
    const url = new URL(path, ours.url);
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const response = await fetch(url, { method, headers, body, signal });
    const text = await response.text();
    if (!response.ok) throw new Error(`${url.pathname} answered ${response.status}: ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as Record<string, string>;
  };
  const json = { 'content-type': 'application/json', 'x-api-key': ours.admin.api_key };
  await call('POST', '/publishers', JSON.stringify({ id: 'bench-publisher' }), json);
  const tokens = '/publishers/bench-publisher/tokens';
  const { token } = await call('POST', tokens, JSON.stringify({ name: 'bench' }), json);
  const archive = new Uint8Array(await aPack());

  const times: number[] = [];
  for (let n = 0; n < TIMES; n += 1) {
    const start = performance.now();
    const version = `1.0.${n}`;
    const body = { personal_access_token: token, node: {}, node_version: { version } };
    const versions = '/publishers/bench-publisher/nodes/bench-publish/versions';
    const { signedUrl = '' } = await call('POST', versions, JSON.stringify(body), json);
    await call('PUT', signedUrl, archive, { 'content-type': 'application/zip' });
    for (let status = ''; status !== 'NodeVersionStatusActive'; ) {
      ({ status = '' } = await call('GET', `/nodes/bench-publish/versions/${version}`, null));
      if (performance.now() - start > DEADLINE_MS) throw new Error(`the version is still ${status}`);
      await wait(5);
    }
    times.push(performance.now() - start);
  }
  return median(times);
}

async function aPack(): Promise<Buffer> {
  const zip = new ZipFile();
  for (let n = 0; n < SOURCES; n += 1) zip.addBuffer(Buffer.from(source(n)), `nodes/module_${n}.py`);
  zip.addBuffer(randomBytes(DATA_BYTES), 'data/weights.bin');
  zip.end();
  return await buffer(zip.outputStream);
}

function source(n: number): string {
  const helpers = Array.from(
    { length: 40 },
    (_, at) => `def helper_${at}(image):\n    return image * ${at}\n`,
  );
  return `${helpers.join('\n')}
class Node${n}:
    CATEGORY = "bench/${n}"
    RETURN_TYPES = ("IMAGE",)
    FUNCTION = "run"

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"image": ("IMAGE",), "amount": ("FLOAT", {"default": 1.0, "min": 0.0})}}

    def run(self, image, amount):
        return (helper_1(image),)

NODE_CLASS_MAPPINGS = {"Node${n}": Node${n}}
`;
}
