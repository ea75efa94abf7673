import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

interface Parts {
  /** A shell command such as `python main.py --port 8188`. */
  readonly command: string;
  readonly folder: string;
  /** Whether a ComfyUI answers at the address already. */
  readonly isThere: () => Promise<boolean>;
  readonly log: (sentence: string) => void;
}

export type ComfyProcess = ReturnType<typeof startComfyUi>;

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;
/** A process that ran this long did not fail at its start. */
const STABLE_MS = 5 * 60_000;
const STOP_MS = 10_000;
const LOOK_MS = 2000;

/** Runs a ComfyUI, and restarts it whenever it ends. */
export function startComfyUi({ command, folder, isThere, log }: Parts) {
  const closing = new AbortController();
  let child: ChildProcess | undefined;

  async function runOnce(): Promise<void> {
    // In a process group, so that the shell and everything it started end together.
    const started = spawn(command, {
      shell: true,
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child = started;
    const [code, signal] = (await once(started, 'exit').catch((error: unknown) => [
      String(error),
      null,
    ])) as unknown[];
    // Processes that nodes have started would keep GPU memory.
    signalGroup(started, 'SIGKILL');
    if (!closing.signal.aborted) log(`ComfyUI has ended (${String(signal ?? code)}). It is started again.`);
  }

  /** A worker that was killed leaves its ComfyUI behind, which occupies the port. */
  async function untilGone(): Promise<void> {
    for (let isTold = false; !closing.signal.aborted && (await isThere()); isTold = true) {
      if (!isTold)
        log('A ComfyUI answers at this address already. It is used as it is, and started here when it ends.');
      await delay(LOOK_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  async function run(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!closing.signal.aborted) {
      await untilGone();
      if (closing.signal.aborted) return;
      const startedAt = performance.now();
      await runOnce();
      if (performance.now() - startedAt > STABLE_MS) pause = FIRST_PAUSE_MS;
      await delay(pause, undefined, { signal: closing.signal }).catch(() => {});
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
    }
  }
  const ended = run();
  const killOnExit = (): void => signalGroup(child, 'SIGKILL');
  process.on('exit', killOnExit);

  /** Ends the current process. A hung one ignores SIGTERM. */
  async function stop(): Promise<void> {
    const stopping = child;
    if (!stopping || stopping.exitCode !== null || stopping.signalCode !== null) return;
    const gone = once(stopping, 'exit');
    signalGroup(stopping, 'SIGTERM');
    await Promise.race([gone, delay(STOP_MS, undefined, { ref: false })]);
    signalGroup(stopping, 'SIGKILL');
    await gone;
  }

  return {
    /** Ends the process, and `run` starts another one. */
    restart: stop,
    async close(): Promise<void> {
      closing.abort();
      await stop();
      await ended;
      process.off('exit', killOnExit);
    },
  };
}

function signalGroup(child: ChildProcess | undefined, signal: NodeJS.Signals): void {
  if (child?.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}
