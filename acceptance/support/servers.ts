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

/** Declares the same tests for each database engine, on one fresh server each. */
export function onEachEngine(
  title: string,
  declare: (server: SharedServer) => void,
  { environment = {} }: BlockOptions = {},
): void {
  describe(title, () => {
    // Both start at once, so that the second is ready when the tests on the first are done.
    const running = new Map<Engine, Promise<RunningServer>>();
    before(async () => {
      const settings = typeof environment === 'function' ? await environment() : environment;
      for (const engine of ENGINES) {
        const start = startServer({ engine, environment: settings });
        // Its tests report the failure, when it is their turn.
        start.catch(() => {});
        running.set(engine, start);
      }
    });
    after(async () => {
      for (const start of running.values()) {
        const server = await start.catch(() => undefined);
        await server?.[Symbol.asyncDispose]();
      }
    });

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

/** `npm test` starts one PostgreSQL for all files. A file that is run by itself starts one for all its blocks. */
const [sharedPostgres = ''] = Object.keys(postgresEnvironment({ url: '' }));
if (process.env[sharedPostgres] === undefined) {
  let own: RunningPostgres | undefined;
  before(async () => {
    own = await startPostgres();
    Object.assign(process.env, postgresEnvironment(own));
  });
  after(async () => await own?.stop());
}
