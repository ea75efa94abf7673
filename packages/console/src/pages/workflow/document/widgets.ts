import type { Input, NodeDescription } from '@atelier/engine/editor-format';

import { controlOf, type SeedControl, savedWidgets } from './editor-widgets.ts';
import { type Json, objectsIn } from './json.ts';

/** A value that can be set. */
export interface Widget {
  readonly name: string;
  /** The label, if the author or the node type has one. */
  readonly label: string | undefined;
  readonly input: Input;
  readonly value: unknown;
  /** Linked to another node, so the own value is not used. */
  readonly isLinked: boolean;
  /** What happens to the seed after each run, if the file says so. */
  readonly control?: SeedControl | undefined;
}

/** The widgets of an editor node, except those that only display something. */
export function editorWidgets(node: Json, description: NodeDescription | undefined): Widget[] {
  if (!description) return [];
  const linked = new Set(
    objectsIn(node['inputs'])
      .filter(({ link }) => link !== null && link !== undefined)
      .map(({ name }) => name),
  );
  return savedWidgets(node, description)
    .filter(({ isShownOnly }) => !isShownOnly)
    .map((widget) => ({
      name: widget.name,
      label: widget.input.options.display_name,
      input: widget.input,
      value: widget.value,
      isLinked: linked.has(widget.name),
      control: controlOf(widget),
    }));
}
