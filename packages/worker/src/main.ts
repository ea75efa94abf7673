import { once } from 'node:events';
import { flushCompileCache } from 'node:module';

import packageJson from '../package.json' with { type: 'json' };

import { Refused } from './connection.ts';
import { createWorker } from './create-worker.ts';
import { createEngineExecutor } from './engine-executor.ts';
import { BadOptions, readOptions, USAGE } from './read-options.ts';

const BAD_OPTIONS = 2;
const CANNOT_RUN = 1;
/** How long a worker that has lost its parent may take to stop what runs. */
const LEAVE_MS = 3000;
/** A server has started this worker, and decides when it ends. */
const isChild = process.channel !== undefined;

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  process.stdout.write(`${USAGE}\n`);
  process.exit();
}

await main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  const lines = error instanceof BadOptions ? [message, '', USAGE] : [message];
  if (isChild) tellParent({ kind: 'broken', message });
  else process.stderr.write(`${lines.join('\n')}\n`);
  process.exitCode = error instanceof BadOptions ? BAD_OPTIONS : CANNOT_RUN;
  if (isChild) process.disconnect?.();
});

/** Runs a worker until a signal stops it: it finishes its jobs first, and a second signal ends it at once. */
async function main(): Promise<void> {
  // oxlint-disable-next-line node/no-process-env -- this is where a worker reads its settings.
  const options = readOptions(process.argv.slice(2), process.env);
  if (!isChild && options.server === undefined) throw new BadOptions('--server is missing.');
  const log = (sentence: string): void => {
    // The parent writes its own log, in another format.
    if (isChild) tellParent({ kind: 'log', sentence });
    else process.stderr.write(`${sentence}\n`);
  };
  // Imported only where needed, because it loads the whole engine.
  const comfyui = options.comfyui && (await import('./comfyui/create-comfyui-executor.ts'));
  const worker = createWorker({
    ...options,
    version: packageJson.version,
    createExecutor(events) {
      if (!comfyui || !options.comfyui) return createEngineExecutor(options, events);
      const { jobMs } = options;
      return comfyui.createComfyUiExecutor({ ...options.comfyui, isPatient: isChild, jobMs, log }, events);
    },
    log,
  });
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) process.exit();
    isStopping = true;
    void worker.drain();
  };
  if (isChild)
    process.once('disconnect', () => {
      setTimeout(() => process.exit(), LEAVE_MS);
      void worker.close().finally(() => process.exit());
    });
  // Ctrl-C signals both parent and child.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, isChild ? () => {} : stop);
  // Processes and connections that are about to start do not keep this process alive.
  const alive = setInterval(() => {}, 2 ** 30);
  try {
    // A built-in worker loads its node types when the server needs them: many servers run no job for a long time.
    if (!isChild || options.packFolders.length > 0 || comfyui) await worker.load();
    // For the next start: stripping types from modules takes 35 MB more.
    flushCompileCache();
    await worker.run(options.server ?? (await serverOfParent()));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new Error(`${error.message} Check the token and the version.`, { cause: error });
  } finally {
    clearInterval(alive);
    await worker.close();
  }
}

/** The server has no address before it listens, but wants to know earlier whether the node types can be loaded. */
async function serverOfParent(): Promise<string> {
  tellParent({ kind: 'loaded' });
  const [{ server }] = (await once(process, 'message')) as [{ readonly server: string }];
  return server;
}

/** Errors are ignored: a server that has just ended stops its worker anyway. */
function tellParent(message: object): void {
  process.send?.(message, () => {});
}
