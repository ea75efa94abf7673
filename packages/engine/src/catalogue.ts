import type { NodePack } from './declare/node-pack.ts';
import type { NodeType } from './declare/node-type.ts';

export type NodeCatalogue = ReturnType<typeof createCatalogue>;

/** A later pack replaces node types of an earlier one that have the same name. */
export function createCatalogue(packs: readonly NodePack[]) {
  const types = new Map<string, { readonly node: NodeType; readonly pack: NodePack }>();
  for (const pack of packs) {
    for (const node of pack.nodes) types.set(node.type, { node, pack });
  }
  const all = [...types.values()].map(({ node }) => node);
  return {
    get: (type: string) => types.get(type)?.node,
    all: (): readonly NodeType[] => all,
    packOf: (type: string) => types.get(type)?.pack,
  };
}
