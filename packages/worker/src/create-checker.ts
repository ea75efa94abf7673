import type { WorkerMessages } from '@atelier/contracts';
import { type CheckQuestion, type Folders, parseJson, type Runner } from '@atelier/engine/runner';

/** Its process takes a second to load, and 100 MB. */
const IDLE_MS = 10 * 60_000;

/** Runs the checks of node packs in a separate process, because a submission must not wait for jobs. */
export function createChecker(create: () => Runner) {
  let runner: Runner | undefined;
  let restTimer: NodeJS.Timeout | undefined;

  async function rest(): Promise<void> {
    clearTimeout(restTimer);
    const resting = runner;
    runner = undefined;
    await resting?.close();
  }

  return {
    /** `question` is JSON. */
    async check(question: string, folders: Folders): Promise<Omit<WorkerMessages['checked'], 'type' | 'id'>> {
      clearTimeout(restTimer);
      runner ??= create();
      try {
        return { result: await runner.check(parseJson(question) as CheckQuestion, { folders }) };
      } catch (error) {
        const { name, message } = error instanceof Error ? error : new Error(String(error));
        return { error: { name, message } };
      } finally {
        clearTimeout(restTimer);
        restTimer = setTimeout(() => void rest(), IDLE_MS).unref();
      }
    },
    close: rest,
  };
}
