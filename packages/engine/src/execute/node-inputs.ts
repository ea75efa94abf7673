import { flatInputs } from '../declare/flat-inputs.ts';
import type { HiddenInput, HiddenValues } from '../declare/node-context.ts';
import type { NodeType } from '../declare/node-type.ts';
import { isLink } from '../graph.ts';
import type { InputLists } from './call-node.ts';
import type { JobState } from './job-state.ts';

/** The values of a node's inputs, and the lazy ones that are not there. */
export function gatherInputs(
  state: JobState,
  id: string,
  type: NodeType,
): { lists: InputLists; missing: Set<string> } {
  const { inputs } = state.graph.node(id);
  const declared = new Map(flatInputs(type, inputs).map((flat) => [flat.name, flat.input]));
  const lists: Record<string, readonly unknown[]> = {};
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

/** Whether the input is computed only on demand. */
export function isLazyInput(state: Pick<JobState, 'graph' | 'parts'>, id: string, input: string): boolean {
  const node = state.graph.node(id);
  const type = state.parts.catalogue.get(node.class_type);
  if (!type?.needs) return false;
  const flat = flatInputs(type, node.inputs).find(({ name }) => name === input);
  return flat?.input.options.lazy === true;
}

/** The socket types of what is linked. */
export function linkedTypes({ graph, parts }: JobState, id: string): Record<string, string> {
  return Object.fromEntries(
    graph.links(id).flatMap(({ input, from, slot }) => {
      const socket = parts.catalogue.get(graph.node(from).class_type)?.outputs[slot]?.socket;
      return socket === undefined ? [] : [[input, socket]];
    }),
  );
}

export function hiddenValues(state: JobState, id: string, type: NodeType): HiddenValues {
  const { job, graph } = state;
  const extra = job.extraData ?? {};
  const values: Record<HiddenInput, () => Partial<HiddenValues>> = {
    PROMPT: () => ({ prompt: job.graph }),
    DYNPROMPT: () => ({ dynamicPrompt: graph.snapshot() }),
    EXTRA_PNGINFO: () => (isRecord(extra['extra_pnginfo']) ? { extraPngInfo: extra['extra_pnginfo'] } : {}),
    UNIQUE_ID: () => ({ uniqueId: id }),
    AUTH_TOKEN_COMFY_ORG: () => textOf('authToken', extra['auth_token_comfy_org']),
    API_KEY_COMFY_ORG: () => textOf('apiKey', extra['api_key_comfy_org']),
    COMFY_USAGE_SOURCE: () => textOf('usageSource', extra['comfy_usage_source']),
  };
  return Object.assign({}, ...Object.values(type.hidden).map((name) => values[name]())) as HiddenValues;
}

function textOf(name: 'authToken' | 'apiKey' | 'usageSource', value: unknown): Partial<HiddenValues> {
  return typeof value === 'string' ? { [name]: value } : {};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
