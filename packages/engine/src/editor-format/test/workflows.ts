import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from '@atelier/nodes';
import { createCatalogue, createFolderFiles, toApiFormat, toJson, validatePrompt } from '../../index.ts';
import { pack as testPack } from './widget-pack.ts';

export const catalogue = createCatalogue([pack, testPack]);

const folder = mkdtempSync(join(tmpdir(), 'atelier-editor-format-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'photo.png'), '');
const files = createFolderFiles({ input: folder, output: folder, temp: folder });

type Json = Readonly<Record<string, unknown>>;

/** `[link, name, type]`, with the widget's name where the input is one. */
type InputOf = readonly [link: number | null, name: string, type: string, widget?: true];

export interface NodeOptions {
  readonly inputs?: readonly InputOf[];
  readonly outputs?: readonly string[];
  readonly values?: unknown;
  readonly title?: string;
  readonly mode?: number;
  readonly more?: Json;
}

/** A node as the editor saves it. */
export function node(id: number | string, type: string, options: NodeOptions = {}): Json {
  const { inputs = [], outputs = [], values, title, mode = 0, more = {} } = options;
  return {
    id,
    type,
    pos: [0, 0],
    size: [200, 100],
    flags: {},
    order: 0,
    mode,
    inputs: inputs.map(([link, name, socket, widget]) => ({
      name,
      type: socket,
      link,
      ...(widget ? { widget: { name } } : {}),
    })),
    outputs: outputs.map((output) => ({ name: output, type: output, links: [] })),
    properties: {},
    ...(values === undefined ? {} : { widgets_values: values }),
    ...(title === undefined ? {} : { title }),
    ...more,
  };
}

export type LinkOf = readonly [id: number, from: unknown, slot: number, to: unknown, slot: number];

export function workflow(nodes: readonly unknown[], links: readonly LinkOf[], more: Json = {}): Json {
  return { nodes, links: links.map((link) => [...link, 'IMAGE']), groups: [], version: 0.4, ...more };
}

/** The form of newer files, and of the insides of subgraphs. */
export function linkObjects(links: readonly LinkOf[]): readonly Json[] {
  return links.map(([id, origin_id, origin_slot, target_id, target_slot]) => {
    return { id, origin_id, origin_slot, target_id, target_slot, type: 'IMAGE' };
  });
}

interface SubgraphOptions {
  readonly inputs: readonly string[];
  readonly nodes: readonly unknown[];
  readonly links: readonly LinkOf[];
}

export function subgraph(id: string, { inputs, nodes, links }: SubgraphOptions): Json {
  return {
    id,
    name: 'A subgraph',
    version: 1,
    inputNode: { id: -10 },
    outputNode: { id: -20 },
    inputs: inputs.map((name, slot) => ({
      name,
      type: 'IMAGE',
      linkIds: links.flatMap(([link, from, fromSlot]) => (from === -10 && fromSlot === slot ? [link] : [])),
    })),
    outputs: [],
    nodes,
    links: linkObjects(links),
  };
}

/** Links and values of each node, by id; what is sound in itself must be sound for validation, too. */
export async function inputsOf(saved: unknown): Promise<Json> {
  const { prompt, order } = toApiFormat(saved, { catalogue });
  const valid = await validatePrompt(prompt, { catalogue, files, order });
  assert.ok(valid.ok, toJson(valid));
  assert.deepEqual(valid.node_errors, {});
  assert.deepEqual([...order].sort(), Object.keys(prompt).sort());
  return Object.fromEntries(order.map((id) => [id, prompt[id]?.inputs]));
}

export const SAVE = { inputs: [[9, 'images', 'IMAGE']], values: ['out'] } satisfies NodeOptions;
export const EMPTY = { outputs: ['IMAGE'], values: [64, 32, 1, 0] } satisfies NodeOptions;
/** What comes of those two. */
export const EMPTY_INPUTS = { width: 64, height: 32, batch_size: 1, color: 0 };
export const savedFrom = (id: string, slot = 0): Json => ({ filename_prefix: 'out', images: [id, slot] });
