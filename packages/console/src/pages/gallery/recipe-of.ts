/** The recipe of a picture: prompts, seeds, models and settings. */
export interface Recipe {
  readonly prompts: readonly { readonly text: string; readonly isNegative: boolean }[];
  readonly seeds: readonly string[];
  readonly models: readonly string[];
  /** By the input names of the nodes. */
  readonly settings: readonly (readonly [name: string, value: string])[];
}

const WORDS = /^(?:text|prompt|positive|positive_prompt|text_g|text_l|t5xxl|clip_l)$/;
const SEEDS = /^(?:seed|noise_seed)$/;
const MODELS = /^(?:ckpt_name|unet_name|model_name|lora_name|model)$/;
const SETTINGS = ['steps', 'cfg', 'guidance', 'sampler_name', 'scheduler', 'denoise'] as const;
/** Graphs may be large, but the panel is small. */
const MAX_EACH = 4;
const MAX_HOPS = 20;

type Inputs = Readonly<Record<string, unknown>>;

/** Reads a workflow in the API format. Nodes are recognized by the names of their inputs, so nodes of any pack work. */
export function recipeOf(workflow: Readonly<Record<string, unknown>>): Recipe {
  const nodes = new Map(Object.entries(workflow).map(([id, node]) => [id, inputsOf(node)]));
  const negative = negativeNodes(nodes);
  const prompts: { text: string; isNegative: boolean }[] = [];
  const seeds = new Set<string>();
  const models = new Set<string>();
  const settings = new Map<string, string>();
  for (const [id, inputs] of nodes) {
    for (const [name, value] of Object.entries(inputs)) {
      if (typeof value === 'string' && WORDS.test(name) && value.trim() !== '')
        prompts.push({ text: value, isNegative: negative.has(id) });
      if (SEEDS.test(name) && (typeof value === 'number' || typeof value === 'bigint'))
        seeds.add(String(value));
      if (MODELS.test(name) && typeof value === 'string') models.add(value);
    }
    for (const name of SETTINGS) {
      const value = inputs[name];
      if (typeof value === 'string' || typeof value === 'number') settings.set(name, String(value));
    }
  }
  return {
    prompts: prompts
      .toSorted((left, right) => Number(left.isNegative) - Number(right.isNegative))
      .slice(0, MAX_EACH),
    seeds: [...seeds].slice(0, MAX_EACH),
    models: [...models].slice(0, MAX_EACH),
    settings: [...settings],
  };
}

function inputsOf(node: unknown): Inputs {
  const inputs = (node as { inputs?: unknown } | null)?.inputs;
  return typeof inputs === 'object' && inputs !== null ? (inputs as Inputs) : {};
}

/** All nodes that lead to an input named `negative`. */
function negativeNodes(nodes: ReadonlyMap<string, Inputs>): ReadonlySet<string> {
  const found = new Set<string>();
  let edge = [...nodes.values()].flatMap(({ negative }) => sourceOf(negative));
  for (let hop = 0; hop < MAX_HOPS && edge.length > 0; hop += 1) {
    const next = edge.filter((id) => !found.has(id));
    for (const id of next) found.add(id);
    edge = next.flatMap((id) => Object.values(nodes.get(id) ?? {}).flatMap(sourceOf));
  }
  return found;
}

const sourceOf = (value: unknown): string[] =>
  Array.isArray(value) && value.length === 2 && typeof value[1] === 'number' ? [String(value[0])] : [];
