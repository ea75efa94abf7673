import { isObject, type Json, objectsIn, textOf } from './json.ts';
import type { Widget, WorkflowNode } from './workflow-nodes.ts';

/** How an input is shown in the form. */
export type FieldKind =
  | 'prompt'
  | 'text'
  | 'number'
  | 'seed'
  | 'color'
  | 'choice'
  | 'switch'
  | 'picture'
  | 'video'
  | 'audio'
  | 'other';

export interface FormInput {
  /** `nodeId.input`: unique in the workflow. */
  readonly key: string;
  readonly node: WorkflowNode;
  readonly widget: Widget;
  readonly kind: FieldKind;
  readonly label: string;
  /** The node, if several have an input of this name. */
  readonly detail: string | undefined;
}

export interface FormInputs {
  /** The main inputs, in reading order. */
  readonly main: readonly FormInput[];
  /** All others, by node. */
  readonly advanced: readonly { readonly node: WorkflowNode; readonly inputs: readonly FormInput[] }[];
  /** The author has chosen the main inputs. */
  readonly isPinned: boolean;
}

/** The main inputs: those the author has pinned, else prompts, pictures, sizes and seeds. */
export function findFormInputs(json: Json, nodes: readonly WorkflowNode[]): FormInputs {
  const all = nodes
    .filter(({ mode }) => mode === 'run')
    .flatMap((node) =>
      node.widgets.filter(({ isLinked }) => !isLinked).map((widget) => toInput(node, widget)),
    );
  const byKey = new Map(all.map((input) => [input.key, input]));
  const pinned = pinnedBy(json).flatMap(({ key, label }) => {
    const found = byKey.get(key);
    return found ? [{ ...found, label: label ?? found.label }] : [];
  });
  const isPinned = pinned.length > 0;
  const main = isPinned ? pinned : withDetails(findMain(all));
  const taken = new Set(main.map(({ key }) => key));
  const advanced = nodes.flatMap((node) => {
    const inputs = all.filter((input) => input.node === node && !taken.has(input.key));
    return inputs.length > 0 ? [{ node, inputs }] : [];
  });
  return { main, advanced, isPinned };
}

function toInput(node: WorkflowNode, widget: Widget): FormInput {
  return {
    key: `${node.id}.${widget.name}`,
    node,
    widget,
    kind: kindOf(widget),
    label: widget.label ?? spoken(widget.name),
    detail: undefined,
  };
}

/** Makes an input name such as `blur_radius` readable. */
function spoken(name: string): string {
  const words = name.replaceAll(/[._]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const SEEDS = /(?:^|_|\.)seed$/i;

export function kindOf({ name, input }: Pick<Widget, 'name' | 'input'>): FieldKind {
  switch (input.kind) {
    case 'int':
    case 'float':
      if (input.options.display === 'color') return 'color';
      return input.kind === 'int' && (SEEDS.test(name) || input.options.control_after_generate)
        ? 'seed'
        : 'number';
    case 'string':
      return input.options.multiline === true ? 'prompt' : 'text';
    case 'boolean':
      return 'switch';
    case 'dynamicCombo':
      return 'choice';
    case 'combo':
      if (input.options.image_upload === true) return 'picture';
      if (input.options.video_upload === true) return 'video';
      if (input.options.audio_upload === true) return 'audio';
      return 'choice';
    case 'link':
      return input.socket === 'COLOR' ? 'color' : 'other';
    case 'autogrow':
    case 'matchType':
      return 'other';
  }
}

/** From our own metadata in the file, or from the App mode of the stock editor. */
function pinnedBy({ extra }: Json): { readonly key: string; readonly label: string | undefined }[] {
  if (!isObject(extra)) return [];
  const own = isObject(extra['atelier']) ? objectsIn(extra['atelier']['inputs']) : [];
  if (own.length > 0) {
    return own.map(({ node, input, label }) => ({
      key: `${String(node)}.${String(input)}`,
      label: textOf(label),
    }));
  }
  const linear = isObject(extra['linearData']) ? extra['linearData']['inputs'] : [];
  return (Array.isArray(linear) ? linear : []).flatMap((entry: unknown) =>
    Array.isArray(entry) ? [{ key: `${String(entry[0])}.${String(entry[1])}`, label: undefined }] : [],
  );
}

const SIZES = new Set(['width', 'height', 'length', 'duration', 'seconds', 'fps', 'batch_size']);
/** What is shown first. */
const ORDER: readonly ((input: FormInput) => boolean)[] = [
  ({ kind }) => kind === 'picture' || kind === 'video' || kind === 'audio',
  ({ kind, widget }) => kind === 'prompt' && !isNegative(widget),
  ({ kind }) => kind === 'prompt',
  ({ kind, widget }) => kind === 'text' && /text|prompt|title|caption/i.test(widget.name),
  ({ kind, widget }) => kind === 'number' && SIZES.has(widget.name),
  ({ kind }) => kind === 'seed',
];
const MAX_MAIN = 16;

function isNegative({ name }: Widget): boolean {
  return /neg/i.test(name);
}

function findMain(all: readonly FormInput[]): FormInput[] {
  const found: FormInput[] = [];
  for (const fits of ORDER) found.push(...all.filter((input) => fits(input) && !found.includes(input)));
  // A subgraph node shows the inputs that its author promoted; those inside it do not count here.
  const outer = found.filter(({ node }) => !node.id.includes(':'));
  return (outer.length > 0 ? outer : found).slice(0, MAX_MAIN);
}

/** Two prompts are distinguished by the names of their nodes. */
function withDetails(inputs: readonly FormInput[]): FormInput[] {
  return inputs.map((input) => {
    const isAlone = inputs.every((other) => other === input || other.label !== input.label);
    return isAlone ? input : { ...input, detail: input.node.title };
  });
}
