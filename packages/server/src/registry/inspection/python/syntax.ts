/**
 * Python as far as the inspection needs it: smaller than the parser's tree, and whole, so that no expression
 * is out of sight. What has no shape of its own here is `other` with its parts.
 */
export type Expression =
  | Name
  | Attribute
  | Call
  | Index
  | Text
  | Format
  | Figure
  | Constant
  | Sequence
  | Dictionary
  | Operation
  | Lambda
  | Comprehension
  | Walrus
  | Other;

interface Placed {
  /** Offset in the source. */
  readonly at: number;
}
export interface Name extends Placed {
  readonly kind: 'name';
  readonly id: string;
}
export interface Attribute extends Placed {
  readonly kind: 'attribute';
  readonly of: Expression;
  readonly id: string;
}
export interface Argument {
  /** `name=value` */
  readonly name?: string;
  /** `*value`, `**value` */
  readonly stars: 0 | 1 | 2;
  readonly value: Expression;
}
export interface Call extends Placed {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly args: readonly Argument[];
}
export interface Index extends Placed {
  readonly kind: 'index';
  readonly of: Expression;
  readonly keys: readonly Expression[];
  /** `of[a:b]`, with the bounds that are written for keys. */
  readonly isSlice: boolean;
  /** `of[::-1]` */
  readonly isReversal: boolean;
}
export interface Text extends Placed {
  readonly kind: 'text';
  /** Bytes are characters up to 255. */
  readonly value: string;
}
/** An f-string: literal pieces and what is put between them. */
export interface Format extends Placed {
  readonly kind: 'format';
  readonly parts: readonly (string | Expression)[];
}
export interface Figure extends Placed {
  readonly kind: 'number';
  readonly value: number | bigint;
}
export interface Constant extends Placed {
  readonly kind: 'constant';
  readonly value: boolean | null;
}
export interface Sequence extends Placed {
  readonly kind: 'sequence';
  /** A starred item is `other`. */
  readonly items: readonly Expression[];
}
export interface Dictionary extends Placed {
  readonly kind: 'dictionary';
  /** Without a key: `**value`. */
  readonly entries: readonly { readonly key?: Expression; readonly value: Expression }[];
}
/** A chain is one operation: `a + b + c` has three operands, and `a + b - c` the operator `mixed`. */
export interface Operation extends Placed {
  readonly kind: 'operation';
  readonly operator: string;
  readonly operands: readonly Expression[];
}
export interface Lambda extends Placed {
  readonly kind: 'lambda';
  readonly parameters: readonly Parameter[];
  readonly body: Expression;
}
export interface Comprehension extends Placed {
  readonly kind: 'comprehension';
  readonly key?: Expression;
  readonly element: Expression;
  readonly loops: readonly Binding[];
  readonly conditions: readonly Expression[];
}
export interface Walrus extends Placed {
  readonly kind: 'walrus';
  readonly target: Expression;
  readonly value: Expression;
}
export interface Other extends Placed {
  readonly kind: 'other';
  readonly parts: readonly Expression[];
}

/** A `with`, or a loop, where the target gets the items of `from` instead of itself. */
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
  | ExpressionStatement
  | Return
  | Delete
  | Jump
  | OuterNames
  | FunctionDefinition
  | ClassDefinition
  | Block;

export interface ImportStatement extends Placed {
  readonly kind: 'import';
  /** Leading dots of `from ..a import b`. */
  readonly level: number;
  /** Absent for `import a.b`. */
  readonly from?: string;
  readonly names: readonly { readonly name: string; readonly as?: string }[];
}
export interface Assignment extends Placed {
  readonly kind: 'assignment';
  readonly targets: readonly Expression[];
  /** `|=` and the like. */
  readonly operator?: string;
  readonly value?: Expression;
  readonly annotation?: Expression;
}
export interface ExpressionStatement extends Placed {
  readonly kind: 'expression';
  readonly value: Expression;
}
export interface Return extends Placed {
  readonly kind: 'return';
  readonly value?: Expression;
}
export interface Delete extends Placed {
  readonly kind: 'delete';
  readonly targets: readonly Expression[];
}
export interface Jump extends Placed {
  readonly kind: 'jump';
  readonly word: 'break' | 'continue' | 'raise';
  readonly values: readonly Expression[];
}
/** `global` and `nonlocal` */
export interface OuterNames extends Placed {
  readonly kind: 'outer';
  readonly names: readonly string[];
}
export interface FunctionDefinition extends Placed {
  readonly kind: 'function';
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly decorators: readonly Expression[];
  /** Decorators, defaults and annotations: they run where the function is defined. */
  readonly heads: readonly Expression[];
  readonly body: readonly Statement[];
}
export interface ClassDefinition extends Placed {
  readonly kind: 'class';
  readonly name: string;
  readonly bases: readonly Argument[];
  readonly decorators: readonly Expression[];
  readonly body: readonly Statement[];
}
/** Everything that has statements inside (`if`, `for`, `with`, `try`, `match`), and all that has no other shape. */
export interface Block extends Placed {
  readonly kind: 'block';
  readonly heads: readonly Expression[];
  readonly bindings: readonly Binding[];
  readonly body: readonly Statement[];
  /** The body by its parts, each after the keyword that begins it: `if`, `elif`, `else`, `try`, `except`, … */
  readonly branches: readonly Branch[];
  /** `if __name__ == '__main__'`: not run by an import. */
  readonly isScript: boolean;
}

export interface Branch {
  readonly word: string;
  readonly test?: Expression;
  readonly body: readonly Statement[];
}

/** The expressions directly inside one, without the names that it binds. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'name':
    case 'text':
    case 'number':
    case 'constant':
      return [];
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
  }
}
