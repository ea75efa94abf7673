import type { Drive } from './http-load.ts';
import { inProcess } from './in-process.ts';
import { cpuMsOf } from './process-status.ts';
import type { Load, Sample, Target } from './row.ts';

const CONNECTIONS = 16;
const SLACK_MS = 30_000;

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
    const before = await cpuMsOf(pid);
    const sample = await inProcess<Sample>('walk.ts', drive, { deadlineMs: seconds * 1000 + SLACK_MS });
    const after = await cpuMsOf(pid);
    at = (at + sample.count) % paths.length;
    if (before === undefined || after === undefined) return sample;
    return { ...sample, cpuMs: (after - before) / sample.count };
  };
}
