import type { ClassDefinition, Expression, Parameter, Statement } from '../python/syntax.ts';

/** A value that only running the code would tell. */
export const UNKNOWN = Symbol('unknown');

export type Value =
  | string
  | number
  | bigint
  | boolean
  | null
  | typeof UNKNOWN
  | List
  | Dict
  | ClassValue
  | FunctionValue
  | ModuleValue
  | Instance
  | Parent
  | External;

/** Why a list or dictionary may differ from its known items; a set of bits. */
export const GAP = {
  /** Something was added or removed under an unknown condition. */
  maybe: 1,
  /** Something unknown was added or removed. */
  unread: 2,
  /** The nodes of an unknown module were added. */
  modules: 4,
} as const;

interface Container {
  gaps: number;
  /** The region in which it was made: see `Machine`. */
  readonly born: number;
}
/** A list, tuple or set. */
export interface List extends Container {
  readonly kind: 'list';
  readonly items: Value[];
}
export interface Dict extends Container {
  readonly kind: 'dict';
  readonly entries: Map<string, Value>;
}

/** The names of running code: a module, a class body, or one call of a function. */
export interface Frame {
  readonly kind: 'module' | 'class' | 'function';
  readonly file: string;
  readonly parent: Frame | undefined;
  readonly names: Map<string, Value>;
  /** Names that `global` or `nonlocal` binds in an outer frame. */
  readonly outer: Set<string>;
  readonly born: number;
  readonly returns: Value[];
  readonly owner?: ClassValue;
  isCut: boolean;
}

export interface ClassValue {
  readonly kind: 'class';
  readonly definition: ClassDefinition;
  readonly frame: Frame;
  readonly bases: readonly Value[];
  /** Attributes set from outside. */
  readonly attributes: Map<string, Value>;
  body?: Frame;
}
export interface FunctionValue {
  readonly kind: 'function';
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: readonly Statement[] | Expression;
  readonly frame: Frame;
  readonly binding: 'plain' | 'class' | 'static';
  readonly self?: Value;
}
export interface ModuleValue {
  readonly kind: 'module';
  readonly frame: Frame;
}
export interface Instance {
  readonly kind: 'instance';
  readonly of: ClassValue;
  readonly attributes: Map<string, Value>;
}
export interface Parent {
  readonly kind: 'parent';
  readonly of: ClassValue;
  readonly self: Value;
}
/** An argument of a call. It has stars if the spread value is unknown. */
export interface ArgumentValue {
  readonly name?: string;
  readonly stars: 0 | 1 | 2;
  readonly value: Value;
}
/** Something of ComfyUI, a library or the language, known by its path. */
export interface External {
  readonly kind: 'external';
  /** `builtins.dict`, `comfy_api.latest.io.Image.Input()`; `?` is unknown. */
  readonly path: string;
  /** The value that it is an attribute or a result of. */
  readonly of?: External;
  readonly args?: readonly ArgumentValue[];
}

const MAX_PATH_LENGTH = 500;

export function external(path: string, more: Partial<External> = {}): Value {
  return path.length > MAX_PATH_LENGTH ? UNKNOWN : { kind: 'external', path, ...more };
}

export function isKind<Kind extends string>(
  value: Value | undefined,
  kind: Kind,
): value is Extract<Value, { kind: Kind }> {
  return typeof value === 'object' && value !== null && value.kind === kind;
}

export function textOf(value: Value): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function lastName({ path }: External): string {
  return path.slice(path.lastIndexOf('.') + 1).replace(/\(\)$/, '');
}

export function keyText(key: Value): string | undefined {
  if (typeof key === 'string') return key;
  return typeof key === 'number' || typeof key === 'bigint' ? String(key) : undefined;
}

/** `m.NODE_CLASS_MAPPINGS` of an unknown module, and its members. */
const NODES_OF_UNKNOWN = /^(?:\?|.*\(\))\.NODE_CLASS_MAPPINGS(?:\.\w+(?:\(\))?)?$/;

/** The gaps of a container after a value was merged into it. */
export function gapsOf(added: Value): number {
  if (isKind(added, 'dict') || isKind(added, 'list')) return added.gaps;
  if (typeof added === 'string') return 0;
  return isKind(added, 'external') && NODES_OF_UNKNOWN.test(added.path) ? GAP.modules : GAP.unread;
}

export function gapsOfAll(all: readonly { readonly gaps: number }[]): number {
  return all.reduce((sum, { gaps }) => sum | gaps, 0);
}

export function itemOfUnknown(value: Value): Value {
  return gapsOf(value) === GAP.modules ? external('?.NODE_CLASS_MAPPINGS.item') : UNKNOWN;
}

/** The value of a name that may have either of two values. */
export function join(before: Value | undefined, after: Value, born: number): Value {
  if (before === undefined || before === after) return after;
  if (isKind(before, 'class') && isKind(after, 'class')) return before;
  const both: readonly Value[] = [before, after];
  const dicts = both.filter((one) => isKind(one, 'dict'));
  if (dicts.length === 0) return UNKNOWN;
  // All entries of two dictionaries may exist; any other combination is unknown.
  const isOpen = both.some((one) => one !== null && !isKind(one, 'dict'));
  const gaps = gapsOfAll(dicts) | GAP.maybe | (isOpen ? GAP.unread : 0);
  return { kind: 'dict', entries: new Map(dicts.flatMap((one) => [...one.entries])), gaps, born };
}
