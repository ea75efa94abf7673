import { randomUUID } from 'node:crypto';
import { after, before, describe } from 'node:test';
import {
  ENGINES,
  type Engine,
  isShortRun,
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
  /** Settings, or what makes them just before the start: then no other block shares the servers. */
  readonly environment?: Readonly<Record<string, string>> | (() => Promise<Record<string, string>>);
}

type DeclareTests = (server: SharedServer) => void;

interface Shared {
  readonly servers: Map<Engine, Promise<RunningServer>>;
  /** Blocks that have not ended. All are declared before the first one runs. */
  blocks: number;
}

/** By their settings. Blocks of one process with equal settings share servers: they run one after the other. */
const pool = new Map<string, Shared>();

/** Declares the same tests for each database engine, on one server each. */
export function onEachEngine(title: string, declare: DeclareTests, options: BlockOptions = {}): void {
  declareOn(ENGINES, title, declare, options);
}

/**
 * The same for tests of what has little to do with the database, such as archives, pictures and refusals: `npm test` takes one engine. The
 * long run, and a file run by itself, take both.
 */
export function onAnyEngine(title: string, declare: DeclareTests, options: BlockOptions = {}): void {
  // The same one in every run, and about as often each.
  const one = ENGINES.slice(title.length % 2).slice(0, 1);
  declareOn(isShortRun ? one : ENGINES, title, declare, options);
}

function declareOn(
  engines: readonly Engine[],
  title: string,
  declare: DeclareTests,
  { environment }: BlockOptions,
): void {
  const key = typeof environment === 'function' ? randomUUID() : JSON.stringify(environment ?? {});
  const shared = pool.getOrInsertComputed(key, () => ({ servers: new Map(), blocks: 0 }));
  shared.blocks += 1;
  describe(title, () => {
    const { servers } = shared;
    // Both start at once, so that the second is ready when the tests on the first are done.
    before(async () => {
      const settings = typeof environment === 'function' ? await environment() : environment;
      for (const engine of engines) {
        if (servers.has(engine)) continue;
        const start = startServer({ engine, environment: settings ?? {} });
        // Its tests report the failure, when it is their turn.
        start.catch(() => {});
        servers.set(engine, start);
      }
    });
    after(async () => {
      shared.blocks -= 1;
      if (shared.blocks > 0) return;
      for (const start of servers.values()) {
        const server = await start.catch(() => undefined);
        await server?.[Symbol.asyncDispose]();
      }
    });

    for (const engine of engines) {
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
            servers.set(engine, next);
            current = await next;
          },
        };
        before(async () => {
          current = await servers.get(engine);
        });
        declare(server);
      });
    }
  });
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
  await own?.stop();
});
