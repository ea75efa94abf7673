import { createAccount } from './account.ts';
import { type Admin, createAdmin } from './admin.ts';
import { createAssets } from './assets.ts';
import { createCredits } from './credits.ts';
import { usageError } from './errors.ts';
import { createFiles } from './files/files.ts';
import { createGeneration } from './generation.ts';
import { createHistory } from './history.ts';
import { mayCarryKey, readServerAddress } from './http/server-address.ts';
import { createTransport } from './http/transport.ts';
import { createJobs } from './jobs/jobs.ts';
import { createKeys } from './keys.ts';
import { createModels } from './models.ts';
import { createNodeTypes } from './node-types.ts';
import { createOAuth } from './oauth.ts';
import { createQueue } from './queue.ts';
import { createRegistry, type Registry } from './registry/registry.ts';
import { createServerArea } from './server.ts';
import { createSettings } from './settings.ts';
import { createUserData } from './user-data.ts';
import { createWebhooks } from './webhooks.ts';
import { createWorkflows } from './workflows.ts';

export interface AtelierOptions {
  /** Where the server is. By default `ATELIER_URL`, and in a browser the origin of the page. */
  readonly url?: string | undefined;
  /**
   * An API key or an access token, or a function that gives the current one. By default `ATELIER_API_KEY`; in a page of the server
   * itself the session cookie is enough.
   */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /** Instead of the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** How long to wait for an answer, or for the next part of a file. Default: 60 seconds. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is repeated where that is safe. Default: 3. */
  readonly retries?: number | undefined;
  /**
   * For how long a server that has answered before is looked for when it goes away, beyond `retries`. Default: 0. Jobs are followed through
   * such times in any case.
   */
  readonly reconnectMs?: number | undefined;
  /** Lets the key go over plain http to a public address, where others can read it. */
  readonly allowInsecure?: boolean | undefined;
}

/** The client of one server. */
export interface Atelier {
  /** Where the server is. */
  readonly url: string;
  /** Runs of workflows. */
  readonly jobs: ReturnType<typeof createJobs>;
  /** Workflows that are saved on the server, and reading those of your own. */
  readonly workflows: ReturnType<typeof createWorkflows>;
  /** Files by their names. */
  readonly files: ReturnType<typeof createFiles>;
  /** Files as things that have a name, tags and notes. */
  readonly assets: ReturnType<typeof createAssets>;
  /** Jobs that wait and run. */
  readonly queue: ReturnType<typeof createQueue>;
  /** Jobs that have ended. */
  readonly history: ReturnType<typeof createHistory>;
  /** What workflows can use. */
  readonly nodeTypes: ReturnType<typeof createNodeTypes>;
  /** Model files of the workers. */
  readonly models: ReturnType<typeof createModels>;
  /** Packs of nodes, and those who publish them. */
  readonly registry: Registry;
  /** Pictures and videos made by vendors. */
  readonly generation: ReturnType<typeof createGeneration>;
  /** What generation is paid with. */
  readonly credits: ReturnType<typeof createCredits>;
  /** API keys. */
  readonly keys: ReturnType<typeof createKeys>;
  /** Messages to servers of yours. */
  readonly webhooks: ReturnType<typeof createWebhooks>;
  /** Who you are. */
  readonly account: ReturnType<typeof createAccount>;
  /** What you have set in the editor. */
  readonly settings: ReturnType<typeof createSettings>;
  /** Files that the editor keeps for you. */
  readonly userData: ReturnType<typeof createUserData>;
  /** Signing in for programs. */
  readonly oauth: ReturnType<typeof createOAuth>;
  /** For administrators. */
  readonly admin: Admin;
  /** The server itself. */
  readonly server: ReturnType<typeof createServerArea>;
}

const TIMEOUT_MS = 60_000;
const RETRIES = 3;

/** Creates the client of one server. Nothing is asked until a method is called. */
export function createAtelier(options: AtelierOptions = {}): Atelier {
  const url = readServerAddress(options.url ?? environment('ATELIER_URL') ?? ownOrigin());
  const apiKey = options.apiKey ?? environment('ATELIER_API_KEY');
  if (apiKey !== undefined && options.allowInsecure !== true && !mayCarryKey(url)) {
    throw usageError(
      `The key would go to ${url.origin} in clear. Use https, or allow insecure connections if you trust the network.`,
    );
  }
  const { timeoutMs = TIMEOUT_MS, retries = RETRIES, reconnectMs = 0 } = options;
  if (!(timeoutMs > 0)) throw usageError('timeoutMs is a number of milliseconds above 0.');
  if (!(retries >= 0 && reconnectMs >= 0)) throw usageError('retries and reconnectMs are not below 0.');
  const callFetch = options.fetch ?? globalThis.fetch;
  const transport = createTransport({
    url,
    credential: typeof apiKey === 'string' ? () => apiKey : apiKey,
    fetch: async (input, init) => await callFetch(input, init),
    timeoutMs,
    retries,
    reconnectMs,
  });
  const files = createFiles(transport);
  const nodeTypes = createNodeTypes(transport);
  return {
    url: url.href.replace(/\/$/, ''),
    jobs: createJobs(transport, files),
    workflows: createWorkflows(transport, nodeTypes),
    files,
    assets: createAssets(transport),
    queue: createQueue(transport),
    history: createHistory(transport),
    nodeTypes,
    models: createModels(transport),
    registry: createRegistry(transport),
    generation: createGeneration(transport, files),
    credits: createCredits(transport),
    keys: createKeys(transport),
    webhooks: createWebhooks(transport),
    account: createAccount(transport),
    settings: createSettings(transport),
    userData: createUserData(transport),
    oauth: createOAuth(transport, url.href.replace(/\/$/, '')),
    admin: createAdmin(transport),
    server: createServerArea(transport),
  };
}

/** Deno asks its user before it shows a variable, and throws when it may not. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  try {
    return process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}

function ownOrigin(): string {
  const { location } = globalThis as { location?: { origin: string } };
  if (location && /^https?:/.test(location.origin)) return location.origin;
  throw usageError('Say where the server is: createAtelier({ url }), or the variable ATELIER_URL.');
}
