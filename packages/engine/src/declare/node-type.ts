import type { JobFiles } from '../files.ts';
import type { Graph } from '../graph.ts';
import type { Inputs, InputValues } from './inputs.ts';
import type { HiddenInput, NodeContext } from './node-context.ts';
import {
  type CheckDescription,
  DEFAULTS,
  type EngineCheck,
  type NodeDescription,
} from './node-description.ts';
import type { Output, OutputValues } from './outputs.ts';

/** What an output node shows: lists by key, such as `images: [{filename, subfolder, type}]`. */
export type UiOutput = Readonly<Record<string, readonly unknown[]>>;

export interface FullResult<Values = readonly unknown[]> {
  /** One for each slot. In an expansion an item may be a link into the new graph. */
  readonly outputs?: Values;
  readonly ui?: UiOutput;
  readonly expand?: Graph;
}

/** Most nodes just return the values of their slots. */
export type NodeResult<Values = readonly unknown[]> = Values | FullResult<Values>;

/** Values of constants by name; what comes by a link is absent. */
export type Constants<I extends Inputs> = Partial<InputValues<I>>;

export interface InputCheck<I extends Inputs = Inputs> {
  /** The inputs it checks. The engine then does not check their bounds and choices. */
  readonly inputs: readonly (keyof I & string)[] | 'all';
  /** It also checks the types of linked inputs, so the engine does not. */
  readonly takesTypes?: boolean;
  /** Code of the node, or a check that the engine knows. */
  readonly check:
    | EngineCheck
    | ((values: Constants<I>, about: CheckContext) => CheckResult | Promise<CheckResult>);
}

/** `true`, or the sentence that says what is wrong; `false` when there is nothing to say. */
export type CheckResult = boolean | string;

export interface CheckContext {
  readonly files: JobFiles;
  /** Types of what is linked, by input; and FLOAT of constants such as 5.0, whose value alone is that of 5, where the declaration does not say. */
  readonly types: Readonly<Record<string, string>>;
}

export interface NodeDeclaration<
  I extends Inputs = Inputs,
  O extends readonly Output[] = readonly Output[],
  L extends boolean = boolean,
> {
  /** What graphs call it (`class_type`). */
  readonly type: string;
  readonly title?: string;
  readonly category: string;
  readonly description?: string;
  readonly searchAliases?: readonly string[];
  /** Where editors show it among the nodes for beginners. */
  readonly essentialsCategory?: string;
  readonly inputs: I;
  /** Names as `object_info` has them: `{ prompt: 'PROMPT' }`. */
  readonly hidden?: Readonly<Record<string, HiddenInput>>;
  readonly outputs: O;
  /** It is what a job is run for: it saves or shows something. */
  readonly outputNode?: boolean;
  /** It shows something without being a reason to run. */
  readonly hasIntermediateOutput?: boolean;
  readonly deprecated?: boolean;
  readonly experimental?: boolean;
  readonly apiNode?: boolean;
  /** Equal inputs do not give equal results: it is cached by its place in the graph only. */
  readonly notIdempotent?: boolean;
  /** Called once with all lists, instead of once for each item. */
  readonly inputIsList?: L;
  /** It waits for something outside, so others may run meanwhile. */
  readonly async?: boolean;
  /** Constants that it did not declare reach it too, as widgets of an editor's own may need. */
  readonly acceptsAll?: boolean;
  /** Changes when the node would give another result for the same inputs; `NaN` is never equal. */
  fingerprint?(
    values: Constants<I>,
    about: CheckContext,
  ): string | number | boolean | Promise<string | number | boolean>;
  readonly validate?: InputCheck<I>;
  /** Which lazy inputs it needs now, given those that are there; asked again when they are. */
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

/** A declaration with its types forgotten, as the engine handles them: what is data, and the code. */
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

/** Declares a node type. Its inputs' types, validation and `object_info` all follow from this one object. */
export function defineNode<
  const I extends Inputs,
  const O extends readonly Output[],
  const L extends boolean = false,
>(declaration: NodeDeclaration<I, O, L>): NodeType {
  // The engine checks every value against the declaration before it calls, which is what makes forgetting sound.
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

/** A check that is code stays with the node; its description says only that there is one. */
function splitCheck(validate: InputCheck | undefined): Pick<NodeType, 'validate' | 'check'> {
  if (typeof validate?.check !== 'function')
    return { validate: validate as CheckDescription, check: undefined };
  const { check, ...rest } = validate;
  return { validate: { ...rest, check: { kind: 'custom' } }, check };
}
