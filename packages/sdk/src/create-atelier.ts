import { createAccount } from './account.ts';
import { type Admin, createAdmin } from './admin.ts';
import { createAssets } from './assets.ts';
import { createCredits } from './credits.ts';
import { usageError } from './errors.ts';
import { createFiles } from './files/files.ts';
import { createGeneration } from './generation.ts';
import { createHistory } from './history.ts';
import { isSafeForKey, readServerAddress } from './http/server-address.ts';
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
  /** The address of the server. By default `ATELIER_URL`, and in a browser the origin of the page. */
  readonly url?: string | undefined;
  /**
   * An API key or an access token, or a function that returns the current one. By default `ATELIER_API_KEY`; in a page of the server
   * itself the session cookie is enough.
   */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** How long to wait for an answer, or for the next part of a file. Default: 60 seconds. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is retried where that is safe. Default: 3. */
  readonly retries?: number | undefined;
  /**
   * How long to wait for a server that has answered before and then goes away, beyond `retries`. Default: 0. Jobs are followed through
   * outages in any case.
   */
  readonly reconnectMs?: number | undefined;
  /** Allows sending the key over plain http to a public address, where others can read it. */
  readonly allowInsecure?: boolean | undefined;
}

/** The client of one server. */
export interface Atelier {
  /** The address of the server. */
  readonly url: string;
  /** Runs of workflows. */
  readonly jobs: ReturnType<typeof createJobs>;
  /** Workflows saved on the server, and loading your own. */
  readonly workflows: ReturnType<typeof createWorkflows>;
  /** Files by their names. */
  readonly files: ReturnType<typeof createFiles>;
  /** Files as assets: with a name, tags and notes. */
  readonly assets: ReturnType<typeof createAssets>;
  /** Waiting and running jobs. */
  readonly queue: ReturnType<typeof createQueue>;
  /** Finished jobs. */
  readonly history: ReturnType<typeof createHistory>;
  /** The node types that workflows can use. */
  readonly nodeTypes: ReturnType<typeof createNodeTypes>;
  /** Model files of the workers. */
  readonly models: ReturnType<typeof createModels>;
  /** Node packs and their publishers. */
  readonly registry: Registry;
  /** Pictures and videos made by vendors. */
  readonly generation: ReturnType<typeof createGeneration>;
  /** Credits, which pay for generation. */
  readonly credits: ReturnType<typeof createCredits>;
  /** API keys. */
  readonly keys: ReturnType<typeof createKeys>;
  /** Webhook messages to your servers. */
  readonly webhooks: ReturnType<typeof createWebhooks>;
  /** Who you are. */
  readonly account: ReturnType<typeof createAccount>;
  /** Your settings of the editor. */
  readonly settings: ReturnType<typeof createSettings>;
  /** Files that the editor keeps for you. */
  readonly userData: ReturnType<typeof createUserData>;
  /** Sign-in for programs. */
  readonly oauth: ReturnType<typeof createOAuth>;
  /** For administrators. */
  readonly admin: Admin;
  /** The server itself. */
  readonly server: ReturnType<typeof createServerArea>;
}

const TIMEOUT_MS = 60_000;
const RETRIES = 3;

/** Creates a client for one server. No request is made until a method is called. */
export function createAtelier(options: AtelierOptions = {}): Atelier {
  const url = readServerAddress(options.url ?? environment('ATELIER_URL') ?? ownOrigin());
  const apiKey = options.apiKey ?? environment('ATELIER_API_KEY');
  if (apiKey !== undefined && options.allowInsecure !== true && !isSafeForKey(url)) {
    throw usageError(
      `The key would be sent to ${url.origin} unencrypted. Use https, or allow insecure connections if you trust the network.`,
    );
  }
  const { timeoutMs = TIMEOUT_MS, retries = RETRIES, reconnectMs = 0 } = options;
  if (!(timeoutMs > 0)) throw usageError('timeoutMs must be a positive number of milliseconds.');
  if (!(retries >= 0 && reconnectMs >= 0)) throw usageError('retries and reconnectMs must not be negative.');
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

/** Deno asks the user before it reads a variable, and throws if that is denied. */
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
  throw usageError('Specify the server: createAtelier({ url }), or the variable ATELIER_URL.');
}
