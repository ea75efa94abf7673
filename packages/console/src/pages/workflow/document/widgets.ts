import type { Input, NodeDescription } from '@atelier/engine/editor-format';

import { controlOf, type SeedControl, savedWidgets } from './editor-widgets.ts';
import { type Json, objectsIn } from './json.ts';

/** A value that can be set. */
export interface Widget {
  readonly name: string;
  /** What people call it, where the author or the node type says so. */
  readonly label: string | undefined;
  readonly input: Input;
  readonly value: unknown;
  /** Another node gives the value, so this one does not count. */
  readonly isLinked: boolean;
  /** What happens to a seed after each run, where the file says so. */
  readonly control?: SeedControl | undefined;
}

/** The widgets of a node of the editor, except those that only show something. */
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
