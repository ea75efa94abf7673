import { nestInputs } from '../declare/flat-inputs.ts';
import type { NodeContext } from '../declare/node-context.ts';
import type { FullResult, NodeType, UiOutput } from '../declare/node-type.ts';
import type { Blocker } from '../declare/outputs.ts';
import { isBlocker } from '../declare/outputs.ts';
import type { Graph } from '../graph.ts';
import { NodeError } from '../node-error.ts';
import { checkItems } from './result-meter.ts';

/** The values of each input. */
export type InputLists = Readonly<Record<string, readonly unknown[]>>;

export interface CallResult {
  readonly outputs: readonly unknown[];
  readonly ui: UiOutput | undefined;
  readonly expand: Graph | undefined;
}

export interface CallOptions {
  readonly context: NodeContext;
  measure(outputs: readonly unknown[]): readonly unknown[];
  /** Returns the blocker to pass on. */
  onBlocked(blocker: Blocker): Blocker;
}

/**
 * Calls a node once for each item of its longest list; shorter lists repeat their last item. A node that takes lists is called
 * once. Async nodes are called for all items at the same time.
 */
export async function callNode(
  type: NodeType,
  lists: InputLists,
  options: CallOptions,
): Promise<readonly CallResult[]> {
  if (type.inputIsList) return [await callOnce(type, lists, options)];
  const lengths = Object.values(lists).map((list) => list.length);
  const calls = Math.max(0, ...lengths);
  if (calls === 0) return [await callOnce(type, {}, options)];
  const argumentsOf = (index: number) => mapLists(lists, (list, name) => itemAt(name, list, index));
  if (type.async) {
    return await Promise.all(
      Array.from({ length: calls }, async (_, index) => await callOnce(type, argumentsOf(index), options)),
    );
  }
  const results: CallResult[] = [];
  for (let index = 0; index < calls; index += 1) {
    options.context.checkpoint();
    results.push(await callOnce(type, argumentsOf(index), options));
  }
  return results;
}

export function mapLists(
  lists: InputLists,
  map: (list: readonly unknown[], name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, map(list, name)]));
}

/** A blocker among the values of a call, or in their lists, which keeps the call from running. */
export function blockerIn(type: NodeType, values: Readonly<Record<string, unknown>>): Blocker | undefined {
  return Object.values(values)
    .flat(type.inputIsList ? 1 : 0)
    .find(isBlocker);
}

function itemAt(name: string, list: readonly unknown[], index: number): unknown {
  if (list.length === 0) throw new NodeError('IndexError', `The input ${name} is an empty list.`);
  return list[Math.min(index, list.length - 1)];
}

async function callOnce(
  type: NodeType,
  values: Readonly<Record<string, unknown>>,
  { context, measure, onBlocked }: CallOptions,
): Promise<CallResult> {
  const blocker = blockerIn(type, values);
  if (blocker) {
    const going = onBlocked(blocker);
    return { outputs: type.outputs.map(() => going), ui: undefined, expand: undefined };
  }
  const result = toCallResult(type, await type.run(nestInputs(type, values), context));
  return { ...result, outputs: measure(result.outputs) };
}

function toCallResult(type: NodeType, returned: unknown): CallResult {
  if (isBlocker(returned)) {
    return { outputs: type.outputs.map(() => returned), ui: undefined, expand: undefined };
  }
  if (returned === undefined || returned === null) return toCallResult(type, []);
  if (Array.isArray(returned))
    return { outputs: checkSlots(type, returned), ui: undefined, expand: undefined };
  if (typeof returned !== 'object' || Object.keys(returned).some((key) => !RESULT_KEYS.has(key))) {
    throw new Error(
      `${type.type} must return the list of its outputs, or an object with outputs, ui or expand.`,
    );
  }
  const { outputs = [], ui, expand } = returned as FullResult;
  return { outputs: checkSlots(type, outputs), ui: ui && toPlain(type, ui), expand };
}

const RESULT_KEYS = new Set(['outputs', 'ui', 'expand']);

function checkSlots(type: NodeType, outputs: unknown): readonly unknown[] {
  if (!Array.isArray(outputs) || outputs.length !== type.outputs.length) {
    const got = Array.isArray(outputs) ? outputs.length : 'no list of';
    throw new Error(`${type.type} returned ${got} values for its ${type.outputs.length} outputs.`);
  }
  if (outputs.some((value) => value instanceof Promise)) {
    throw new Error(`${type.type} returned a promise among its outputs: it must wait for it.`);
  }
  return outputs;
}

/** Output goes into messages, so it is reduced to JSON. */
function toPlain(type: NodeType, ui: UiOutput): UiOutput {
  try {
    return JSON.parse(JSON.stringify(ui)) as UiOutput;
  } catch (error) {
    throw new Error(`What ${type.type} shows cannot be written as JSON.`, { cause: error });
  }
}

/** One list for each slot: the values of all calls in order, with the lists of list outputs joined. */
export function mergeSlots(type: NodeType, calls: readonly (readonly unknown[])[]): unknown[][] {
  return joinSlots(
    type,
    calls.map((outputs) => outputs.map((value, slot) => slotItems(type, slot, value))),
  );
}

export function slotItems(type: NodeType, slot: number, value: unknown): readonly unknown[] {
  return type.outputs[slot]?.isList && Array.isArray(value) ? (value as unknown[]) : [value];
}

export function joinSlots(type: NodeType, calls: readonly (readonly (readonly unknown[])[])[]): unknown[][] {
  return type.outputs.map((_, slot) => {
    checkItems(calls.reduce((count, slots) => count + (slots[slot]?.length ?? 0), 0));
    return calls.flatMap((slots) => slots[slot] ?? []);
  });
}

/** The output of all calls, by the keys of the first. */
export function mergeUi(calls: readonly CallResult[]): UiOutput | undefined {
  const shown = calls.flatMap(({ ui }) => (ui ? [ui] : []));
  const [first] = shown;
  if (!first) return undefined;
  return Object.fromEntries(Object.keys(first).map((key) => [key, shown.flatMap((ui) => ui[key] ?? [])]));
}
