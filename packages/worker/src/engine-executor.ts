import { createRunner } from '@atelier/engine/runner';

import { createChecker } from './create-checker.ts';
import { createSlots } from './create-slots.ts';
import type { Executor, ExecutorEvents, ExecutorJob } from './executor.ts';

interface EngineOptions {
  readonly slots: number;
  readonly memoryBytes: number;
  readonly jobMs: number;
  readonly packFolders: readonly string[];
}

/** Runs jobs with the engine, each in its own process. */
export function createEngineExecutor(
  { slots: size, memoryBytes, jobMs, packFolders }: EngineOptions,
  { serverUrl, onReady, onBroken }: ExecutorEvents,
): Executor {
  const packs = { modules: [import.meta.resolve('@atelier/nodes')], folders: packFolders };
  const env = () => ({ ATELIER_API_URL: serverUrl() });
  const create = () => createRunner({ packs, memoryBytes, jobMs, env });
  const checker = createChecker(create);
  const slots = createSlots({ size, create, onReady: () => onReady(1), onBroken });

  return {
    kind: 'built-in',
    slots: size,
    describe: slots.describe,
    facts: () => ({ memoryBytes, gpus: [], models: {} }),
    ready: slots.ready,
    take(scope) {
      const slot = slots.take(scope);
      return (
        slot && {
          run: async ({ files, ...job }, options) =>
            await slot.runner.run({ ...job, ...filesAt(files) }, options),
          free: slot.free,
        }
      );
    },
    forget: slots.forget,
    check: checker.check,
    async close() {
      await Promise.all([slots.close(), checker.close()]);
    },
  };
}

function filesAt(files: ExecutorJob['files']) {
  if (files.kind === 'folders') return { folders: files.folders };
  const { options } = files;
  const module = new URL('./server-files.ts', import.meta.url).href;
  return { remoteFiles: { module, options, scratchIn: options.cache.folder } };
}
