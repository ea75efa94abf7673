import type { NodeCatalogue } from '@atelier/engine/editor-format';

import { withValue } from './change-workflow.ts';
import type { Json } from './json.ts';
import { randomSeed } from './random-seed.ts';
import { readNodes, type Widget } from './workflow-nodes.ts';

/** The workflow after a run: seeds change according to their controls, as in ComfyUI's own editor. */
export function withNextSeeds(json: Json, catalogue: NodeCatalogue): Json {
  let next = json;
  for (const { id: nodeId, widgets, mode } of readNodes(json, catalogue)) {
    for (const widget of mode === 'run' ? widgets : []) {
      const value = nextValue(widget);
      if (value !== undefined) next = withValue(next, { nodeId, input: widget.name, value }, catalogue);
    }
  }
  return next;
}

function nextValue({ control, input, value, isLinked }: Widget): unknown {
  if (control === undefined || control === 'fixed' || isLinked) return undefined;
  if (input.kind === 'combo') return nextChoice(control, input.choices, value);
  if (input.kind !== 'int') return undefined;
  if (control === 'randomize') return randomSeed(input);
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = input.options;
  const seed = BigInt(Math.trunc(Number(value ?? 0)) === Number(value) ? (value as number | bigint) : 0);
  const stepBy = control === 'decrement' ? seed - 1n : seed + 1n;
  if (stepBy < min) return min;
  const highest = control === 'increment-wrap' ? min : max;
  const bounded = stepBy > max ? highest : stepBy;
  return Number.isSafeInteger(Number(bounded)) ? Number(bounded) : bounded;
}

function nextChoice(control: NonNullable<Widget['control']>, choices: unknown, value: unknown): unknown {
  if (!Array.isArray(choices) || choices.length === 0) return undefined;
  if (control === 'randomize') return choices[Math.floor(Math.random() * choices.length)];
  const at = choices.indexOf(value) + (control === 'decrement' ? -1 : 1);
  return choices[
    control === 'increment-wrap' ? at % choices.length : Math.max(0, Math.min(choices.length - 1, at))
  ];
}
