import { fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from './child-environment.ts';
import { PackError } from './load-packs.ts';
import type { FromProcess, ProcessOptions, ToProcess } from './runner-messages.ts';

export type RunnerProcess = ReturnType<typeof startProcess>;

/** A message about one run: a job or a check. */
type RunMessage = Extract<FromProcess, { readonly run: unknown }>;

/** The process was killed while it loaded, as the system does when memory is short. */
export class EndedWhileLoading extends Error {
  override readonly name = 'EndedWhileLoading';
}

/** V8 writes it before it ends the process. */
const HEAP_FULL = 'JavaScript heap out of memory';
/** For one job. */
const MAX_PRINTED_BYTES = 2 ** 20;
const CUT = '\nA job has printed more than 1 MiB. The rest is left out.\n';

export function startProcess(options: ProcessOptions, { heapMb }: { readonly heapMb: number }) {
  const child = fork(fileURLToPath(new URL('./runner.process.ts', import.meta.url)), {
    serialization: 'advanced',
    // Without the last one, V8 collects the whole heap of 20 MB twice a second: 15 % of what small jobs cost.
    execArgv: [`--max-old-space-size=${heapMb}`, '--max-semi-space-size=4', '--initial-old-space-size=64'],
    env: childEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // The process leads a group of its own, so that everything that nodes start ends with it.
    detached: true,
    windowsHide: true,
  });
  let runs = 0;
  let printedBytes = 0;
  let isOver = false;
  let isHeapFull = false;
  const giveUp = (): void => {
    isOver = true;
  };
  child.on('error', giveUp);
  child.on('exit', kill);
  child.stdout?.on('data', (chunk: Buffer) => print(chunk, process.stdout));
  child.stderr?.on('data', (chunk: Buffer) => {
    isHeapFull ||= chunk.includes(HEAP_FULL);
    print(chunk, process.stderr);
  });
  function print(chunk: Buffer, to: NodeJS.WriteStream): void {
    const room = MAX_PRINTED_BYTES - printedBytes;
    printedBytes += chunk.length;
    if (room <= 0) return;
    to.write(chunk.subarray(0, room));
    if (chunk.length > room) to.write(CUT);
  }
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  child.once('message', (message: FromProcess) => {
    if (message.kind === 'ready') resolve(message.description);
    if (message.kind !== 'broken') return;
    kill();
    reject(
      message.pack === undefined ? new Error(message.message) : new PackError(message.pack, message.message),
    );
  });
  child.once('error', reject);
  child.once('exit', () => reject(new EndedWhileLoading('The process of a slot was ended while it loaded.')));
  // The first job reports it; a runner without jobs must not bring its parent down.
  ready.catch(() => {});

  let holds = 0;
  function hold(isHeld: boolean): void {
    holds += isHeld ? 1 : -1;
    refer(holds > 0);
  }
  function refer(isHeld: boolean): void {
    const streams = [child.stdout, child.stderr] as (Socket | null)[];
    for (const handle of [child, child.channel, ...streams]) {
      if (isHeld) handle?.ref();
      else handle?.unref();
    }
  }
  function isGone(): boolean {
    return child.exitCode !== null || child.signalCode !== null;
  }
  function kill(): void {
    isOver = true;
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group is gone, or the system has none.
      child.kill('SIGKILL');
    }
  }
  child.on('message', (message: FromProcess) => {
    // A fault may leave anything behind, so this job is the last one.
    if (message.kind === 'fault') isOver = true;
  });
  refer(false);
  // Linux: when the machine runs out of memory, this process is ended and not its parent.
  writeFile(`/proc/${child.pid}/oom_score_adj`, '500').catch(() => {});
  child.send({ kind: 'start', options } satisfies ToProcess);
  return {
    child,
    /** The description of its node types, once they are loaded. */
    ready,
    post(message: ToProcess): void {
      if (message.kind === 'run') printedBytes = 0;
      child.send(message);
    },
    /** Starts a run, and listens to its messages and to the end of the process until `stop`. */
    listen(onMessage: (message: RunMessage) => void, onEnd: (error: Error) => void) {
      runs += 1;
      const run = runs;
      const listener = (message: FromProcess): void => {
        if ('run' in message && (message.run ?? run) === run) onMessage(message);
      };
      // After its last words on stderr.
      const onClose = (_code: number | null, signalName: NodeJS.Signals | null): void =>
        onEnd(new Error(signalName ? `it was ended by ${signalName}.` : 'it ended.'));
      child.on('message', listener).on('error', onEnd).on('close', onClose);
      return {
        run,
        stop(): void {
          child.off('message', listener).off('error', onEnd).off('close', onClose);
        },
      };
    },
    /** Whether it can take no more jobs. */
    isOver: () => isOver,
    ranOutOfHeap: () => isHeapFull,
    /** Keeps this process alive until it is released as often as it was held. */
    hold,
    kill,
    isGone,
  };
}
