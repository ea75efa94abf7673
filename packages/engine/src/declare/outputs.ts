import type { Choice, SocketTypes, SocketValue } from './inputs.ts';

/** One output slot. With `isList` the node returns an array and every item flows on by itself. */
export interface Output<T extends string = string, List extends boolean = boolean> {
  readonly socket: T;
  readonly name: string;
  readonly isList: List;
  readonly tooltip: string | undefined;
  /** The template whose type this output has. */
  readonly template: string | undefined;
  /** The type is this list itself, as of ComfyUI nodes that give a choice of a combo; the socket is COMBO then. */
  readonly choices?: readonly Choice[];
}

export interface OutputOptions {
  /** What editors show; the type when it is not given. */
  readonly name?: string;
  readonly tooltip?: string;
}

export function output<const T extends string>(socket: T, options: OutputOptions = {}): Output<T, false> {
  return slot(socket, false, options);
}

export function listOutput<const T extends string>(socket: T, options: OutputOptions = {}): Output<T, true> {
  return slot(socket, true, options);
}

export function matchOutput(
  template: string,
  options: OutputOptions = {},
): Output<'COMFY_MATCHTYPE_V3', false> {
  return { ...slot('COMFY_MATCHTYPE_V3', false, options), template };
}

function slot<T extends string, L extends boolean>(
  socket: T,
  isList: L,
  options: OutputOptions,
): Output<T, L> {
  return { socket, name: options.name ?? socket, isList, tooltip: options.tooltip, template: undefined };
}

/** A node may put a blocker in any slot. */
export type OutputValues<O extends readonly Output[]> = {
  readonly [K in keyof O]: O[K] extends Output<infer T, infer L>
    ? L extends true
      ? readonly SocketOut<T>[]
      : SocketOut<T>
    : never;
};

type SocketOut<T extends string> = T extends keyof SocketTypes ? SocketValue<T> | Blocker : unknown;

/** A value that stops every node that depends on it. */
export interface Blocker {
  readonly blocker: true;
  readonly message: string | undefined;
}

const BLOCKERS = new WeakSet<object>();

/** Makes a blocker that shows the message to the submitter. Without a message it stops silently. */
export function block(message?: string): Blocker {
  const blocker: Blocker = { blocker: true, message };
  BLOCKERS.add(blocker);
  return blocker;
}

export function isBlocker(value: unknown): value is Blocker {
  return typeof value === 'object' && value !== null && BLOCKERS.has(value);
}
