import { CONNECTIONS, type Drive, runDriver } from './http-load.ts';
import type { Load, Target } from './row.ts';

/**
 * Pages that follow each other, each asked for by one connection only, and each round goes on where the last one
 * ended. The driver reads bodies as bytes, so that large ones cost it little.
 */
export function walkLoad(
  { url, pid }: Target,
  { paths, headers = {} }: { readonly paths: readonly string[]; readonly headers?: Drive['headers'] },
): Load {
  let at = 0;
  return async (seconds) => {
    const rest = [...paths.slice(at), ...paths.slice(0, at)];
    const drive: Drive = { url, paths: rest, headers, connections: CONNECTIONS, seconds };
    const sample = await runDriver('walk.ts', pid, drive);
    at = (at + sample.count) % paths.length;
    return sample;
  };
}
