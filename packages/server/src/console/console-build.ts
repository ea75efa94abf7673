import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Logger } from '../platform/log/create-logger.ts';

export type ConsoleState = 'building' | 'ready' | 'failed';

const MAX_BUILD_MS = 300_000;
const MAX_OUTPUT = 8192;

/**
 * Builds the console if needed. Installing runs no scripts, so a fresh clone builds it at the first start, in a process of its own while the
 * server works. A release has it already.
 */
export function createConsoleBuild({ log }: { readonly log: Logger }) {
  let state: ConsoleState = 'building';
  const abort = new AbortController();
  const buildFile = fileURLToPath(import.meta.resolve('@atelier/console/build'));

  async function prepare(): Promise<void> {
    const { isBuilt } = (await import(buildFile)) as { isBuilt: () => Promise<boolean> };
    if (!(await isBuilt())) await build();
    state = 'ready';
  }

  async function build(): Promise<void> {
    log.info('the console is being built, which takes some seconds after an update');
    const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(MAX_BUILD_MS)]);
    const child = spawn(process.execPath, [buildFile], { stdio: ['ignore', 'ignore', 'pipe'], signal });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-MAX_OUTPUT);
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`The console was not built: ${output.trim()}`);
    log.info('the console is ready');
  }

  void prepare().catch((error: unknown) => {
    state = 'failed';
    if (!abort.signal.aborted) log.error({ err: error }, 'there is no console');
  });

  return {
    state: (): ConsoleState => state,
    /** Where its files are, once it is ready. */
    folder: fileURLToPath(new URL('dist/', import.meta.resolve('@atelier/console/build'))),
    close: () => abort.abort(),
  };
}

export type ConsoleBuild = ReturnType<typeof createConsoleBuild>;
