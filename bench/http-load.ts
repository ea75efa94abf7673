import { inProcess } from './in-process.ts';
import { cpuMsOf } from './process-status.ts';
import type { Load, Sample, Target } from './row.ts';

export const CONNECTIONS = 16;
const SLACK_MS = 30_000;
/** In a body for `create-drive.ts`: stands where each request has a number of its own. Base64 has all its signs. */
export const UNIQUE = '000unique000';

interface HttpRequest {
  /** Several are asked for in turn. */
  readonly path: string | readonly string[];
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** API keys that take turns, for what each account has a bound on. */
  readonly keys?: readonly string[];
  /** How many requests are under way at any moment, each on a connection of its own. */
  readonly connections?: number;
}

/** What a driver is told. */
export interface Drive extends Omit<HttpRequest, 'path'> {
  readonly url: string;
  readonly paths: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

/** The same requests again and again. Any answer but 2xx fails the row. */
export function httpLoad(target: Target, request: HttpRequest): Load {
  return drivenBy('drive.ts', target, request);
}

/**
 * The same, for answers of more than some kilobytes: autocannon makes text of every body, which is slower
 * than a server sends it.
 */
export function downloadLoad(target: Target, { path }: { readonly path: string }): Load {
  return drivenBy('download.ts', target, { path });
}

function drivenBy(script: string, { url, pid }: Target, { path, ...request }: HttpRequest): Load {
  const paths = typeof path === 'string' ? [path] : path;
  return async (seconds) =>
    await runDriver(script, pid, { connections: CONNECTIONS, ...request, url, paths, seconds });
}

/** What a driver measures, with what it cost the server. */
export async function runDriver(script: string, pid: Target['pid'], drive: Drive): Promise<Sample> {
  const before = await cpuMsOf(pid);
  const sample = await inProcess<Sample>(script, drive, { deadlineMs: drive.seconds * 1000 + SLACK_MS });
  const after = await cpuMsOf(pid);
  if (before === undefined || after === undefined) return sample;
  return { ...sample, cpuMs: (after - before) / sample.count };
}
