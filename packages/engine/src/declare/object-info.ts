import type { NodeCatalogue } from '../catalogue.ts';
import { exactNumber } from '../python/exact-json.ts';
import type { Choice, ChoiceFiles, Input, Inputs, NumberOptions } from './inputs.ts';
import type { NodeDescription } from './node-description.ts';

/** `[type, options]`, or `[[choices], options]` for a combo of the first generation. */
export type InputConfig = readonly [
  type: string | readonly Choice[],
  options: Readonly<Record<string, unknown>>,
];

export interface NodeInfo {
  readonly input: {
    readonly required?: Readonly<Record<string, InputConfig>>;
    readonly optional?: Readonly<Record<string, InputConfig>>;
    readonly hidden?: Readonly<Record<string, unknown>>;
  };
  readonly input_order: Readonly<Record<string, readonly string[]>>;
  readonly is_input_list: boolean;
  readonly output: readonly (string | readonly Choice[])[];
  readonly output_is_list: readonly boolean[];
  readonly output_name: readonly string[];
  readonly output_tooltips?: readonly (string | null)[];
  readonly output_matchtypes?: readonly (string | null)[];
  readonly name: string;
  readonly display_name: string;
  readonly description: string;
  readonly python_module: string;
  readonly category: string;
  readonly output_node: boolean;
  readonly has_intermediate_output: boolean;
  readonly search_aliases: readonly string[];
  readonly essentials_category?: string;
  readonly deprecated?: true;
  readonly experimental?: true;
  readonly api_node?: true;
}

/** What editors need to know of every node type, with the choices that the user's files give. */
export async function toObjectInfo(
  catalogue: NodeCatalogue,
  files: ChoiceFiles,
): Promise<Record<string, NodeInfo>> {
  const entries = catalogue.all().map(async (type) => {
    const module = catalogue.packOf(type.type)?.name ?? '';
    return [type.type, await toNodeInfo(type, { module, files })] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

export async function toNodeInfo(
  type: NodeDescription,
  { module, files }: { readonly module: string; readonly files: ChoiceFiles },
): Promise<NodeInfo> {
  const input = sectionsOf(type, await toSections(type.inputs, files));
  const input_order = orderOf(input);
  return { input, input_order, ...toMembers(type, module), ...type.foreign?.members };
}

function sectionsOf({ hidden, foreign }: NodeDescription, shown: Sections): NodeInfo['input'] {
  if (!foreign) return { ...shown, ...(Object.keys(hidden).length > 0 ? { hidden } : {}) };
  const all = { ...shown, hidden: foreign.hidden };
  return Object.fromEntries(foreign.sections.map((section) => [section, all[section] ?? {}]));
}

/** The names of the inputs of each section. */
export function orderOf(input: Readonly<Record<string, object>>): NodeInfo['input_order'] {
  return Object.fromEntries(Object.entries(input).map(([section, named]) => [section, Object.keys(named)]));
}

/** All but the inputs. */
export function toMembers(type: NodeDescription, module: string): Omit<NodeInfo, 'input' | 'input_order'> {
  return {
    is_input_list: type.inputIsList,
    output: type.outputs.map(({ socket, choices }) => choices ?? socket),
    output_is_list: type.outputs.map(({ isList }) => isList),
    output_name: type.outputs.map(({ name }) => name),
    ...(type.outputs.some(({ tooltip }) => tooltip)
      ? { output_tooltips: type.outputs.map(({ tooltip }) => tooltip ?? null) }
      : {}),
    ...(type.outputs.some(({ template }) => template)
      ? { output_matchtypes: type.outputs.map(({ template }) => template ?? null) }
      : {}),
    name: type.type,
    display_name: type.title,
    description: type.description,
    python_module: module,
    category: type.category,
    output_node: type.outputNode,
    has_intermediate_output: type.hasIntermediateOutput,
    search_aliases: type.searchAliases,
    ...(type.essentialsCategory === undefined ? {} : { essentials_category: type.essentialsCategory }),
    ...(type.deprecated ? { deprecated: true } : {}),
    ...(type.experimental ? { experimental: true } : {}),
    ...(type.apiNode ? { api_node: true } : {}),
  };
}

interface Sections {
  readonly required: Readonly<Record<string, InputConfig>>;
  readonly optional?: Readonly<Record<string, InputConfig>>;
}

async function toSections(inputs: Inputs, files: ChoiceFiles): Promise<Sections> {
  const required: [name: string, InputConfig][] = [];
  const optional: [name: string, InputConfig][] = [];
  for (const [name, input] of Object.entries(inputs)) {
    const config = await toInputConfig(input, files);
    // Only types of a ComfyUI server are bare, which editors read and no code of ours.
    const shown = input.bare ? (config.slice(0, 1) as unknown as InputConfig) : config;
    (input.optional ? optional : required).push([name, shown]);
  }
  return {
    required: Object.fromEntries(required),
    ...(optional.length > 0 ? { optional: Object.fromEntries(optional) } : {}),
  };
}

/** What is declared of one input, in the words of the wire. */
export async function toInputConfig(input: Input, files: ChoiceFiles): Promise<InputConfig> {
  switch (input.kind) {
    case 'int':
      return ['INT', numberOptions(input.options)];
    case 'float':
      return ['FLOAT', numberOptions(input.options)];
    case 'string':
      return ['STRING', { ...input.options }];
    case 'boolean':
      return ['BOOLEAN', { ...input.options }];
    case 'combo': {
      if (input.style === 'remote') return ['COMBO', { ...input.options }];
      const choices = await listedChoices(input, files);
      return input.style === 'list'
        ? [choices, { ...input.options }]
        : ['COMBO', { ...input.options, options: choices }];
    }
    case 'link':
      return [input.socket, { ...input.options }];
    case 'dynamicCombo': {
      const options = Object.entries(input.choices).map(async ([key, inputs]) => ({
        key,
        inputs: await toSections(inputs, files),
      }));
      return ['COMFY_DYNAMICCOMBO_V3', { ...input.options, options: await Promise.all(options) }];
    }
    case 'autogrow': {
      const section = input.item.optional ? 'optional' : 'required';
      const name = input.itemName ?? input.prefix ?? 'value';
      const item = { [section]: { [name]: await toInputConfig(input.item, files) } };
      const { prefix, names, min } = input;
      const template =
        prefix === undefined ? { input: item, names, min } : { input: item, prefix, min, max: names.length };
      return ['COMFY_AUTOGROW_V3', { ...input.options, template }];
    }
    case 'matchType': {
      const template = { template_id: input.template, allowed_types: input.allowed };
      return ['COMFY_MATCHTYPE_V3', { ...input.options, template }];
    }
  }
}

/** Whether an input offers files of the user, so that what is said of it depends on them. */
export function offersFiles(inputs: Inputs): boolean {
  return Object.values(inputs).some((input) => {
    if (input.kind === 'combo') return 'folder' in input.choices;
    if (input.kind === 'dynamicCombo') return Object.values(input.choices).some(offersFiles);
    return input.kind === 'autogrow' && offersFiles({ item: input.item });
  });
}

/** Bounds are exact however large they are. */
function numberOptions(options: NumberOptions): Readonly<Record<string, unknown>> {
  const bounds = Object.entries(options).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'bigint' ? exactNumber(value) : value,
  ]);
  return Object.fromEntries(bounds);
}

type Combo = Extract<Input, { readonly kind: 'combo' }>;

export async function choicesOf(input: Combo, files: ChoiceFiles): Promise<readonly Choice[]> {
  const { choices } = input;
  if (!('folder' in choices)) return choices;
  const endings = choices.endings?.map((ending) => `.${ending.toLowerCase()}`);
  const names = await files.list(choices.folder, '');
  const isOffered = (name: string) => endings?.some((ending) => name.toLowerCase().endsWith(ending)) ?? true;
  return names.filter(isOffered).toSorted();
}

/** A list that cannot be made has no choices: one folder that cannot be read must not hide every other node type. */
async function listedChoices(input: Combo, files: ChoiceFiles): Promise<readonly Choice[]> {
  try {
    return await choicesOf(input, files);
  } catch {
    return [];
  }
}
