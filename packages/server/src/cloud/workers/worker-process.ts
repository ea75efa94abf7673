import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;
/** A worker that ran this long did not fail at its start. */
const STEADY_MS = 60_000;

interface Parts {
  /** The name that operators see. */
  readonly name: string;
  /** The worker program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly leaveMs: number;
  /** Called when its process has ended: what it ran is lost. */
  readonly onGone: () => void;
  readonly onLog: (sentence: string) => void;
  readonly onError: (error: unknown) => void;
}

type FromChild =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'broken'; readonly message: string }
  | { readonly kind: 'log'; readonly sentence: string };

export type WorkerProcess = ReturnType<typeof createWorkerProcess>;

/** A worker that the server starts itself, and restarts when it ends. */
export function createWorkerProcess({ name, program, args, env, leaveMs, onGone, onLog, onError }: Parts) {
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pause = FIRST_PAUSE_MS;
  let isClosed = false;
  const { promise: loaded, resolve, reject } = Promise.withResolvers<void>();
  loaded.catch(() => {});
  const { promise: server, resolve: setServer } = Promise.withResolvers<string>();

  function start(): void {
    const startedAt = performance.now();
    const own = fork(program, args, {
      env,
      execArgv: ['--max-old-space-size=256', '--max-semi-space-size=2'],
      // Its output goes to this server's log.
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child = own;
    let broken: string | undefined;
    own.on('message', (message: FromChild) => {
      if (message.kind === 'log') {
        if (!isClosed) onLog(message.sentence);
        return;
      }
      if (message.kind === 'broken') {
        broken = message.message;
        return;
      }
      resolve();
      // A process that has just ended reports that itself.
      void server.then((url) => own.connected && own.send({ server: url }, () => {}));
    });
    own.on('error', onError);
    own.once('exit', (code, signal) => {
      child = undefined;
      onGone();
      if (isClosed) return;
      const error = new Error(broken ?? `The worker ${name} ended (${signal ?? code}).`);
      reject(error);
      if (broken === undefined) onError(error);
      else onLog(broken);
      timer = setTimeout(start, pause);
      pause = performance.now() - startedAt > STEADY_MS ? FIRST_PAUSE_MS : Math.min(2 * pause, MAX_PAUSE_MS);
    });
  }

  return {
    /** Resolves when its node types are loaded; rejects with the reason when the first start fails. */
    async load(): Promise<void> {
      if (!child) start();
      await loaded;
    },
    connect(url: string): void {
      if (!child) start();
      setServer(url);
    },
    /** Kills a worker that no longer answers. */
    restart(): void {
      child?.kill('SIGKILL');
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      if (!child) return;
      const own = child;
      const left = once(own, 'exit');
      if (leaveMs > 0 && own.connected) own.disconnect();
      const patience = setTimeout(() => own.kill('SIGKILL'), leaveMs);
      await left;
      clearTimeout(patience);
    },
  };
}
