import { flatInputs } from '../declare/flat-inputs.ts';
import type { HiddenInput, HiddenValues } from '../declare/node-context.ts';
import type { NodeType } from '../declare/node-type.ts';
import { isLink } from '../graph.ts';
import type { InputLists } from './call-node.ts';
import type { JobState } from './job-state.ts';
import { promptText } from './prompt-text.ts';

/** The values of a node's inputs, and the lazy ones that are not there. */
export function gatherInputs(
  state: JobState,
  id: string,
  type: NodeType,
): { lists: InputLists; missing: Set<string> } {
  const { inputs } = state.graph.node(id);
  const declared = new Map(flatInputs(type, inputs).map((flat) => [flat.name, flat.input]));
  // Without a prototype: names of inputs may be any text.
  const lists = Object.create(null) as Record<string, readonly unknown[]>;
  const missing = new Set<string>();
  for (const [name, value] of Object.entries(inputs)) {
    const input = declared.get(name);
    if (isLink(value) && !input?.options.rawLink) {
      const slot = state.results.get(value[0])?.slots[value[1]];
      if (slot) lists[name] = slot;
      else if (input?.options.lazy && type.needs) missing.add(name);
      else throw new Error(`The value of ${name} was not there when node ${id} ran.`);
    } else if (input || type.acceptsAll) {
      lists[name] = [value];
    }
  }
  return { lists, missing };
}

/** Names of the inputs that are computed only on demand. */
export function lazyInputs({ graph, parts }: Pick<JobState, 'graph' | 'parts'>, id: string): Set<string> {
  const { class_type, inputs } = graph.node(id);
  const type = parts.catalogue.get(class_type);
  if (!type?.needs) return new Set();
  return new Set(flatInputs(type, inputs).flatMap(({ name, input }) => (input.options.lazy ? [name] : [])));
}

/** The socket types of what is linked. */
export function linkedTypes(state: JobState, id: string): Record<string, string> {
  return Object.fromEntries(
    state.graph.links(id).flatMap(({ input, from, slot }) => {
      const socket = socketOf(state, from, slot);
      return socket === undefined ? [] : [[input, socket]];
    }),
  );
}

/** Links of nodes that take whatever comes are followed so far. */
const MOST_STEPS = 100;

/** The type of an output; one that has the type of an input is as what is linked there. */
function socketOf({ graph, parts }: JobState, from: string, slot: number): string | undefined {
  let at = { from, slot };
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const type = parts.catalogue.get(graph.node(at.from).class_type);
    const output = type?.outputs[at.slot];
    if (!type || output?.template === undefined) return output?.socket;
    const link = graph.links(at.from).find(({ input }) => {
      const declared = Object.hasOwn(type.inputs, input) ? type.inputs[input] : undefined;
      return declared?.kind === 'matchType' && declared.template === output.template;
    });
    if (!link) return output.socket;
    at = link;
  }
  return undefined;
}

export function hiddenValues(state: JobState, id: string, type: NodeType): HiddenValues {
  const { job, graph } = state;
  const extra = job.extraData ?? {};
  const values: Record<HiddenInput, () => Partial<HiddenValues>> = {
    PROMPT: () => ({
      prompt: job.graph,
      get promptText() {
        return promptText(job, state.parts.catalogue);
      },
    }),
    DYNPROMPT: () => ({ dynamicPrompt: graph.snapshot() }),
    EXTRA_PNGINFO: () => (isRecord(extra['extra_pnginfo']) ? { extraPngInfo: extra['extra_pnginfo'] } : {}),
    UNIQUE_ID: () => ({ uniqueId: id }),
    AUTH_TOKEN_COMFY_ORG: () => textOf('authToken', extra['auth_token_comfy_org']),
    API_KEY_COMFY_ORG: () => textOf('apiKey', extra['api_key_comfy_org']),
    COMFY_USAGE_SOURCE: () => textOf('usageSource', extra['comfy_usage_source']),
  };
  const hidden: HiddenValues = {};
  for (const name of Object.values(type.hidden)) {
    // Getters stay getters, so that only what is read is computed.
    Object.defineProperties(hidden, Object.getOwnPropertyDescriptors(values[name]()));
  }
  return hidden;
}

function textOf(name: 'authToken' | 'apiKey' | 'usageSource', value: unknown): Partial<HiddenValues> {
  return typeof value === 'string' ? { [name]: value } : {};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
