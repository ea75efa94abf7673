import * as module from 'node:module';
import { dirname } from 'node:path';

/** What a process must know of its machine; nodes see nothing else of the environment. */
const PASSED_ON = ['TMPDIR', 'TZ', 'SystemRoot', 'NODE_EXTRA_CA_CERTS'];

/** The environment of processes that run other people's code. */
export function childEnvironment(): Record<string, string> {
  const entries = PASSED_ON.flatMap((name) => {
    // oxlint-disable-next-line node/no-process-env -- of the machine, not of the server
    const { [name]: value } = process.env;
    return value === undefined ? [] : [[name, value]];
  });
  // Node 20, where the command line inspects packs, has none.
  const folder = 'getCompileCacheDir' in module ? module.getCompileCacheDir() : undefined;
  // Loading the nodes takes less than half the time with it. The folder that Node names is the one of its version, within the one it takes.
  if (folder !== undefined) entries.push(['NODE_COMPILE_CACHE', dirname(folder)]);
  return Object.fromEntries(entries);
}
