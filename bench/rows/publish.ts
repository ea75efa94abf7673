import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { ZipFile } from 'yazl';

import { median } from '../median.ts';
import type { Bench, Row } from '../row.ts';

const BAR_MS = 1000;
const TIMES = 5;
const SOURCES = 100;
const DATA_BYTES = 900_000;
const DEADLINE_MS = 30_000;
const PUBLISHER = 'bench-publisher';

/** From the announcement to an active version: publish, upload of 1 MB, all checks. */
export const rows: readonly Row[] = [
  { kind: 'value', name: 'publish-1mb', unit: 'ms', bar: BAR_MS, measure: publishSeveral },
];

async function publishSeveral({ ours }: Bench): Promise<number> {
  const call = async (method: string, path: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${ours.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };
  const key = { 'x-api-key': ours.admin.api_key };
  await call('POST', '/publishers', { id: PUBLISHER }, key);
  const { token } = await call('POST', `/publishers/${PUBLISHER}/tokens`, { name: 'bench' }, key);
  const archive = await aPack();

  const times: number[] = [];
  for (let n = 0; n < TIMES; n += 1) {
    const start = performance.now();
    const version = `1.0.${n}`;
    const path = `/publishers/${PUBLISHER}/nodes/bench-publish/versions`;
    const body = { personal_access_token: token, node: {}, node_version: { version } };
    const { signedUrl = '' } = await call('POST', path, body);
    const headers = { 'content-type': 'application/zip' };
    const upload = await fetch(signedUrl, { method: 'PUT', headers, body: new Uint8Array(archive) });
    if (!upload.ok) throw new Error(`the upload answered ${upload.status}`);
    await untilActive(`${ours.url}/nodes/bench-publish/versions/${version}`);
    times.push(performance.now() - start);
  }
  return median(times);
}

async function untilActive(url: string): Promise<void> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  for (;;) {
    const { status } = (await (await fetch(url, { signal: deadline })).json()) as { status: string };
    if (status === 'NodeVersionStatusActive') return;
    if (status !== 'NodeVersionStatusPending') throw new Error(`the version became ${status}`);
    await wait(5);
  }
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
    (_, index) => `def helper_${index}(image, amount=${index}):\n    return image * amount + ${n}\n`,
  );
  return `class Node${n}:
    CATEGORY = "bench/${n}"
    RETURN_TYPES = ("IMAGE",)
    FUNCTION = "run"

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"image": ("IMAGE",), "amount": ("FLOAT", {"default": 1.0, "min": 0.0})}}

    def run(self, image, amount):
        return (helper_1(image, amount),)


${helpers.join('\n\n')}

NODE_CLASS_MAPPINGS = {"Node${n}": Node${n}}
`;
}
