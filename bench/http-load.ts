import { inProcess } from './in-process.ts';
import { cpuMsOf } from './process-status.ts';
import type { Load, Sample, Target } from './row.ts';

const CONNECTIONS = 16;
const SLACK_MS = 30_000;
/** In a body: stands where each request has a number of its own. Base64 has all its signs. */
export const UNIQUE = '000unique000';

interface HttpRequest {
  /** Several are asked for in turn. */
  readonly path: string | readonly string[];
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** API keys that take turns, for what each account has a bound on. Each run goes on with the next one. */
  readonly keys?: readonly string[];
  /** A script of `drivers/`. */
  readonly driver?: 'requests' | 'creates';
}

/** The input of a driver. */
export interface Drive extends Omit<HttpRequest, 'path' | 'driver'> {
  readonly url: string;
  readonly paths: readonly string[];
  /** Requests under way at any moment, each on a connection of its own. */
  readonly connections: number;
  readonly seconds: number;
}

/** The same requests again and again, with what they cost the server. Any answer but 2xx fails the row. */
export function httpLoad({ url, pid }: Target, request: HttpRequest): Load {
  const { path, driver = 'requests', keys = [], ...rest } = request;
  const paths = [path].flat();
  let done = 0;
  return async (seconds) => {
    const at = keys.length > 0 ? done % keys.length : 0;
    const next = keys.length > 0 ? { keys: [...keys.slice(at), ...keys.slice(0, at)] } : {};
    const drive: Drive = { ...rest, ...next, url, paths, connections: CONNECTIONS, seconds };
    const before = await cpuMsOf(pid);
    const sample = await inProcess<Sample>(driver, drive, seconds * 1000 + SLACK_MS);
    const after = await cpuMsOf(pid);
    done += sample.count;
    if (before === undefined || after === undefined) return sample;
    return { ...sample, cpuMs: (after - before) / sample.count };
  };
}
