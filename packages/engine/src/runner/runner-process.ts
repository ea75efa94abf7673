import { type ChildProcess, fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from './child-environment.ts';
import { PackError } from './load-packs.ts';
import type { FromProcess, ProcessOptions, ToProcess } from './runner-messages.ts';

/** A child process and how it stands. */
export interface RunnerProcess {
  readonly child: ChildProcess;
  /** Its description of its node types, once they are loaded. */
  readonly ready: Promise<string>;
  post(message: ToProcess): void;
  /** No job may be given to it any more. */
  isOver(): boolean;
  /** Whether it ended because its heap was full. */
  ranOutOfHeap(): boolean;
  /** How many jobs it was given. */
  jobs: number;
  /** Whether it keeps this process alive; as often given back as taken. */
  hold(isHeld: boolean): void;
  /** Ends it now. */
  kill(): void;
}

/** V8 writes it before it ends the process. */
const HEAP_FULL = 'JavaScript heap out of memory';

export function startProcess(
  options: ProcessOptions,
  { heapMb }: { readonly heapMb: number },
): RunnerProcess {
  const child = fork(fileURLToPath(new URL('./runner.process.ts', import.meta.url)), {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${heapMb}`, '--max-semi-space-size=4'],
    env: childEnvironment(),
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  let isOver = false;
  let isHeapFull = false;
  const giveUp = (): void => {
    isOver = true;
  };
  child.on('error', giveUp);
  child.on('exit', giveUp);
  child.stderr?.on('data', (chunk: Buffer) => {
    isHeapFull ||= chunk.includes(HEAP_FULL);
    process.stderr.write(chunk);
  });
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
  child.once('exit', () => reject(new Error('The process of the runner ended before it was ready.')));
  // The first job reports it; a runner without jobs must not bring its parent down.
  ready.catch(() => {});

  let holds = 0;
  function hold(isHeld: boolean): void {
    holds += isHeld ? 1 : -1;
    refer(holds > 0);
  }
  function refer(isHeld: boolean): void {
    for (const handle of [child, child.channel, child.stderr as { ref?(): void; unref?(): void } | null]) {
      if (isHeld) handle?.ref?.();
      else handle?.unref?.();
    }
  }
  function kill(): void {
    isOver = true;
    child.kill('SIGKILL');
  }
  child.on('message', (message: FromProcess) => {
    // What failed may have left anything behind, so this job is the last one.
    if (message.kind === 'fault') isOver = true;
  });
  refer(false);
  // Linux: when the machine runs out of memory, this process is ended and not its parent.
  writeFile(`/proc/${child.pid}/oom_score_adj`, '500').catch(() => {});
  child.send({ kind: 'start', options } satisfies ToProcess);
  return {
    child,
    ready,
    jobs: 0,
    post: (message) => void child.send(message),
    isOver: () => isOver,
    ranOutOfHeap: () => isHeapFull,
    hold,
    kill,
  };
}
