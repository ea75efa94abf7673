import type { FolderName } from '../files.ts';

/**
 * What a value of each socket type is in memory. Packs add their own by declaration merging:
 * `declare module '@atelier/engine' { interface SocketTypes { IMAGE: Image } }`.
 */
export interface SocketTypes {
  /** A bigint where a number would not be exact. */
  INT: number | bigint;
  FLOAT: number;
  STRING: string;
  BOOLEAN: boolean;
}

/** `A,B` is a socket that takes either; a name no pack has described is `unknown`. */
export type SocketValue<T extends string> = T extends `${infer First},${infer Rest}`
  ? SocketValue<First> | SocketValue<Rest>
  : T extends keyof SocketTypes
    ? SocketTypes[T]
    : unknown;

/** Options that editors know of any input. Names are the wire's: they go into `object_info` as they stand. */
export interface InputOptions {
  readonly tooltip?: string;
  readonly display_name?: string;
  /** Computed only when `needs` of the node asks for it. */
  readonly lazy?: boolean;
  /** The node gets the link itself (`[node id, slot]`), not its value. */
  readonly rawLink?: boolean;
  readonly forceInput?: boolean;
  readonly socketless?: boolean;
  readonly advanced?: boolean;
  readonly hidden?: boolean;
}

export interface NumberOptions extends InputOptions {
  readonly default?: number;
  /** A bigint where a number would not be exact: `2n ** 64n - 1n`. */
  readonly min?: number | bigint;
  readonly max?: number | bigint;
  readonly step?: number;
  readonly round?: number | false;
  readonly display?: 'number' | 'slider' | 'knob' | 'color' | 'gradientslider';
  readonly control_after_generate?: ControlAfterGenerate;
  /** The name of a widget that the editor has of its own. */
  readonly component?: string;
}

/** What an editor does to the value after each run. */
type ControlAfterGenerate = boolean | 'fixed' | 'increment' | 'decrement' | 'randomize';

export interface StringOptions extends InputOptions {
  readonly default?: string;
  readonly multiline?: boolean;
  readonly placeholder?: string;
  readonly dynamicPrompts?: boolean;
}

export interface BooleanOptions extends InputOptions {
  readonly default?: boolean;
  readonly label_on?: string;
  readonly label_off?: string;
}

/** ComfyUI compares choices by value, and some node types offer numbers or switches. */
export type Choice = string | number | bigint | boolean | null;

export interface ComboOptions extends InputOptions {
  readonly default?: Choice;
  /** The value is a list of choices. */
  readonly multiselect?: boolean;
  readonly control_after_generate?: ControlAfterGenerate;
  readonly image_upload?: boolean;
  readonly video_upload?: boolean;
  readonly audio_upload?: boolean;
  readonly file_upload?: boolean;
  readonly image_folder?: string;
  readonly remote?: Readonly<Record<string, unknown>>;
}

/** Choices that depend on the files of the user, such as the pictures in the input folder. */
export interface FileChoices {
  readonly folder: FolderName;
  /** Only files with one of these endings, such as `png`, in upper or lower case. */
  readonly endings?: readonly string[];
}

/** What a list of choices is made from. */
export interface ChoiceFiles {
  list(folder: FolderName, subfolder: string): Promise<readonly string[]>;
}

export type Inputs = Readonly<Record<string, Input>>;

interface InputKinds {
  /** With `big` the node gets bigints. */
  int: { readonly big: boolean; readonly options: NumberOptions };
  float: { readonly options: NumberOptions };
  string: { readonly options: StringOptions };
  boolean: { readonly options: BooleanOptions };
  /** `style` is how `object_info` writes it: `[[…], {}]`, `["COMBO", {options}]`, or without choices, which the editor asks for. */
  combo: {
    readonly choices: readonly Choice[] | FileChoices;
    readonly style: 'list' | 'named' | 'remote';
    readonly options: ComboOptions;
  };
  link: { readonly socket: string; readonly options: InputOptions & { readonly default?: unknown } };
  dynamicCombo: { readonly choices: Readonly<Record<string, Inputs>>; readonly options: InputOptions };
  autogrow: {
    readonly item: Input;
    /** Every name that may be used, in order; the first `min` of them are required. */
    readonly names: readonly string[];
    readonly prefix: string | undefined;
    /** What its template calls the item, if not by the prefix. */
    readonly itemName?: string;
    readonly min: number;
    readonly options: InputOptions;
  };
  matchType: { readonly template: string; readonly allowed: string; readonly options: InputOptions };
}

export type InputKind = keyof InputKinds;

/** One declared input. `Value` exists for the compiler only. */
export type Input<Value = unknown, Kind extends InputKind = InputKind> = {
  readonly [K in Kind]: InputKinds[K] & {
    readonly kind: K;
    readonly optional: boolean;
    /** `object_info` has it without options: `["IMAGE"]`. */
    readonly bare?: true;
    readonly value?: Value;
  };
}[Kind];

export type ValueOf<I> = I extends { readonly value?: infer V; readonly optional: infer O }
  ? true extends O
    ? Exclude<V, undefined> | undefined
    : Exclude<V, undefined>
  : never;

export type InputValues<I extends Inputs> = { readonly [K in keyof I]: ValueOf<I[K]> };

/** A required input has `optional: false` in its type, so that its value needs no check for absence. */
type Required<Value, Kind extends InputKind> = Input<Value, Kind> & { readonly optional: false };
/** Lazy inputs may be absent when the node did not ask for them. */
type Lazy<O> = O extends { readonly lazy: true } ? undefined : never;

export function int(options: NumberOptions = {}): Required<number, 'int'> {
  return { kind: 'int', big: false, optional: false, options };
}

/** An INT that may be beyond 2^53, such as a seed of 64 bits. */
export function bigInt(options: NumberOptions = {}): Required<bigint, 'int'> {
  return { kind: 'int', big: true, optional: false, options };
}

export function float(options: NumberOptions = {}): Required<number, 'float'> {
  return { kind: 'float', optional: false, options };
}

export function string(options: StringOptions = {}): Required<string, 'string'> {
  return { kind: 'string', optional: false, options };
}

export function boolean(options: BooleanOptions = {}): Required<boolean, 'boolean'> {
  return { kind: 'boolean', optional: false, options };
}

export function combo<const C extends string>(
  choices: readonly C[],
  options: ComboOptions = {},
): Required<C, 'combo'> {
  return {
    kind: 'combo',
    optional: false,
    choices,
    style: 'named',
    options: { multiselect: false, ...options },
  };
}

/** A combo as nodes of the first generation write it in `object_info`. */
export function listCombo<const C extends string>(
  choices: readonly C[],
  options: ComboOptions = {},
): Required<C, 'combo'> {
  return { kind: 'combo', optional: false, choices, style: 'list', options };
}

/** A combo whose choices are files of the user, in the order of their names. `style` as in `combo` and `listCombo`. */
export function fileCombo(
  choices: FileChoices,
  options: ComboOptions & { readonly style?: 'list' | 'named' } = {},
): Required<string, 'combo'> {
  const { style = 'list', ...rest } = options;
  const shown = style === 'named' ? { multiselect: false, ...rest } : rest;
  return { kind: 'combo', optional: false, choices, style, options: shown };
}

/** A value of another node: `link('IMAGE')`, `link('IMAGE,MASK')`, or `link('*')` for anything. */
export function link<
  const T extends string,
  const O extends InputOptions & { readonly default?: unknown } = InputOptions,
>(socket: T, options?: O): Required<SocketValue<T>, 'link'> & { readonly lazily?: Lazy<O> } {
  return { kind: 'link', optional: false, socket, options: options ?? {} };
}

/** The value of a dynamic combo: the choice, and the inputs that this choice brings. */
export type DynamicValue<C extends Readonly<Record<string, Inputs>>> = {
  readonly [K in keyof C & string]: { readonly choice: K } & InputValues<C[K]>;
}[keyof C & string];

/** A combo whose choice decides which further inputs there are; on the wire they are `name.further`. */
export function dynamicCombo<const C extends Readonly<Record<string, Inputs>>>(
  choices: C,
  options: InputOptions = {},
): Required<DynamicValue<C>, 'dynamicCombo'> {
  return { kind: 'dynamicCombo', optional: false, choices, options };
}

export interface AutogrowOptions extends InputOptions {
  readonly prefix?: string;
  readonly names?: readonly string[];
  readonly min?: number;
  readonly max?: number;
}

/** As many inputs of one kind as are linked: `images.image0`, `images.image1`… or `values.a`, `values.b`…. */
export function autogrow<I extends Input>(
  item: I,
  { prefix, names, min = 1, max = 50, ...options }: AutogrowOptions,
): Required<Readonly<Record<string, Exclude<ValueOf<I>, undefined>>>, 'autogrow'> {
  const all = names ?? Array.from({ length: max }, (_, index) => `${prefix ?? ''}${index}`);
  return {
    kind: 'autogrow',
    optional: false,
    item,
    names: all,
    prefix: names ? undefined : prefix,
    min,
    options,
  };
}

/** Inputs and outputs with one template have one type, whatever it is; `allowed` narrows it. */
export function matchType(
  template: string,
  { allowed = '*', ...options }: InputOptions & { readonly allowed?: string } = {},
): Required<unknown, 'matchType'> {
  return { kind: 'matchType', optional: false, template, allowed, options };
}

/** The node runs without it. */
export function optional<I extends Input>(input: I): Omit<I, 'optional'> & { readonly optional: true } {
  return { ...input, optional: true };
}
