import { WorkflowInputError } from '../errors.ts';
import { type FileInput, isFileInput } from '../files/file-input.ts';
import { isObject } from '../is-object.ts';
import { type Place, placesIn } from './editor-places.ts';
import { type NodeTypes, widgetPlaces } from './editor-widgets.ts';
import { parseExactJson } from './exact-json.ts';
import { findInput, type NamedNode } from './find-input.ts';
import { settableInputs } from './promoted-values.ts';
import { readInput, writeInput } from './subgraph-inputs.ts';

/** A value of an input. A file is uploaded when the workflow is submitted. */
export type WorkflowValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | FileInput
  | readonly WorkflowValue[]
  | { readonly [key: string]: WorkflowValue };

/** A workflow as JSON: in the API format, as saved by the editor, or as a request with it as `prompt`. */
export type WorkflowJson = Readonly<Record<string, unknown>>;

export interface Workflow {
  /** `api` has nodes by id; `editor` is a file saved by the editor. */
  readonly format: 'api' | 'editor';
  readonly nodes: readonly {
    readonly id: string;
    readonly type: string;
    readonly title: string | undefined;
  }[];
  /** Sets an input: `3.seed` by node id (`57:3.seed` inside a subgraph), `KSampler.seed` by node type, or by title. */
  set(input: string, value: WorkflowValue): Workflow;
  get(input: string): unknown;
  copy(): Workflow;
  /** The workflow as JSON, including files that were set as inputs. */
  toJSON(): WorkflowJson;
}

export interface LoadOptions {
  /** Node types of the server, as returned by `atelier.nodeTypes.list()`. Only editor files need them. */
  readonly nodeTypes?: NodeTypes | undefined;
}

/** Loads a workflow in either format. The given object is not modified. */
export function loadWorkflow(source: string | WorkflowJson, options: LoadOptions = {}): Workflow {
  const parsed = typeof source === 'string' ? parse(source) : copyOf(source);
  const json = isObject(parsed) && isObject(parsed['prompt']) ? parsed['prompt'] : parsed;
  if (!isObject(json)) throw new WorkflowInputError('A workflow must be a JSON object.');
  if (isEditorJson(json)) return editorWorkflow(json, options);
  const entries = Object.entries(json);
  if (entries.length === 0) throw new WorkflowInputError('The workflow has no nodes.');
  for (const [id, node] of entries) {
    if (isObject(node) && typeof node['class_type'] === 'string') continue;
    throw new WorkflowInputError(
      `This is not a workflow: ${id} is not a node. Nodes have class_type and inputs; files of the editor have nodes and links.`,
    );
  }
  return apiWorkflow(json as Record<string, ApiNode>, options);
}

export function isWorkflow(value: unknown): value is Workflow {
  return isObject(value) && typeof value['set'] === 'function' && typeof value['toJSON'] === 'function';
}

function isEditorJson(json: unknown): boolean {
  return isObject(json) && Array.isArray(json['nodes']) && Array.isArray(json['links']);
}

interface ApiNode {
  class_type: string;
  inputs?: Record<string, unknown>;
  _meta?: { title?: string };
}

function apiWorkflow(json: Record<string, ApiNode>, options: LoadOptions): Workflow {
  const nodes = Object.entries(json).map(([id, node]) => ({
    id,
    type: node.class_type,
    title: node._meta?.title,
    node,
    inputs: () => [...Object.keys(node.inputs ?? {}), ...describedInputs(node.class_type, options)],
  }));
  const find = (name: string) => findInput(nodes, name);
  return {
    format: 'api',
    nodes: nodes.map(shown),
    set(name, value) {
      const { node, input } = find(name);
      node.node.inputs = { ...node.node.inputs, [input]: value };
      return this;
    },
    get(name) {
      const { node, input } = find(name);
      return node.node.inputs?.[input];
    },
    copy: () => apiWorkflow(copyOf(json) as Record<string, ApiNode>, options),
    toJSON: () => json,
  };
}

/** Inputs that the file omits, if the type is known. */
function describedInputs(type: string, { nodeTypes }: LoadOptions): string[] {
  const { required = {}, optional = {} } = nodeTypes?.[type]?.input ?? {};
  return [...Object.keys(required), ...Object.keys(optional)];
}

function editorWorkflow(json: Record<string, unknown>, options: LoadOptions): Workflow {
  const places = placesIn(json);
  const byId = new Map(places.map((place) => [place.id, place]));
  const own = (place: Place, input: string): unknown => editorNode(place, options).read(input);
  const nodes = places.map((place) =>
    place.host || place.inside ? subgraphNode(place, { byId, own }, options) : editorNode(place, options),
  );
  return {
    format: 'editor',
    nodes: nodes.map(shown),
    set(name, value) {
      const { node, input } = findInput(nodes, name);
      node.write(input, value);
      return this;
    },
    get(name) {
      const { node, input } = findInput(nodes, name);
      return node.read(input);
    },
    copy: () => editorWorkflow(copyOf(json) as Record<string, unknown>, options),
    toJSON: () => json,
  };
}

/** A subgraph node, or one inside a subgraph. */
function subgraphNode(place: Place, parts: Parameters<typeof readInput>[2], options: LoadOptions) {
  const { inside } = place;
  const plain = editorNode(place, options);
  const name = typeof inside?.['name'] === 'string' ? inside['name'] : undefined;
  return {
    ...plain,
    title: plain.title ?? name,
    inputs: () => (inside ? settableInputs(inside) : plain.inputs()),
    read: (input: string): unknown => readInput(place, input, parts),
    write: (input: string, value: unknown): void => writeInput(place, input, value),
  };
}

function editorNode({ id, node }: Place, { nodeTypes }: LoadOptions) {
  const type = String(node['type']);
  const values = node['widgets_values'] as Record<string, unknown>;
  const isByName = isObject(node['widgets_values']);
  const places = (): ReadonlyMap<string, string | number> => {
    if (isByName) return new Map(Object.keys(values).map((name) => [name, name]));
    if (node['widgets_values'] === undefined) return new Map();
    const found = widgetPlaces(node, nodeTypes?.[type]);
    if (found) return found;
    throw new WorkflowInputError(
      `The editor's file does not say which value of node ${id} (${type}) is which. Load it with atelier.workflows.load(), which asks the server, or export the workflow in the API format.`,
    );
  };
  return {
    id,
    type,
    title: typeof node['title'] === 'string' ? node['title'] : undefined,
    inputs: () => [...places().keys()],
    read: (input: string): unknown => values[places().get(input) ?? ''],
    write(input: string, value: unknown): void {
      values[places().get(input) ?? ''] = value;
      // A link would override the value.
      const linked = Array.isArray(node['inputs']) ? node['inputs'].filter(isObject) : [];
      for (const one of linked) if (one['name'] === input && isObject(one['widget'])) one['link'] = null;
    },
  };
}

function shown({ id, type, title }: NamedNode) {
  return { id, type, title };
}

function parse(text: string): unknown {
  try {
    // Some Windows editors add a byte order mark.
    return parseExactJson(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new WorkflowInputError(`The workflow is not JSON: ${reason}`);
  }
}

/** Files are kept; everything else is copied. */
function copyOf(value: unknown): unknown {
  if (isFileInput(value)) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyOf(part)]));
}
