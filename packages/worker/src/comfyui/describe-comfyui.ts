import type { WorkerMessages } from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';
import { DescriptionError, describeNodes, readObjectInfo } from '@atelier/engine';

import type { ExecutorStatus } from '../executor.ts';
import { type ComfyClient, Refusal, TooLarge, Unreachable } from './comfyui-client.ts';
import { type FactsOf, readNodeFacts } from './node-facts.ts';
import { textOf, texts } from './read-history.ts';

export type ComfyFacts = Pick<WorkerMessages['offer'], 'memoryBytes' | 'gpus' | 'models'>;

interface Machine extends Omit<ComfyFacts, 'models'> {
  /** What it was started with. */
  readonly argv: readonly string[];
  /** Of an Atelier, which answers as a ComfyUI does. */
  readonly installation: string | undefined;
  readonly free: Pick<ExecutorStatus, 'ram' | 'gpus'>;
}

const MIN_COMFYUI_VERSION = { major: 0, minor: 7 };
const MAX_OBJECT_INFO_BYTES = 32 * 2 ** 20;
const OBJECT_INFO_MS = 120_000;
const MAX_GPUS = 64;
const MAX_FOLDERS = 200;
const MAX_FILES = 20_000;
const MAX_NAME = 1024;
/** They list code and settings of ComfyUI itself. */
const NOT_MODELS = new Set(['custom_nodes', 'configs']);

/** An address that cannot be worked with. The message is a sentence for the operator. */
export class Unusable extends Error {
  override readonly name = 'Unusable';
}

/** What the machine of a ComfyUI has. Throws `Unusable` when it is none, or none to work with. */
export async function readMachine(client: ComfyClient): Promise<Machine> {
  const stats = await client.get('/system_stats').catch((error: unknown) => {
    throw explain(error, client.url);
  });
  const system = isObject(stats) ? stats['system'] : undefined;
  if (!isObject(system)) throw new Unusable(`What answers at ${client.url} is not a ComfyUI.`);
  const version = textOf(system['comfyui_version'], '');
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  if (Number(major ?? 0) === MIN_COMFYUI_VERSION.major && Number(minor ?? 0) < MIN_COMFYUI_VERSION.minor)
    throw new Unusable(
      `The ComfyUI at ${client.url} is too old${version === '' ? '' : ` (${version})`}. Update it to 0.7 or later.`,
    );
  const devices: readonly unknown[] =
    isObject(stats) && Array.isArray(stats['devices']) ? stats['devices'] : [];
  const cards = devices
    .filter(isObject)
    .filter(({ type }) => type !== 'cpu')
    .slice(0, MAX_GPUS);
  const gpus = cards.map(({ name, vram_total: bytes }) => ({
    name: String(name).slice(0, 256),
    memoryBytes: bytesOf(bytes),
  }));
  const ram = { totalBytes: bytesOf(system['ram_total']), freeBytes: bytesOf(system['ram_free']) };
  const free = { ram, gpus: cards.map(({ vram_free: bytes }) => ({ freeBytes: bytesOf(bytes) })) };
  const { installation_id: installation } = system;
  return {
    gpus,
    memoryBytes: gpus[0]?.memoryBytes ?? ram.totalBytes,
    argv: texts(system['argv']),
    installation: typeof installation === 'string' ? installation : undefined,
    free,
  };
}

function explain(error: unknown, url: string): unknown {
  if (error instanceof Refusal && isObject(error.body) && error.body['code'] === 'auth.required')
    return new Unusable(`${url} is an Atelier server, and not a ComfyUI.`);
  if (error instanceof Refusal && (error.status === 401 || error.status === 403))
    return new Unusable(
      `The ComfyUI at ${url} needs a password (${error.status}), which a worker does not have.`,
    );
  if (error instanceof Refusal && error.status < 400)
    return new Unusable(
      `${url} sends callers elsewhere (${error.status}). Name the address of the ComfyUI itself.`,
    );
  if (error instanceof Refusal || error instanceof TooLarge)
    return new Unusable(`What answers at ${url} is not a ComfyUI. ${error.message}`);
  if (!(error instanceof Unreachable)) return error;
  if (/CERT|SIGNED|ALTNAME|UNABLE_TO_VERIFY/.test(error.code))
    return new Unusable(`The certificate of ${url} is not valid (${error.code}).`);
  if (/SSL|TLS/.test(error.code))
    return new Unusable(`What answers at ${url} does not speak TLS (${error.code}).`);
  return new Unusable(`No ComfyUI answers at ${url} (${error.code}). Start it first, or use --start.`, {
    cause: error,
  });
}

/** File names by folder. */
export async function readModels(client: ComfyClient): Promise<ComfyFacts['models']> {
  const folders = await client.get('/models');
  const models: Record<string, string[]> = {};
  for (const folder of (Array.isArray(folders) ? folders.map(String) : []).slice(0, MAX_FOLDERS)) {
    if (NOT_MODELS.has(folder)) continue;
    // A folder may go away in between.
    const names = await client.get(`/models/${encodeURIComponent(folder)}`).catch((error: unknown) => {
      if (error instanceof Refusal) return [];
      throw error;
    });
    models[folder] = (Array.isArray(names) ? names.map(String) : [])
      .filter((name) => name.length <= MAX_NAME)
      .slice(0, MAX_FILES);
  }
  return models;
}

export interface NodeTypes {
  /** For the server. */
  readonly description: string;
  readonly factsOf: FactsOf;
  /** Node types that cannot be offered, each with a sentence. */
  readonly problems: readonly string[];
}

export async function readNodeTypes(client: ComfyClient): Promise<NodeTypes> {
  const bounds = { maxBytes: MAX_OBJECT_INFO_BYTES, deadlineMs: OBJECT_INFO_MS };
  const text = await client.getText('/object_info', bounds).catch((error: unknown) => {
    if (!(error instanceof TooLarge)) throw error;
    throw new Unusable(`The node types of the ComfyUI at ${client.url} are too large. ${error.message}`);
  });
  try {
    const { catalogue, problems } = readObjectInfo(text);
    return { description: describeNodes(catalogue), factsOf: readNodeFacts(catalogue), problems };
  } catch (error) {
    if (!(error instanceof DescriptionError)) throw error;
    throw new Unusable(`What ${client.url} says of its node types cannot be read. ${error.message}`);
  }
}

function bytesOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER) : 0;
}
