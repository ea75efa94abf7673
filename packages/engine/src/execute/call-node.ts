import { isBlocker } from '../declare/blocker.ts';
import { nestInputs } from '../declare/flat-inputs.ts';
import type { NodeContext } from '../declare/node-context.ts';
import type { FullResult, NodeType, UiOutput } from '../declare/node-type.ts';
import type { Blocker } from '../declare/outputs.ts';
import type { Graph } from '../graph.ts';
import { NodeError } from '../node-error.ts';
import { checkItems } from './result-meter.ts';

/** The values of each input: a list, since any value may be one of several. */
export type InputLists = Readonly<Record<string, readonly unknown[]>>;

export interface CallResult {
  readonly outputs: readonly unknown[];
  readonly ui: UiOutput | undefined;
  readonly expand: Graph | undefined;
}

export interface CallOptions {
  readonly context: NodeContext;
  measure(outputs: readonly unknown[]): readonly unknown[];
  /** Told of a blocker with a message; gives the blocker that goes on. */
  onBlocked(blocker: Blocker): Blocker;
}

/**
 * Calls a node once for each item of its longest list, shorter lists giving their last item again; a node that takes lists
 * is called once. Nodes that wait outside are called for all items at the same time.
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

/** Whether a call does not run: one of its values, or of its lists of values, is a blocker. */
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

/** What is shown goes into messages, so it is what JSON makes of it. */
function toPlain(type: NodeType, ui: UiOutput): UiOutput {
  try {
    return JSON.parse(JSON.stringify(ui)) as UiOutput;
  } catch (error) {
    throw new Error(`What ${type.type} shows cannot be written as JSON.`, { cause: error });
  }
}

/** One list for each slot: values of all calls one after the other, lists of list outputs joined. */
export function mergeSlots(type: NodeType, calls: readonly (readonly unknown[])[]): unknown[][] {
  return joinSlots(
    type,
    calls.map((outputs) => outputs.map((value, slot) => slotItems(type, slot, value))),
  );
}

/** The items that a value of a slot stands for. */
export function slotItems(type: NodeType, slot: number, value: unknown): readonly unknown[] {
  return type.outputs[slot]?.isList && Array.isArray(value) ? (value as unknown[]) : [value];
}

/** The lists of each slot of all calls, one after the other. */
export function joinSlots(type: NodeType, calls: readonly (readonly (readonly unknown[])[])[]): unknown[][] {
  return type.outputs.map((_, slot) => {
    checkItems(calls.reduce((count, slots) => count + (slots[slot]?.length ?? 0), 0));
    return calls.flatMap((slots) => slots[slot] ?? []);
  });
}

/** What all calls show, by the keys of the first. */
export function mergeUi(calls: readonly CallResult[]): UiOutput | undefined {
  const shown = calls.flatMap(({ ui }) => (ui ? [ui] : []));
  const [first] = shown;
  if (!first) return undefined;
  return Object.fromEntries(Object.keys(first).map((key) => [key, shown.flatMap((ui) => ui[key] ?? [])]));
}
