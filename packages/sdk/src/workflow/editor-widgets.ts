import { isObject } from '../is-object.ts';

/** Node types as `GET /object_info` describes them. */
export type NodeTypes = Readonly<Record<string, NodeType>>;

export interface NodeType {
  readonly name?: string;
  readonly display_name?: string;
  readonly description?: string;
  readonly category?: string;
  /** Inputs by name, each as `[type, options]`. */
  readonly input?: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;
  readonly input_order?: Readonly<Record<string, readonly string[]>>;
  readonly output?: readonly unknown[];
  readonly output_name?: readonly string[];
  readonly output_node?: boolean;
  readonly [more: string]: unknown;
}

interface Widget {
  readonly name: string;
  readonly hasControl: boolean;
  readonly hasUpload: boolean;
}

const WIDGET_TYPES = new Set(['INT', 'FLOAT', 'STRING', 'BOOLEAN', 'COMBO', 'COLOR']);
export const CONTROLS: ReadonlySet<unknown> = new Set([
  'fixed',
  'increment',
  'decrement',
  'randomize',
  'increment-wrap',
]);
const SEEDS = new Set(['seed', 'noise_seed']);
const UPLOADS = new Set(['image', 'video', 'audio']);

/**
 * The index of each widget's value in `widgets_values`; `undefined` if it cannot be known. The editor saves values without names,
 * mixed with those of its own buttons, so a layout counts only if it matches exactly.
 */
export function widgetPlaces(
  node: Readonly<Record<string, unknown>>,
  type: NodeType | undefined,
): ReadonlyMap<string, number> | undefined {
  const values = node['widgets_values'];
  const widgets = type ? widgetsOfType(type) : widgetsOfNode(node);
  if (!Array.isArray(values) || !widgets) return undefined;
  const places = new Map<string, number>();
  let at = 0;
  for (const { name, hasControl, hasUpload } of widgets) {
    places.set(name, at);
    at += 1;
    if (hasControl && CONTROLS.has(values[at])) at += 1;
    if (hasUpload && at === values.length - 1 && UPLOADS.has(values[at] as string)) at += 1;
  }
  return at === values.length ? places : undefined;
}

function widgetsOfType({ input = {}, input_order = {} }: NodeType): Widget[] {
  return ['required', 'optional'].flatMap((group) => {
    const inputs = input[group] ?? {};
    return (input_order[group] ?? Object.keys(inputs)).flatMap((name) => {
      const [type, given] = inputs[name] ?? [];
      const options = isObject(given) ? given : {};
      const isWidget = Array.isArray(type) || (typeof type === 'string' && WIDGET_TYPES.has(type));
      if (!isWidget || options['forceInput'] === true) return [];
      const control = options['control_after_generate'];
      return [
        {
          name,
          hasControl: control === undefined ? type === 'INT' && SEEDS.has(name) : Boolean(control),
          hasUpload: ['image_upload', 'video_upload', 'audio_upload'].some((key) => options[key] === true),
        },
      ];
    });
  });
}

/** Newer files name each widget among the inputs of its node. */
function widgetsOfNode({ inputs }: Readonly<Record<string, unknown>>): Widget[] | undefined {
  if (!Array.isArray(inputs)) return undefined;
  const names = inputs.flatMap((input: unknown) => {
    const widget = isObject(input) ? input['widget'] : undefined;
    return isObject(widget) && typeof widget['name'] === 'string' ? [widget['name']] : [];
  });
  return names.length === 0
    ? undefined
    : names.map((name) => ({ name, hasControl: SEEDS.has(name), hasUpload: true }));
}
