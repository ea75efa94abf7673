import type { JobFiles } from '../files.ts';
import type { Graph } from '../graph.ts';
import type { Inputs, InputValues } from './inputs.ts';
import type { NodeContext } from './node-context.ts';
import {
  type CheckDescription,
  DEFAULTS,
  type EngineCheck,
  type NodeDescription,
} from './node-description.ts';
import type { Output, OutputValues } from './outputs.ts';

/** What a node shows: lists by key, such as `images: [{filename, subfolder, type}]`. */
export type UiOutput = Readonly<Record<string, readonly unknown[]>>;

export interface FullResult<Values = readonly unknown[]> {
  /** One for each slot. In an expansion an item may be a link into the new graph. */
  readonly outputs?: Values;
  readonly ui?: UiOutput;
  readonly expand?: Graph;
}

/** Most nodes just return the values of their slots. */
export type NodeResult<Values = readonly unknown[]> = Values | FullResult<Values>;

/** Constants by name; linked inputs are absent. */
export type Constants<I extends Inputs> = Partial<InputValues<I>>;

export interface InputCheck<I extends Inputs = Inputs> {
  /** The inputs that it checks. The engine does not check their bounds and choices. */
  readonly inputs: readonly (keyof I & string)[] | 'all';
  /** The check covers the types of linked inputs, so the engine does not check them. */
  readonly takesTypes?: boolean;
  /** Code of the node, or a check that the engine knows. */
  readonly check:
    | EngineCheck
    | ((values: Constants<I>, about: CheckContext) => CheckResult | Promise<CheckResult>);
}

/** `true`, a sentence that says what is wrong, or `false` for a failure without a sentence. */
export type CheckResult = boolean | string;

export interface CheckContext {
  readonly files: JobFiles;
  /** By input: the types of linked ones, and FLOAT for constants such as 5.0 where the declaration does not say. */
  readonly types: Readonly<Record<string, string>>;
}

type Typed = 'inputs' | 'outputs' | 'inputIsList' | 'validate';

export interface NodeDeclaration<
  I extends Inputs = Inputs,
  O extends readonly Output[] = readonly Output[],
  L extends boolean = boolean,
> extends Pick<NodeDescription, 'type' | 'category'>,
    Partial<Omit<NodeDescription, 'type' | 'category' | 'foreign' | Typed>> {
  readonly inputs: I;
  readonly outputs: O;
  readonly inputIsList?: L;
  /** Changes when the node would give another result for the same inputs; `NaN` is never equal. */
  fingerprint?(
    values: Constants<I>,
    about: CheckContext,
  ): string | number | boolean | Promise<string | number | boolean>;
  readonly validate?: InputCheck<I>;
  /** The lazy inputs that it needs, given those that are there. Asked again when they are. */
  needs?(
    inputs: RunInputs<Partial<InputValues<I>>, L>,
  ): readonly (keyof I & string)[] | Promise<readonly (keyof I & string)[]>;
  run(
    inputs: RunInputs<InputValues<I>, L>,
    context: NodeContext,
  ): NodeResult<OutputValues<O>> | Promise<NodeResult<OutputValues<O>>>;
}

/** With `inputIsList` every input is the list of its values. */
export type RunInputs<Values, L> = true extends L
  ? false extends L
    ? Values
    : {
        readonly [K in keyof Values]: Values[K] extends undefined
          ? undefined
          : readonly NonNullable<Values[K]>[];
      }
  : Values;

/** A declaration as the engine handles it, with its types erased. */
export interface NodeType extends NodeDescription {
  readonly fingerprint:
    | ((values: Readonly<Record<string, unknown>>, about: CheckContext) => unknown)
    | undefined;
  /** The code of a custom check. */
  readonly check: ((values: Readonly<Record<string, unknown>>, about: CheckContext) => unknown) | undefined;
  readonly needs:
    | ((inputs: Readonly<Record<string, unknown>>) => readonly string[] | Promise<readonly string[]>)
    | undefined;
  readonly run: (inputs: Readonly<Record<string, unknown>>, context: NodeContext) => unknown;
}

export interface NodePack {
  /** Shown as `python_module` in `object_info`, where clients look for where a node comes from. */
  readonly name: string;
  readonly nodes: readonly NodeType[];
  /** Built-in packs promise not to keep their inputs after a call, so that buffers can be reused. */
  readonly builtIn?: boolean;
}

export function definePack(pack: NodePack): NodePack {
  return pack;
}

/** Declares a node type. The types of its inputs, its validation and its `object_info` follow from this object. */
export function defineNode<
  const I extends Inputs,
  const O extends readonly Output[],
  const L extends boolean = false,
>(declaration: NodeDeclaration<I, O, L>): NodeType {
  // Erasing the types is sound because the engine checks every value against the declaration before a call.
  const { validate, ...erased } = declaration as unknown as NodeDeclaration;
  return {
    ...DEFAULTS,
    title: erased.type,
    fingerprint: undefined,
    needs: undefined,
    ...erased,
    ...splitCheck(validate),
  };
}

/** Keeps a check that is code with the node; the description only says that there is one. */
function splitCheck(validate: InputCheck | undefined): Pick<NodeType, 'validate' | 'check'> {
  if (typeof validate?.check !== 'function')
    return { validate: validate as CheckDescription, check: undefined };
  const { check, ...rest } = validate;
  return { validate: { ...rest, check: { kind: 'custom' } }, check };
}
