import type { NodePack } from './declare/node-pack.ts';
import type { NodeType } from './declare/node-type.ts';

export interface NodeCatalogue {
  get(type: string): NodeType | undefined;
  all(): readonly NodeType[];
  packOf(type: string): NodePack | undefined;
}

/** A later pack replaces node types of an earlier one that have the same name. */
export function createCatalogue(packs: readonly NodePack[]): NodeCatalogue {
  const types = new Map<string, { readonly node: NodeType; readonly pack: NodePack }>();
  for (const pack of packs) {
    for (const node of pack.nodes) types.set(node.type, { node, pack });
  }
  const all = [...types.values()].map(({ node }) => node);
  return {
    get: (type) => types.get(type)?.node,
    all: () => all,
    packOf: (type) => types.get(type)?.pack,
  };
}
