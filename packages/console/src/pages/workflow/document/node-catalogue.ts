import {
  DEFAULTS,
  type Inputs,
  type NodeCatalogue,
  type NodeDescription,
  readSection,
  Unreadable,
} from '@atelier/engine/editor-format';
import type { NodeType, NodeTypes } from '@atelier/sdk';

/** The node types of the server for conversions. Each is parsed on first use, because a server has thousands. */
export function createNodeCatalogue(nodeTypes: NodeTypes): NodeCatalogue {
  const read = new Map<string, NodeDescription | undefined>();
  const get = (type: string) => {
    if (!read.has(type)) read.set(type, describe(type, nodeTypes));
    return read.get(type);
  };
  return {
    get,
    all: () => Object.keys(nodeTypes).flatMap((type) => get(type) ?? []),
    packOf: () => undefined,
  };
}

function describe(type: string, nodeTypes: NodeTypes): NodeDescription | undefined {
  const given = Object.hasOwn(nodeTypes, type) ? nodeTypes[type] : undefined;
  if (!given) return undefined;
  try {
    return {
      ...DEFAULTS,
      type,
      title: given.display_name ?? type,
      category: given.category ?? '',
      description: given.description ?? '',
      inputs: inputsOf(given),
      outputs: (given.output ?? []).map((socket, slot) => ({
        socket: Array.isArray(socket) ? 'COMBO' : String(socket),
        name: given.output_name?.[slot] ?? String(socket),
        isList: false,
        tooltip: undefined,
        template: undefined,
      })),
      outputNode: given.output_node === true,
      apiNode: given['api_node'] === true,
    };
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function inputsOf({ input = {}, input_order: order = {} }: NodeType): Inputs {
  const section = (name: string) => {
    const given = input[name] ?? {};
    return Object.fromEntries((order[name] ?? Object.keys(given)).map((key) => [key, given[key] ?? ['*']]));
  };
  const place = { name: '', uploads: new Map(), depth: 0 };
  return {
    ...readSection(section('required'), { ...place, optional: false }),
    ...readSection(section('optional'), { ...place, optional: true }),
  };
}
