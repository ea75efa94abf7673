import type { WorkerMessages } from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';
import { DescriptionError, describeNodes, readObjectInfo } from '@atelier/engine';

import { type ComfyClient, Refusal, TooLarge, Unreachable } from './comfyui-client.ts';
import { readNodeFacts } from './node-facts.ts';
import { fieldsOf, listOf, textOf, textsOf } from './read-fields.ts';

export type ComfyFacts = Pick<WorkerMessages['offer'], 'memoryBytes' | 'gpus' | 'models'>;

const MIN_COMFYUI_VERSION = { major: 0, minor: 7 };
const MAX_OBJECT_INFO_BYTES = 32 * 2 ** 20;
const OBJECT_INFO_MS = 120_000;
const MAX_GPUS = 64;
const MAX_FOLDERS = 200;
const MAX_FILES = 20_000;
const MAX_NAME = 1024;
/** These list code and settings of ComfyUI itself. */
const NOT_MODELS = new Set(['custom_nodes', 'configs']);

/** The address cannot be used. The message is a sentence for the operator. */
export class Unusable extends Error {
  override readonly name = 'Unusable';
}

/** Reads what the machine of a ComfyUI has. Throws `Unusable` when it is not a ComfyUI or cannot be used. */
export async function readMachine(client: ComfyClient) {
  const stats = await client.get('/system_stats').catch((error: unknown) => {
    throw explain(error, client.url);
  });
  const { system, devices } = fieldsOf(stats);
  if (!isObject(system)) throw new Unusable(`What answers at ${client.url} is not a ComfyUI.`);
  const version = textOf(system['comfyui_version']);
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  if (Number(major ?? 0) === MIN_COMFYUI_VERSION.major && Number(minor ?? 0) < MIN_COMFYUI_VERSION.minor)
    throw new Unusable(
      `The ComfyUI at ${client.url} is too old${version === '' ? '' : ` (${version})`}. Update it to 0.7 or later.`,
    );
  const cards = listOf(devices)
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
    /** Its command line. */
    argv: textsOf(system['argv']),
    /** The id of an Atelier, which answers like a ComfyUI. */
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
  for (const folder of textsOf(folders).slice(0, MAX_FOLDERS)) {
    if (NOT_MODELS.has(folder)) continue;
    // A folder may have disappeared since.
    const names = await client.get(`/models/${encodeURIComponent(folder)}`).catch((error: unknown) => {
      if (error instanceof Refusal) return [];
      throw error;
    });
    models[folder] = textsOf(names)
      .filter((name) => name.length <= MAX_NAME)
      .slice(0, MAX_FILES);
  }
  return models;
}

export type NodeTypes = Awaited<ReturnType<typeof readNodeTypes>>;

/** The description of the node types for the server, and a sentence about each type that cannot be offered. */
export async function readNodeTypes(client: ComfyClient) {
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
