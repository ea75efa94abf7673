/**
 * Python for the inspection: smaller than the parser's tree, but complete, so that no expression is hidden. Anything without
 * a kind of its own is `other` with its parts.
 */
export type Expression =
  | Name
  | Attribute
  | Call
  | Index
  | Text
  | Format
  | Node<'number', { value: number | bigint }>
  | Node<'constant', { value: boolean | null }>
  | Sequence
  | Dictionary
  | Operation
  | Node<'lambda', { parameters: readonly Parameter[]; body: Expression }>
  | Comprehension
  | Node<'walrus', { target: Expression; value: Expression }>
  | Node<'other', { parts: readonly Expression[] }>;

/** `at` is the offset in the source. */
interface Base<Kind extends string> {
  readonly kind: Kind;
  readonly at: number;
}
type Node<Kind extends string, Fields> = Base<Kind> & Readonly<Fields>;

export type Name = Node<'name', { id: string }>;
export type Attribute = Node<'attribute', { of: Expression; id: string }>;
export type Call = Node<'call', { callee: Expression; args: readonly Argument[] }>;
export interface Argument {
  readonly name?: string;
  readonly stars: 0 | 1 | 2;
  readonly value: Expression;
}
export interface Index extends Base<'index'> {
  readonly of: Expression;
  /** For a slice, the bounds that are written. */
  readonly keys: readonly Expression[];
  readonly isSlice: boolean;
  readonly isReversal: boolean;
}
export type Text = Node<'text', { value: string }>;
/** An f-string: texts, and the expressions between them. */
export type Format = Node<'format', { parts: readonly (string | Expression)[] }>;
/** A starred item is `other`. */
export type Sequence = Node<'sequence', { items: readonly Expression[] }>;
/** An entry without a key is `**value`. */
export type Dictionary = Node<
  'dictionary',
  { entries: readonly { readonly key?: Expression; readonly value: Expression }[] }
>;
/** A chain is one operation: `a + b + c` has three operands, and `a + b - c` the operator `mixed`. */
export type Operation = Node<'operation', { operator: string; operands: readonly Expression[] }>;
export interface Comprehension extends Base<'comprehension'> {
  readonly key?: Expression;
  readonly element: Expression;
  readonly loops: readonly Binding[];
  readonly conditions: readonly Expression[];
}

/** A `with`, or a loop, whose target gets the items of `from`. */
export interface Binding {
  readonly target: Expression;
  readonly from: Expression;
  readonly isLoop: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly stars: 0 | 1 | 2;
  readonly default?: Expression;
}

export type Statement =
  | ImportStatement
  | Assignment
  | Node<'expression', { value: Expression }>
  | Node<'return', { value?: Expression }>
  | Node<'delete', { targets: readonly Expression[] }>
  | Node<'jump', { word: 'break' | 'continue' | 'raise'; values: readonly Expression[] }>
  | Node<'outer', { names: readonly string[] }>
  | FunctionDefinition
  | ClassDefinition
  | Block;

export interface ImportStatement extends Base<'import'> {
  /** Leading dots of `from ..a import b`. */
  readonly level: number;
  /** Absent for `import a.b`. */
  readonly from?: string;
  readonly names: readonly { readonly name: string; readonly as?: string }[];
}
export interface Assignment extends Base<'assignment'> {
  readonly targets: readonly Expression[];
  readonly operator?: string;
  readonly value?: Expression;
  readonly annotation?: Expression;
}
export interface FunctionDefinition extends Base<'function'> {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly decorators: readonly Expression[];
  /** Decorators, defaults and annotations: they run where the function is defined. */
  readonly heads: readonly Expression[];
  readonly body: readonly Statement[];
}
export interface ClassDefinition extends Base<'class'> {
  readonly name: string;
  readonly bases: readonly Argument[];
  readonly decorators: readonly Expression[];
  readonly body: readonly Statement[];
}
/** Everything with statements inside (`if`, `for`, `with`, `try`, `match`), and anything without another kind. */
export interface Block extends Base<'block'> {
  readonly heads: readonly Expression[];
  readonly bindings: readonly Binding[];
  readonly body: readonly Statement[];
  /** The parts of the body, each after its keyword: `if`, `elif`, `else`, `try`, `except`, … */
  readonly branches: readonly Branch[];
  /** `if __name__ == '__main__'`: not run by an import. */
  readonly isScript: boolean;
}

export interface Branch {
  readonly word: string;
  readonly test?: Expression;
  readonly body: readonly Statement[];
}

/** The name of `f` in `f()` and `a.f()`; empty for any other callee. */
export function calledName(callee: Expression): string {
  return callee.kind === 'name' || callee.kind === 'attribute' ? callee.id : '';
}

export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'attribute':
      return [expression.of];
    case 'call':
      return [expression.callee, ...expression.args.map(({ value }) => value)];
    case 'index':
      return [expression.of, ...expression.keys];
    case 'format':
      return expression.parts.filter((part) => typeof part !== 'string');
    case 'sequence':
      return expression.items;
    case 'dictionary':
      return expression.entries.flatMap(({ key, value }) => (key ? [key, value] : [value]));
    case 'operation':
      return expression.operands;
    case 'lambda':
      return [expression.body];
    case 'comprehension':
      return [
        ...(expression.key ? [expression.key] : []),
        expression.element,
        ...expression.loops.map(({ from }) => from),
        ...expression.conditions,
      ];
    case 'walrus':
      return [expression.value];
    case 'other':
      return expression.parts;
    case 'name':
    case 'text':
    case 'number':
    case 'constant':
      return [];
  }
}
