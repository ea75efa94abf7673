import { isObject } from '@atelier/contracts/is-object';

/** What a worker has to know of a node type to run it for somebody. */
export interface NodeFacts {
  readonly isOutput: boolean;
  /** Inputs that name a file of the user: editors upload to them. */
  readonly uploads: ReadonlySet<string>;
  /** What the prefix of its files is when the graph has none. `undefined` when it has no such input. */
  readonly prefix: { readonly default: string | undefined } | undefined;
}

export type FactsOf = (nodeType: string) => NodeFacts | undefined;

const PREFIX_INPUT = 'filename_prefix';

/** From `object_info`. */
export function readNodeFacts(info: unknown): FactsOf {
  const facts = new Map<string, NodeFacts>();
  for (const [type, node] of Object.entries(isObject(info) ? info : {})) {
    if (!isObject(node)) continue;
    const sections = isObject(node['input']) ? node['input'] : {};
    const inputs = ['required', 'optional'].flatMap((section) =>
      Object.entries(isObject(sections[section]) ? sections[section] : {}),
    );
    const prefix = inputs.find(([name]) => name === PREFIX_INPUT);
    const standard = prefix && optionsOf(prefix[1])['default'];
    facts.set(type, {
      isOutput: node['output_node'] === true || node['has_intermediate_output'] === true,
      uploads: new Set(inputs.filter(([, config]) => isUpload(config)).map(([name]) => name)),
      prefix: prefix && { default: typeof standard === 'string' ? standard : undefined },
    });
  }
  return (type) => facts.get(type);
}

/** `image_upload`, `audio_upload`, `file_upload` and whatever comes next. */
function isUpload(config: unknown): boolean {
  return Object.entries(optionsOf(config)).some(
    ([name, value]) => name.endsWith('_upload') && value === true,
  );
}

function optionsOf(config: unknown): Readonly<Record<string, unknown>> {
  const options: unknown = Array.isArray(config) ? config[1] : undefined;
  return isObject(options) ? options : {};
}
