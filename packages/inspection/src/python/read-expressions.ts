import { TooComplex } from './parse-budget.ts';
import { stringShape, unescapeString } from './string-literals.ts';
import type { Argument, Binding, Comprehension, Dictionary, Expression, Parameter } from './syntax.ts';
import { ERROR, type SyntaxNode } from './syntax-tree.ts';

/** Python itself stops at 200 nested brackets. */
const MAX_DEPTH = 300;
/** Left-associative operators of one rank: a chain of them is one operation, however long. */
const CHAINS = [['+', '-'], ['*', '/', '//', '%', '@'], ['|'], ['and'], ['or']];

export interface Reader {
  readonly text: string;
  /** The text for the parser, which has the same length. */
  readonly parsed: string;
  depth: number;
}

export function readExpression(reader: Reader, node: SyntaxNode): Expression {
  reader.depth += 1;
  if (reader.depth > MAX_DEPTH) throw new TooComplex('nested too deeply');
  const expression = readKind(reader, node);
  reader.depth -= 1;
  return expression;
}

function readKind(reader: Reader, node: SyntaxNode): Expression {
  const at = node.from;
  switch (node.name) {
    case 'VariableName':
    case 'PropertyName':
      return { kind: 'name', at, id: readName(reader, node) };
    case 'MemberExpression':
      return readMember(reader, node);
    case 'CallExpression':
      return readCall(reader, node);
    case 'String':
      return readString(reader, node);
    case 'FormatString':
      return readFormat(reader, node);
    case 'ContinuedString':
      return joinStrings(at, readParts(reader, node.children));
    case 'Number':
      return readNumber(reader, node);
    case 'Boolean':
      return { kind: 'constant', at, value: reader.text.slice(node.from, node.to) === 'True' };
    case 'None':
      return { kind: 'constant', at, value: null };
    case 'ParenthesizedExpression':
      return only(at, readItems(reader, node.children));
    case 'TupleExpression':
    case 'ArrayExpression':
    case 'SetExpression':
      return { kind: 'sequence', at, items: readItems(reader, node.children) };
    case 'DictionaryExpression':
      return readDictionary(reader, node);
    case 'ComprehensionExpression':
    case 'ArrayComprehensionExpression':
    case 'SetComprehensionExpression':
    case 'DictionaryComprehensionExpression':
      return readComprehension(reader, node.children, at);
    case 'BinaryExpression':
    case 'UnaryExpression':
    case 'ConditionalExpression':
      return readOperation(reader, node);
    case 'LambdaExpression':
      return readLambda(reader, node);
    case 'NamedExpression': {
      const [target, value] = readParts(reader, node.children);
      if (target && value) return { kind: 'walrus', at, target, value };
      return { kind: 'other', at, parts: target ? [target] : [] };
    }
    default:
      return { kind: 'other', at, parts: readParts(reader, node.children) };
  }
}

/** Python normalizes look-alike letters, so `𝐞xec` is `exec`. */
export function readName({ text }: Reader, node: SyntaxNode): string {
  const name = text.slice(node.from, node.to);
  // oxlint-disable-next-line no-control-regex
  return /^[\x00-\x7f]*$/.test(name) ? name : name.normalize('NFKC');
}

export function readParts(reader: Reader, nodes: readonly SyntaxNode[]): Expression[] {
  const parts: Expression[] = [];
  for (const node of nodes) {
    if (node.isExpression) parts.push(readExpression(reader, node));
    else if (node.children.length > 0) {
      const inner = readParts(reader, node.children);
      if (inner.length > 0) parts.push({ kind: 'other', at: node.from, parts: inner });
    }
  }
  return parts;
}

/** Reads items between commas. A starred one is `other`. */
export function readItems(reader: Reader, nodes: readonly SyntaxNode[]): Expression[] {
  const items: Expression[] = [];
  let isStarred = false;
  for (const node of nodes) {
    if (node.name === '*' || node.name === '**') isStarred = true;
    for (const item of readParts(reader, [node])) {
      items.push(isStarred ? { kind: 'other', at: node.from, parts: [item] } : item);
      isStarred = false;
    }
  }
  return items;
}

/** Reads a side of a statement: one expression, or the tuple that commas make. */
export function readSide(reader: Reader, at: number, nodes: readonly SyntaxNode[]): Expression {
  const items = readItems(reader, nodes);
  return nodes.at(-1)?.name === ',' ? { kind: 'sequence', at, items } : only(at, items);
}

/** A single expression, or the tuple of several. */
export function only(at: number, items: readonly Expression[]): Expression {
  const [first] = items;
  return first && items.length === 1 ? first : { kind: 'sequence', at, items };
}

function readMember(reader: Reader, node: SyntaxNode): Expression {
  const [object, ...rest] = node.children;
  const at = node.from;
  if (!object) return { kind: 'other', at, parts: [] };
  const of = readExpression(reader, object);
  const property = rest.find(({ name }) => name === 'PropertyName');
  if (property) return { kind: 'attribute', at: property.from, of, id: readName(reader, property) };
  if (rest[0]?.name !== '[') return { kind: 'other', at, parts: [of, ...readParts(reader, rest)] };
  const last = rest.at(-1);
  const inside = reader.text.slice(rest[0].to, last?.from ?? node.to);
  return {
    kind: 'index',
    at,
    of,
    keys: readParts(reader, rest),
    isSlice: rest.some(({ name }) => name === ':'),
    isReversal: /^\s*:\s*:\s*-\s*1\s*$/.test(inside),
  };
}

function readCall(reader: Reader, node: SyntaxNode): Expression {
  const [callee, list, ...rest] = node.children;
  const at = node.from;
  if (!callee || list?.name !== 'ArgList')
    return { kind: 'other', at, parts: readParts(reader, node.children) };
  const args = readArguments(reader, list);
  const extra = readParts(reader, rest).map((value): Argument => ({ stars: 0, value }));
  return { kind: 'call', at, callee: readExpression(reader, callee), args: [...args, ...extra] };
}

export function readArguments(reader: Reader, list: SyntaxNode): Argument[] {
  const args: Argument[] = [];
  let group: SyntaxNode[] = [];
  const finish = () => {
    if (group.length > 0) args.push(...readArgument(reader, group));
    group = [];
  };
  for (const node of list.children) {
    if (node.name === ',') finish();
    else group.push(node);
  }
  finish();
  return args;
}

function readArgument(reader: Reader, nodes: readonly SyntaxNode[]): Argument[] {
  const [first, second] = nodes;
  if (first?.name === '*' || first?.name === '**') {
    const stars = first.name === '*' ? 1 : 2;
    return readParts(reader, nodes.slice(1)).map((value) => ({ stars, value }));
  }
  if (nodes.some(({ name }) => name === 'for')) {
    return [{ stars: 0, value: readComprehension(reader, nodes, first?.from ?? 0) }];
  }
  const isNamed = first?.name === 'VariableName' && second?.name === 'AssignOp';
  if (!isNamed) return readParts(reader, nodes).map((value) => ({ stars: 0, value }));
  if (reader.text.slice(second.from, second.to) === ':=') {
    const target = readExpression(reader, first);
    return readParts(reader, nodes.slice(2)).map((value) => ({
      stars: 0,
      value: { kind: 'walrus', at: first.from, target, value },
    }));
  }
  const name = readName(reader, first);
  return readParts(reader, nodes.slice(2)).map((value) => ({ name, stars: 0, value }));
}

function readDictionary(reader: Reader, node: SyntaxNode): Dictionary {
  const entries: { key?: Expression; value: Expression }[] = [];
  let key: Expression | undefined;
  let isValue = false;
  for (const child of node.children) {
    if (child.name === '**' || child.name === ':') isValue = true;
    for (const expression of readParts(reader, [child])) {
      if (isValue) {
        entries.push(key ? { key, value: expression } : { value: expression });
        key = undefined;
        isValue = false;
      } else key = expression;
    }
  }
  if (key) entries.push({ value: key });
  return { kind: 'dictionary', at: node.from, entries };
}

function readComprehension(reader: Reader, nodes: readonly SyntaxNode[], at: number): Comprehension {
  const first = nodes.findIndex(({ name }) => name === 'for' || name === 'async');
  const head = nodes.slice(0, first === -1 ? nodes.length : first);
  const [left, right] = readItems(reader, head);
  const element = right ?? left ?? { kind: 'other', at, parts: [] };
  const loops: Binding[] = [];
  const conditions: Expression[] = [];
  let targets: SyntaxNode[] = [];
  let state: 'targets' | 'from' | 'condition' = 'condition';
  for (const node of nodes.slice(head.length)) {
    if (node.name === 'for') {
      state = 'targets';
      targets = [];
    } else if (node.name === 'in') state = 'from';
    else if (node.name === 'if') state = 'condition';
    else if (state === 'targets') targets.push(node);
    else if (state === 'from') {
      for (const from of readParts(reader, [node])) {
        loops.push({ target: only(node.from, readItems(reader, targets)), from, isLoop: true });
      }
    } else conditions.push(...readParts(reader, [node]));
  }
  return { kind: 'comprehension', at, element, loops, conditions, ...(right && left ? { key: left } : {}) };
}

function readOperation(reader: Reader, node: SyntaxNode): Expression {
  const operator = operatorOf(reader, node);
  const chained = CHAINS.find((chain) => chain.includes(operator)) ?? [];
  const operands: Expression[] = [];
  let isMixed = false;
  let link = node;
  for (;;) {
    const [left, ...rest] = link.children;
    operands.push(...readParts(reader, rest).toReversed());
    if (!left) break;
    const next = left.name === 'BinaryExpression' ? operatorOf(reader, left) : '';
    if (link.name !== 'BinaryExpression' || !chained.includes(next)) {
      operands.push(...readParts(reader, [left]));
      break;
    }
    isMixed ||= next !== operator;
    link = left;
  }
  operands.reverse();
  return { kind: 'operation', at: node.from, operator: isMixed ? 'mixed' : operator, operands };
}

function operatorOf({ text }: Reader, node: SyntaxNode): string {
  const words: string[] = [];
  for (const child of node.children) {
    if (!child.isExpression && child.name !== ERROR) words.push(text.slice(child.from, child.to));
  }
  return words.join(' ');
}

function readLambda(reader: Reader, node: SyntaxNode): Expression {
  const children = node.children;
  const list = children.find(({ name }) => name === 'ParamList');
  const { parameters, heads } = list ? readParameters(reader, list) : { parameters: [], heads: [] };
  const body = only(
    node.from,
    readParts(
      reader,
      children.filter((child) => child !== list),
    ),
  );
  const whole = heads.length > 0 ? { kind: 'other' as const, at: node.from, parts: [body, ...heads] } : body;
  return { kind: 'lambda', at: node.from, parameters, body: whole };
}

/** The parameters, and separately their annotations and defaults. */
export function readParameters(
  reader: Reader,
  list: SyntaxNode,
): { parameters: Parameter[]; heads: Expression[] } {
  const parameters: Parameter[] = [];
  const heads: Expression[] = [];
  let stars: 0 | 1 | 2 = 0;
  let isValue = false;
  for (const node of list.children) {
    if (node.name === ',') stars = 0;
    else if (node.name === '*') stars = 1;
    else if (node.name === '**') stars = 2;
    if (node.name === 'VariableName' && !isValue) parameters.push({ name: readName(reader, node), stars });
    else {
      const parts = readParts(reader, [node]);
      heads.push(...parts);
      const [value] = parts;
      const last = parameters.pop();
      if (last) parameters.push(isValue && value ? { ...last, default: value } : last);
    }
    isValue = node.name === 'AssignOp';
  }
  return { parameters, heads };
}

function readString(reader: Reader, node: SyntaxNode): Expression {
  const literal = reader.text.slice(node.from, node.to);
  const shape = stringShape(literal);
  const value = unescapeString(literal.slice(shape.start, shape.end), shape);
  return { kind: 'text', at: node.from, value };
}

function readFormat(reader: Reader, node: SyntaxNode): Expression {
  const shape = stringShape(reader.text.slice(node.from, node.to));
  const parts: (string | Expression)[] = [];
  let from = node.from + shape.start;
  const addText = (to: number) => {
    if (to <= from) return;
    const content = reader.text.slice(from, to).replaceAll('{{', '{').replaceAll('}}', '}');
    parts.push(unescapeString(content, shape));
  };
  for (const child of node.children) {
    if (child.name !== 'FormatReplacement') continue;
    addText(child.from);
    parts.push(only(child.from, readParts(reader, child.children)));
    from = child.to;
  }
  addText(node.from + shape.end);
  return { kind: 'format', at: node.from, parts };
}

/** Adjacent literals are one: a text if all are texts. */
function joinStrings(at: number, strings: readonly Expression[]): Expression {
  const parts = strings.flatMap((one) => {
    if (one.kind === 'text') return [one.value];
    return one.kind === 'format' ? one.parts : [one];
  });
  const texts = parts.filter((part) => typeof part === 'string');
  if (texts.length === parts.length) return { kind: 'text', at, value: texts.join('') };
  return { kind: 'format', at, parts };
}

function readNumber({ parsed }: Reader, node: SyntaxNode): Expression {
  const at = node.from;
  const text = parsed.slice(node.from, node.to).replaceAll('_', '').toLowerCase();
  if (text.endsWith('j') && !text.startsWith('0x')) return { kind: 'other', at, parts: [] };
  const value = Number(text);
  if (Number.isSafeInteger(value) || !/^(?:\d+|0[xob][0-9a-f]+)$/.test(text))
    return { kind: 'number', at, value };
  return { kind: 'number', at, value: text.length <= 400 ? BigInt(text) : Number.NaN };
}
