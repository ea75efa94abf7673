import { TooComplex } from './parse-budget.ts';
import {
  only,
  type Reader,
  readArguments,
  readExpression,
  readItems,
  readName,
  readParameters,
  readParts,
  readSide,
} from './read-expressions.ts';
import type {
  Binding,
  Block,
  Branch,
  ClassDefinition,
  Expression,
  FunctionDefinition,
  Statement,
} from './syntax.ts';
import { ERROR, type SyntaxNode } from './syntax-tree.ts';

const MAX_BLOCK_DEPTH = 120;

export function readStatements(reader: Reader, nodes: readonly SyntaxNode[], level = 0): Statement[] {
  if (level > MAX_BLOCK_DEPTH) throw new TooComplex('nested too deeply');
  return nodes.flatMap((node) => readStatement(reader, node, level));
}

function readStatement(reader: Reader, node: SyntaxNode, level: number): Statement[] {
  const at = node.from;
  switch (node.name) {
    case 'Comment':
    case 'PassStatement':
    case ':':
      return [];
    case 'StatementGroup':
      return readStatements(reader, node.children, level);
    case 'ImportStatement':
      return [readImport(reader, node)];
    case 'AssignStatement':
      return [readAssignment(reader, node)];
    case 'UpdateStatement':
      return [readUpdate(reader, node)];
    case 'ExpressionStatement':
      return [{ kind: 'expression', at, value: readSide(reader, at, node.children) }];
    case 'ReturnStatement': {
      const isBare = !node.children.some(({ isExpression }) => isExpression);
      return [{ kind: 'return', at, ...(isBare ? {} : { value: readSide(reader, at, node.children) }) }];
    }
    case 'DeleteStatement':
      return [{ kind: 'delete', at, targets: readItems(reader, node.children) }];
    case 'BreakStatement':
      return [{ kind: 'jump', at, word: 'break', values: [] }];
    case 'ContinueStatement':
      return [{ kind: 'jump', at, word: 'continue', values: [] }];
    case 'RaiseStatement':
      return [{ kind: 'jump', at, word: 'raise', values: readParts(reader, node.children) }];
    case 'ScopeStatement': {
      const named = node.children.filter(({ name }) => name === 'VariableName');
      return [{ kind: 'outer', at, names: named.map((name) => readName(reader, name)) }];
    }
    case 'FunctionDefinition':
      return [readFunction(reader, node, { decorators: [], level })];
    case 'ClassDefinition':
      return [readClass(reader, node, { decorators: [], level })];
    case 'DecoratedStatement':
      return readDecorated(reader, node, level);
    case 'ForStatement':
    case 'WithStatement':
      return [readBinding(reader, node, level)];
    default:
      return node.isExpression
        ? [{ kind: 'expression', at, value: readExpression(reader, node) }]
        : [readBlock(reader, node, level)];
  }
}

function readImport(reader: Reader, node: SyntaxNode): Statement {
  const names: { name: string; as?: string }[] = [];
  let level = 0;
  let from: string | undefined;
  let dotted = '';
  let alias: string | undefined;
  let isAlias = false;
  const finish = () => {
    if (dotted !== '') names.push(alias === undefined ? { name: dotted } : { name: dotted, as: alias });
    dotted = '';
    alias = undefined;
    isAlias = false;
  };
  let isSource = false;
  for (const child of node.children) {
    if (child.name === 'from') isSource = true;
    else if (child.name === 'import') {
      if (isSource) from = dotted;
      dotted = '';
      isSource = false;
    } else if (child.name === '.' && dotted === '') level += 1;
    else if (child.name === 'Ellipsis') level += 3;
    else if (child.name === 'as') isAlias = true;
    else if (child.name === ',') finish();
    else if (child.name === '*') names.push({ name: '*' });
    else if (child.name === 'VariableName') {
      const name = readName(reader, child);
      if (isAlias) alias = name;
      else dotted = dotted === '' ? name : `${dotted}.${name}`;
    }
  }
  finish();
  return { kind: 'import', at: node.from, level, names, ...(from === undefined ? {} : { from }) };
}

function readAssignment(reader: Reader, node: SyntaxNode): Statement {
  const sides: SyntaxNode[][] = [[]];
  let annotation: Expression | undefined;
  for (const child of node.children) {
    if (child.name === 'AssignOp') sides.push([]);
    else if (child.name === 'TypeDef') annotation = only(child.from, readParts(reader, child.children));
    else sides.at(-1)?.push(child);
  }
  const last = sides.length > 1 ? sides.pop() : undefined;
  return {
    kind: 'assignment',
    at: node.from,
    targets: sides.map((side) => readSide(reader, node.from, side)),
    ...(last ? { value: readSide(reader, node.from, last) } : {}),
    ...(annotation ? { annotation } : {}),
  };
}

function readUpdate(reader: Reader, node: SyntaxNode): Statement {
  const children = node.children;
  const place = children.findIndex(({ name }) => name === 'UpdateOp');
  const operator = children[place];
  return {
    kind: 'assignment',
    at: node.from,
    targets: readItems(reader, children.slice(0, place)),
    value: readSide(reader, node.from, children.slice(place + 1)),
    operator: operator ? reader.text.slice(operator.from, operator.to) : '=',
  };
}

interface Defined {
  readonly decorators: readonly Expression[];
  readonly level: number;
}

function readFunction(reader: Reader, node: SyntaxNode, { decorators, level }: Defined): FunctionDefinition {
  const children = node.children;
  const name = children.find((child) => child.name === 'VariableName');
  const list = children.find((child) => child.name === 'ParamList');
  const { parameters, heads } = list ? readParameters(reader, list) : { parameters: [], heads: [] };
  const others = children.filter((child) => child !== name && child !== list && child.name !== 'Body');
  return {
    kind: 'function',
    at: node.from,
    name: name ? readName(reader, name) : '',
    parameters,
    decorators,
    heads: [...decorators, ...heads, ...readParts(reader, others)],
    body: readBodies(reader, children, level),
  };
}

function readClass(reader: Reader, node: SyntaxNode, { decorators, level }: Defined): ClassDefinition {
  const children = node.children;
  const name = children.find((child) => child.name === 'VariableName');
  const list = children.find((child) => child.name === 'ArgList');
  return {
    kind: 'class',
    at: node.from,
    name: name ? readName(reader, name) : '',
    bases: list ? readArguments(reader, list) : [],
    decorators,
    body: readBodies(reader, children, level),
  };
}

function readDecorated(reader: Reader, node: SyntaxNode, level: number): Statement[] {
  const children = node.children;
  const decorators = children
    .filter(({ name }) => name === 'Decorator')
    .map((decorator) => readDecorator(reader, decorator));
  // The grammar allows names and calls as decorators. After any other expression, the definition stands by itself.
  const isApart = !children.some(({ name }) => /^(?:Function|Class)Definition$/.test(name));
  return children.flatMap((child): Statement[] => {
    if (child.name === 'Decorator')
      return isApart ? [{ kind: 'expression', at: child.from, value: readDecorator(reader, child) }] : [];
    if (child.name === 'FunctionDefinition') return [readFunction(reader, child, { decorators, level })];
    if (child.name === 'ClassDefinition') return [readClass(reader, child, { decorators, level })];
    return readStatement(reader, child, level);
  });
}

function readDecorator(reader: Reader, node: SyntaxNode): Expression {
  let expression: Expression | undefined;
  const rest: Expression[] = [];
  for (const child of node.children) {
    if (child.name === 'VariableName') {
      const id = readName(reader, child);
      expression = expression
        ? { kind: 'attribute', at: child.from, of: expression, id }
        : { kind: 'name', at: child.from, id };
    } else if (child.name === 'ArgList' && expression) {
      expression = { kind: 'call', at: node.from, callee: expression, args: readArguments(reader, child) };
    } else rest.push(...readParts(reader, [child]));
  }
  if (expression && rest.length === 0) return expression;
  return { kind: 'other', at: node.from, parts: expression ? [expression, ...rest] : rest };
}

/** `for targets in from` and `with from as target`. */
function readBinding(reader: Reader, node: SyntaxNode, level: number): Block {
  const children = node.children;
  const heads: Expression[] = [];
  const bindings: Binding[] = [];
  const branches = readBranches(reader, children, level);
  const nodes = children.slice(
    0,
    children.findIndex(({ name }) => name === 'Body'),
  );
  if (node.name === 'ForStatement') {
    const place = nodes.findIndex(({ name }) => name === 'in');
    const target = readSide(reader, node.from, nodes.slice(0, place));
    const from = readSide(reader, node.from, nodes.slice(place + 1));
    bindings.push({ target, from, isLoop: true });
  } else {
    let isTarget = false;
    for (const child of nodes) {
      if (child.name === 'as') isTarget = true;
      for (const expression of readParts(reader, [child])) {
        const from = heads.at(-1);
        if (isTarget && from) bindings.push({ target: expression, from, isLoop: false });
        else heads.push(expression);
        isTarget = false;
      }
    }
  }
  const body = branches.flatMap((branch) => branch.body);
  return { kind: 'block', at: node.from, heads, bindings, body, branches, isScript: false };
}

function readBlock(reader: Reader, node: SyntaxNode, level: number): Block {
  const heads: Expression[] = [];
  const body: Statement[] = [];
  const branches: Branch[] = [];
  let word = '';
  let test: Expression | undefined;
  for (const child of node.children) {
    if (child.name === 'Body' || child.name === 'MatchBody' || child.name.endsWith('Statement')) {
      const inner = readStatements(reader, child.name === 'Body' ? child.children : [child], level + 1);
      body.push(...inner);
      branches.push({ word, body: inner, ...(test ? { test } : {}) });
      word = '';
      test = undefined;
    } else if (child.name === 'MatchClause' || child.name === ERROR)
      body.push(readBlock(reader, child, level + 1));
    else {
      if (word === '') word = child.name;
      const parts = readParts(reader, [child]);
      test ??= parts[0];
      heads.push(...parts);
    }
  }
  const isScript = node.name === 'IfStatement' && heads.length > 0 && isMainTest(heads[0]);
  const bindings = node.name === 'MatchClause' ? capturesIn(reader, node) : [];
  return { kind: 'block', at: node.from, heads, bindings, body, branches, isScript };
}

/** The names that the pattern of a `case` binds to a part of the matched value. */
function capturesIn(reader: Reader, node: SyntaxNode): Binding[] {
  const names: SyntaxNode[] = [];
  const collect = (one: SyntaxNode) => {
    for (const child of one.children) {
      const isCapture = one.name === 'CapturePattern' || one.name === 'AsPattern';
      if (isCapture && child.name === 'VariableName') names.push(child);
      else if (child.name.endsWith('Pattern') || child.name === 'PatternArgList') collect(child);
    }
  };
  collect(node);
  return names.map((name) => ({
    target: { kind: 'name', at: name.from, id: readName(reader, name) },
    from: { kind: 'other', at: name.from, parts: [] },
    isLoop: false,
  }));
}

/** The bodies of a `for` or `with`, and of an `else` after it. */
function readBranches(reader: Reader, children: readonly SyntaxNode[], level: number): Branch[] {
  const bodies = children.filter(({ name }) => name === 'Body');
  return bodies.map((body, index) => ({
    word: index === 0 ? (children.find(({ name }) => name === 'for')?.name ?? 'with') : 'else',
    body: readStatements(reader, body.children, level + 1),
  }));
}

function readBodies(reader: Reader, children: readonly SyntaxNode[], level: number): Statement[] {
  const bodies = children.filter(({ name }) => name === 'Body');
  return bodies.flatMap((body) => readStatements(reader, body.children, level + 1));
}

function isMainTest(test: Expression | undefined): boolean {
  if (test?.kind !== 'operation' || test.operator !== '==') return false;
  const [left, right] = test.operands;
  return (
    left?.kind === 'name' && left.id === '__name__' && right?.kind === 'text' && right.value === '__main__'
  );
}
