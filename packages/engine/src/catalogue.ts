import type { NodeDescription } from './declare/node-description.ts';
import type { NodePack, NodeType } from './declare/node-type.ts';
import { findContradiction, uniteTypes } from './declare/unite-types.ts';

/** Node types by name, with or without their code. */
export interface NodeCatalogue<Node extends NodeDescription = NodeDescription> {
  get(type: string): Node | undefined;
  all(): readonly Node[];
  packOf(type: string): PackInfo | undefined;
}

export type PackInfo = Pick<NodePack, 'name' | 'builtIn'>;

/** A later pack replaces node types of an earlier one that have the same name. */
export function createCatalogue(packs: readonly NodePack[]): NodeCatalogue<NodeType> {
  return catalogueOf(packs.flatMap((pack) => pack.nodes.map((node) => ({ node, pack }))));
}

export function catalogueOf<Node extends NodeDescription>(
  entries: readonly { readonly node: Node; readonly pack: PackInfo }[],
): NodeCatalogue<Node> {
  const types = new Map(entries.map((entry) => [entry.node.type, entry]));
  const all = [...types.values()].map(({ node }) => node);
  return {
    get: (type) => types.get(type)?.node,
    all: () => all,
    packOf: (type) => types.get(type)?.pack,
  };
}

/** All node types of several catalogues. A later one replaces an earlier one of the same name. */
export function mergeCatalogues(catalogues: readonly NodeCatalogue[]): NodeCatalogue {
  return catalogueOf(
    catalogues.flatMap((each) =>
      each.all().map((node) => ({ node, pack: each.packOf(node.type) ?? { name: '' } })),
    ),
  );
}

export interface UnitedCatalogues {
  readonly catalogue: NodeCatalogue;
  /** Types of the second that contradict those of the first, which stay as they are. */
  readonly conflicts: readonly { readonly type: string; readonly difference: string }[];
}

/** The node types of two servers. For a type that both have, a combo offers the choices of both. */
export function uniteCatalogues(first: NodeCatalogue, second: NodeCatalogue): UnitedCatalogues {
  const conflicts: { readonly type: string; readonly difference: string }[] = [];
  const added = second.all().flatMap((node) => {
    const known = first.get(node.type);
    const difference = known && findContradiction(known, node);
    if (difference !== undefined) {
      conflicts.push({ type: node.type, difference });
      return [];
    }
    const pack = (known ? first : second).packOf(node.type) ?? { name: '' };
    return [{ node: known ? uniteTypes(known, node) : node, pack }];
  });
  return { catalogue: mergeCatalogues([first, catalogueOf(added)]), conflicts };
}
