import {
  type CheckQuestion,
  type Folders,
  type NodeCatalogue,
  type Runner,
  readNodeDescriptions,
  type Verdict,
} from '@atelier/engine';

import { AppError } from '../platform/errors/app-error.ts';

/** How long a request waits for node types that are still being loaded: a pack may take 30 seconds. */
const WAIT_MS = 30_000;
const RETRY_SECONDS = 5;
/** The process that runs checks takes a second to load its node types, and 100 MB. */
const CHECKER_IDLE_MS = 10 * 60_000;

/** Node types as their runner describes them. None of their code is in this process. */
export interface NodeTypes {
  readonly catalogue: NodeCatalogue;
  /** The same as JSON, for a thread. */
  readonly description: string;
}

export type AskCheck = (
  question: CheckQuestion,
  options: { readonly folders: Folders; readonly signal: AbortSignal },
) => Promise<Verdict>;

interface Parts {
  readonly createRunner: () => Runner;
  /** Whether somebody takes the first runner; else it is closed when it has described its node types. */
  readonly keepsRunner: boolean;
  readonly onError: (error: unknown) => void;
  readonly waitMs?: number;
}

/** Learns the node types from a runner process, and asks one what custom checks of node packs say. */
export function createNodeTypes({ createRunner, keepsRunner, onError, waitMs = WAIT_MS }: Parts) {
  let first: Runner | undefined;
  let loading: Promise<NodeTypes> | undefined;
  let ready: NodeTypes | undefined;
  let checker: Runner | undefined;
  let restTimer: NodeJS.Timeout | undefined;

  async function describe(): Promise<NodeTypes> {
    first ??= createRunner();
    const description = await first.describe();
    if (!keepsRunner) await takeRunner()?.close();
    ready = { catalogue: readNodeDescriptions(description), description };
    return ready;
  }

  /** Starts a runner process at the first call. One that fails is replaced at the next. */
  async function load(): Promise<NodeTypes> {
    loading ??= describe().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return await loading;
  }

  /** The runner that described them, once: it can run jobs as well. */
  function takeRunner(): Runner | undefined {
    const taken = first;
    first = undefined;
    return taken;
  }

  function restChecker(): void {
    const resting = checker;
    checker = undefined;
    resting?.close().catch(onError);
  }

  return {
    load,

    /** Refuses with 503 while they cannot be had. */
    async get(): Promise<NodeTypes> {
      if (ready) return ready;
      const { promise: late, resolve } = Promise.withResolvers<undefined>();
      const timer = setTimeout(resolve, waitMs, undefined);
      const loaded = await Promise.race([load(), late])
        .catch((error: unknown) => {
          onError(error);
          return undefined;
        })
        .finally(() => clearTimeout(timer));
      if (loaded) return loaded;
      throw new AppError(
        'cloud.node_types_loading',
        `The node types are still being loaded. Try again in ${RETRY_SECONDS} seconds.`,
        { retryAfterSeconds: RETRY_SECONDS },
      );
    },

    takeRunner,

    /** In a process of its own: a check must not wait for jobs. */
    askCheck: (async (question, options) => {
      clearTimeout(restTimer);
      checker ??= createRunner();
      try {
        return await checker.check(question, options);
      } finally {
        clearTimeout(restTimer);
        restTimer = setTimeout(restChecker, CHECKER_IDLE_MS).unref();
      }
    }) satisfies AskCheck,

    async close(): Promise<void> {
      clearTimeout(restTimer);
      await Promise.all([first?.close(), checker?.close()]);
    },
  };
}
