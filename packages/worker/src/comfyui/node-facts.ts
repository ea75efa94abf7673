import { isUpload, type NodeCatalogue } from '@atelier/engine';

/** What a worker has to know about a node type to run it for a user. */
export interface NodeFacts {
  readonly isOutput: boolean;
  /** Whether it is part of ComfyUI itself and not of a pack. */
  readonly isComfyUis: boolean;
  /** Inputs that name a file of the user, which editors upload. */
  readonly uploads: ReadonlySet<string>;
  /** Inputs that are declared as links. */
  readonly sockets: ReadonlySet<string>;
  /** Its `filename_prefix` input with the default value, if it has one. */
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
