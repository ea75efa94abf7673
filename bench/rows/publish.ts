import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { ZipFile } from 'yazl';

import { httpCall } from '../http-call.ts';
import { median } from '../measure.ts';
import { type Bench, type Row, valueRow } from '../row.ts';
import { usualServer } from '../servers.ts';

const TIMES = 5;
const DEADLINE_MS = 30_000;

/** From the announcement to an active version: publish, upload of 1 MB, all checks. */
export const rows: readonly Row[] = [valueRow('publish-1mb', 'ms', 1000, publishSeveral)];

async function publishSeveral(bench: Bench): Promise<number> {
  const { url, admin } = await usualServer(bench);
  const post = async (path: string, input: object) => {
    const call = { key: admin.api_key, body: JSON.stringify(input) };
    return await httpCall<Record<string, string>>(`${url}/publishers${path}`, call);
  };
  await post('', { id: 'bench' });
  const { token } = await post('/bench/tokens', { name: 'bench' });
  const archive = new Uint8Array(await aPack());

  const times: number[] = [];
  for (let n = 0; n < TIMES; n += 1) {
    const start = performance.now();
    const version = `1.0.${n}`;
    const announcement = { personal_access_token: token, node: {}, node_version: { version } };
    const { signedUrl = '' } = await post('/bench/nodes/bench-publish/versions', announcement);
    const upload = { method: 'PUT', headers: { 'content-type': 'application/zip' }, body: archive };
    await fetch(new URL(signedUrl, url), upload);
    const signal = AbortSignal.timeout(DEADLINE_MS);
    for (let status = ''; status !== 'NodeVersionStatusActive'; ) {
      await wait(5, undefined, { signal });
      ({ status } = await httpCall<{ status: string }>(`${url}/nodes/bench-publish/versions/${version}`));
    }
    times.push(performance.now() - start);
  }
  return median(times);
}

async function aPack(): Promise<Buffer> {
  const zip = new ZipFile();
  for (let n = 0; n < 100; n += 1) zip.addBuffer(Buffer.from(source(n)), `nodes/module_${n}.py`);
  zip.addBuffer(randomBytes(900_000), 'data/weights.bin');
  zip.end();
  return await buffer(zip.outputStream);
}

function source(n: number): string {
  const helper = (_: unknown, at: number) => `def helper_${at}(image):\n    return image * ${at}\n`;
  return `${Array.from({ length: 40 }, helper).join('\n')}
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
