import { openAsBlob } from 'node:fs';
import { isObject } from '@atelier/contracts/is-object';
import {
  type FileRef,
  type Graph,
  type GraphNode,
  type JobFiles,
  NodeError,
  parseFileName,
} from '@atelier/engine';

import { type ComfyClient, Refusal } from './comfyui-client.ts';
import type { FactsOf } from './node-facts.ts';

interface Parts {
  readonly client: Pick<ComfyClient, 'upload'>;
  readonly files: Pick<JobFiles, 'localPath'>;
  readonly factsOf: FactsOf;
  /** Whether an input of a node type accepts only files outside of folders. */
  readonly isFlat: (nodeType: string, input: string) => boolean;
  readonly folder: string;
  readonly signal: AbortSignal;
}

export class InputFailure extends Error {
  override readonly name = 'InputFailure';
  readonly nodeId: string;
  constructor(nodeId: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.nodeId = nodeId;
  }
}

const ANNOTATED = / \[(?:input|output|temp)\]$/;
/** `Load3D` accepts only files below this folder. */
const FOLDER_3D = /^3d(?:\/|$)/;
const MODEL_3D = /\.(?:gltf|glb|obj|fbx|stl)$/i;
const TOO_LARGE = 413;

/** Uploads the files that a graph names. Returns the graph with their names at ComfyUI. */
export async function stageInputs(graph: Graph, parts: Parts): Promise<Graph> {
  const uploads = new Map<string, Promise<string>>();
  const stage: Stage = async (text, isFlat = false) => {
    const ref = parseFileName(text);
    const nested = place(ref, parts.folder);
    const key = `${nested.folder}/${nested.name}${isFlat ? ' flat' : ''}`;
    return await uploads.getOrInsertComputed(key, async () => {
      const target = isFlat ? placeFlat(ref, parts.folder, uploads.size) : nested;
      await send(ref, target, parts);
      return target.folder === '' ? target.name : `${target.folder}/${target.name}`;
    });
  };
  const staged = Object.entries(graph).map(async ([id, node]) => {
    try {
      return [id, await stageNode(node, parts, stage)] as const;
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      throw new InputFailure(id, error);
    }
  });
  return Object.fromEntries(await Promise.all(staged));
}

type Stage = (text: string, isFlat?: boolean) => Promise<string>;

async function stageNode(
  node: GraphNode,
  { factsOf, isFlat }: Pick<Parts, 'factsOf' | 'isFlat'>,
  stage: Stage,
): Promise<GraphNode> {
  const { uploads, sockets } = factsOf(node.class_type) ?? {};
  const inputs = Object.entries(node.inputs).map(async ([name, value]) => {
    const stageIt: Stage = async (text) => await stage(text, isFlat(node.class_type, name));
    if (uploads?.has(name)) return [name, await stageValue(value, stageIt)] as const;
    // Custom widgets, such as the one for webcams, are declared as sockets.
    if (typeof value === 'string' && sockets?.has(name) && ANNOTATED.test(value))
      return [name, await stage(value)] as const;
    // Widgets for several files, such as the one for 3D scenes, are objects.
    return [name, isObject(value) ? await stageMembers(value, stage) : value] as const;
  });
  return { ...node, inputs: Object.fromEntries(await Promise.all(inputs)) };
}

/** A text, or a list of them; a link stays as it is. */
async function stageValue(value: unknown, stage: Stage): Promise<unknown> {
  if (typeof value === 'string') return value === '' || value === 'none' ? value : await stage(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return await Promise.all(value.map(async (item) => await stage(item)));
  return isObject(value) ? await stageMembers(value, stage) : value;
}

async function stageMembers(
  members: Readonly<Record<string, unknown>>,
  stage: Stage,
): Promise<Readonly<Record<string, unknown>>> {
  const entries = Object.entries(members).map(
    async ([name, value]) =>
      [name, typeof value === 'string' && ANNOTATED.test(value) ? await stage(value) : value] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** Where a file goes. It keeps its name, because some nodes use the extension and some show the name. */
function place({ folder, subfolder, name }: FileRef, own: string) {
  const within = [folder, subfolder].filter((part) => part !== '').join('/');
  if (folder === 'input' && (FOLDER_3D.test(subfolder) || MODEL_3D.test(name)))
    return { folder: `3d/${own}/${within}`, name };
  return { folder: `${own}/${within}`, name };
}

/** The prefix of an attempt's files outside of folders. */
export const flatPrefix = (own: string): string => `${own.replace('/', '-')}-`;

/** A longer name may not fit behind the prefix. Its end is kept, with the extension. */
const FLAT_NAME_BYTES = 190;

function placeFlat({ name }: FileRef, own: string, index: number) {
  const end = Buffer.from(name).subarray(-FLAT_NAME_BYTES).toString();
  return { folder: '', name: `${flatPrefix(own)}${index}-${end}` };
}

async function send(
  ref: FileRef,
  { folder: subfolder, name }: ReturnType<typeof place>,
  { client, files, signal }: Parts,
): Promise<void> {
  const file = await openAsBlob(await files.localPath(ref));
  try {
    await client.upload(file, { filename: name, subfolder, type: 'input' }, { signal });
  } catch (error) {
    if (error instanceof Refusal && error.status === TOO_LARGE)
      throw new NodeError(
        'ValueError',
        `${ref.name} is larger than what ComfyUI accepts (--max-upload-size).`,
      );
    throw error;
  }
}
