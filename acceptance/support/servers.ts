import { after, before, describe } from 'node:test';
import {
  ENGINES,
  type Engine,
  postgresEnvironment,
  type RunningPostgres,
  type RunningServer,
  startPostgres,
  startServer,
} from '@atelier/testing';

/** The server that a block of tests shares; it may be replaced by a restart. */
export interface SharedServer {
  readonly engine: Engine;
  readonly current: RunningServer;
  restart(environment?: Record<string, string>): Promise<void>;
}

interface BlockOptions {
  /** Settings, or what makes them just before the start. */
  readonly environment?: Readonly<Record<string, string>> | (() => Promise<Record<string, string>>);
}

/** Servers with default settings, shared by all blocks of one process, which run one after the other. */
const plain = new Map<Engine, Promise<RunningServer>>();

/** Declares the same tests for each database engine, on one server each: a fresh one where settings are given. */
export function onEachEngine(
  title: string,
  declare: (server: SharedServer) => void,
  { environment }: BlockOptions = {},
): void {
  describe(title, () => {
    // Both start at once, so that the second is ready when the tests on the first are done.
    const running = environment ? new Map<Engine, Promise<RunningServer>>() : plain;
    before(async () => {
      const settings = typeof environment === 'function' ? await environment() : environment;
      for (const engine of ENGINES) {
        if (running.has(engine)) continue;
        const start = startServer({ engine, environment: settings ?? {} });
        // Its tests report the failure, when it is their turn.
        start.catch(() => {});
        running.set(engine, start);
      }
    });
    if (environment) after(async () => await disposeAll(running));

    for (const engine of ENGINES) {
      describe(engine, () => {
        let current: RunningServer | undefined;
        const server: SharedServer = {
          engine,
          get current() {
            if (!current) throw new Error('the server has not started');
            return current;
          },
          restart: async (changes) => {
            const next = server.current.restart(changes);
            running.set(engine, next);
            current = await next;
          },
        };
        before(async () => {
          current = await running.get(engine);
        });
        declare(server);
      });
    }
  });
}

async function disposeAll(running: Map<Engine, Promise<RunningServer>>): Promise<void> {
  for (const start of running.values()) {
    const server = await start.catch(() => undefined);
    await server?.[Symbol.asyncDispose]();
  }
}

/** `npm test` starts one PostgreSQL for all files. A file that is run by itself starts one for all its blocks. */
const [sharedPostgres = ''] = Object.keys(postgresEnvironment({ url: '' }));
let own: RunningPostgres | undefined;
before(async () => {
  if (process.env[sharedPostgres] !== undefined) return;
  own = await startPostgres();
  Object.assign(process.env, postgresEnvironment(own));
});
after(async () => {
  await disposeAll(plain);
  await own?.stop();
});
