import { isUpload, type NodeCatalogue } from '@atelier/engine';

/** What a worker has to know of a node type to run it for somebody. */
export interface NodeFacts {
  readonly isOutput: boolean;
  /** Part of ComfyUI itself, not of a pack. */
  readonly isComfyUis: boolean;
  /** Inputs that name a file of the user: editors upload to them. */
  readonly uploads: ReadonlySet<string>;
  /** Inputs that are linked, as far as the declaration tells. */
  readonly sockets: ReadonlySet<string>;
  /** What the prefix of its files is when the graph has none. `undefined` when it has no such input. */
  readonly prefix: { readonly default: string | undefined } | undefined;
}

const COMFYUIS = /^(?:nodes|comfy_extras|comfy_api_nodes)(?:\.|$)/;

export type FactsOf = (nodeType: string) => NodeFacts | undefined;

export function readNodeFacts(catalogue: NodeCatalogue): FactsOf {
  const facts = new Map<string, NodeFacts>();
  for (const { type, inputs, outputNode, hasIntermediateOutput } of catalogue.all()) {
    const { filename_prefix: prefix } = inputs;
    facts.set(type, {
      isComfyUis: COMFYUIS.test(catalogue.packOf(type)?.name ?? ''),
      isOutput: outputNode || hasIntermediateOutput,
      uploads: new Set(Object.keys(inputs).filter((name) => inputs[name] && isUpload(inputs[name]))),
      sockets: new Set(Object.keys(inputs).filter((name) => inputs[name]?.kind === 'link')),
      prefix: prefix && { default: prefix.kind === 'string' ? prefix.options.default : undefined },
    });
  }
  return (type) => facts.get(type);
}
