import { isObject } from '@atelier/contracts/is-object';
import { flatInputs } from '../declare/flat-inputs.ts';
import type { HiddenInput, HiddenValues } from '../declare/node-context.ts';
import type { NodeType } from '../declare/node-type.ts';
import { isLink } from '../graph.ts';
import { NodeError } from '../node-error.ts';
import { withoutForms } from '../python/python-number.ts';
import type { InputLists } from './call-node.ts';
import type { JobState } from './job-state.ts';
import { promptText } from './prompt-text.ts';

/** The values of a node's inputs, and the names of lazy inputs without a value. */
export function gatherInputs(
  state: JobState,
  id: string,
  type: NodeType,
): { lists: InputLists; missing: Set<string> } {
  const { values: inputs } = withoutForms(state.graph.node(id).inputs);
  const declared = new Map(flatInputs(type, inputs).map((flat) => [flat.name, flat.input]));
  // No prototype, because names of inputs may be any text.
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

/** Types whose values only nodes make. JSON has no such value, but an expansion may have one as a constant. */
const MADE_BY_NODES = new Set(['IMAGE', 'MASK', 'AUDIO', 'VIDEO', 'LATENT', 'SVG']);

/** Throws for a constant where only a value of another node is valid. ComfyUI accepts such graphs and fails here too. */
export function requireMade({ graph }: JobState, id: string, type: NodeType): void {
  const { inputs } = graph.node(id);
  const isExpansion = graph.parentId(id) !== undefined;
  for (const { name, input } of flatInputs(type, inputs)) {
    const value = inputs[name];
    // An absent optional input may be written as null.
    if (
      value === undefined ||
      value === null ||
      isLink(value) ||
      (isExpansion && typeof value === 'object')
    ) {
      continue;
    }
    const socket = input.kind === 'link' ? input.socket : input.kind === 'matchType' ? input.allowed : '*';
    if (!socket.split(',').every((one) => MADE_BY_NODES.has(one))) continue;
    throw new NodeError('TypeError', `The input ${name} must be linked to a node that gives ${socket}.`);
  }
}

export function lazyInputs({ graph, parts }: Pick<JobState, 'graph' | 'parts'>, id: string): Set<string> {
  const { class_type, inputs } = graph.node(id);
  const type = parts.catalogue.get(class_type);
  if (!type?.needs) return new Set();
  return new Set(flatInputs(type, inputs).flatMap(({ name, input }) => (input.options.lazy ? [name] : [])));
}

/** The socket types of linked inputs, and FLOAT for constants such as 5.0. */
export function linkedTypes(state: JobState, id: string): Record<string, string> {
  const links = state.graph.links(id).flatMap(({ input, from, slot }) => {
    const socket = socketOf(state, from, slot);
    return socket === undefined ? [] : [[input, socket] as const];
  });
  return { ...Object.fromEntries(links), ...withoutForms(state.graph.node(id).inputs).types };
}

/** Matching types are followed this far. */
const MAX_STEPS = 100;

/** The type of an output. One that has the type of an input is followed to what is linked there. */
function socketOf({ graph, parts }: JobState, from: string, slot: number): string | undefined {
  let at = { from, slot };
  for (let step = 0; step < MAX_STEPS; step += 1) {
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
    EXTRA_PNGINFO: () => (isObject(extra['extra_pnginfo']) ? { extraPngInfo: extra['extra_pnginfo'] } : {}),
    UNIQUE_ID: () => ({ uniqueId: id }),
    AUTH_TOKEN_COMFY_ORG: () => textOf('authToken', extra['auth_token_comfy_org']),
    API_KEY_COMFY_ORG: () => textOf('apiKey', extra['api_key_comfy_org']),
    COMFY_USAGE_SOURCE: () => textOf('usageSource', extra['comfy_usage_source']),
  };
  const hidden: HiddenValues = {};
  for (const name of Object.values(type.hidden)) {
    // Getters stay getters, so that values are computed when they are read.
    Object.defineProperties(hidden, Object.getOwnPropertyDescriptors(values[name]()));
  }
  return hidden;
}

function textOf(name: 'authToken' | 'apiKey' | 'usageSource', value: unknown): Partial<HiddenValues> {
  return typeof value === 'string' ? { [name]: value } : {};
}
