import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';
import { childEnvironment } from '../runner/child-environment.ts';

/** A thread or process that answers tasks. It keeps this process alive only while it is held. */
export interface PoolMember {
  readonly events: NodeJS.EventEmitter;
  post(message: unknown, transfer: readonly Transferable[]): void;
  hold(isHeld: boolean): void;
  end(): Promise<unknown>;
  /** CPU time so far, or since `before`. */
  cpuUsage?(before?: NodeJS.CpuUsage): Promise<NodeJS.CpuUsage>;
}

export function startThread(url: URL, resourceLimits: ResourceLimits): PoolMember {
  // A thread that reads untrusted files must not see the environment of the process.
  const worker = new Worker(url, { resourceLimits, env: {}, execArgv: [] });
  return {
    events: worker,
    post: (message, transfer) => worker.postMessage(message, transfer),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    end: async () => await worker.terminate(),
    cpuUsage: async (before) => await worker.cpuUsage(before),
  };
}

/** For native libraries: a crash ends only this process, and it can be killed in the middle of a call. */
export function startProcess(url: URL): PoolMember {
  const child = fork(fileURLToPath(url), {
    serialization: 'advanced',
    execArgv: [],
    env: childEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // Linux: when the machine runs out of memory, this process is ended and not its parent.
  writeFile(`/proc/${child.pid}/oom_score_adj`, '500').catch(() => {});
  function hold(isHeld: boolean): void {
    for (const handle of [child, child.channel]) {
      if (isHeld) handle?.ref();
      else handle?.unref();
    }
  }
  return {
    events: child,
    // An error is ignored, because a process that has just ended reports its end.
    post: (message) => void child.send(message as object, () => {}),
    hold,
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      hold(true);
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}
