import { computeOnce, lookUp, moduleScope } from '../python/lookup.ts';
import type { Bound, Scope } from '../python/scopes.ts';
import { type Call, calledName, type Expression, partsOf } from '../python/syntax.ts';

const MAX_LENGTH = 100_000;
const MAX_DEPTH = 12;

export interface ConstantText {
  readonly value: string;
  /** How the source spells the text: as it is, in pieces, or encoded. */
  readonly form: 'plain' | 'pieces' | 'coded';
}

/** The constant text of an expression, as far as it can be computed without running it. */
export function constantText(expression: Expression, scope: Scope, depth = 0): ConstantText | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const fold = (inner: Expression) => constantText(inner, scope, depth + 1);
  if (expression.kind === 'text') return plain(expression.value);
  if (expression.kind === 'format')
    return joined(expression.parts.map((part) => (typeof part === 'string' ? plain(part) : fold(part))));
  if (expression.kind === 'operation' && expression.operator === '+')
    return joined(expression.operands.map(fold));
  if (expression.kind === 'index' && expression.isReversal) {
    const of = fold(expression.of);
    return of && coded(of.value.split('').toReversed().join(''));
  }
  if (expression.kind === 'name') {
    const bound = onlyValue(lookUp(scope, expression.id));
    return bound && constantText(bound.value, bound.scope, depth + 1);
  }
  return expression.kind === 'call' ? ofCall(expression, fold) : undefined;
}

/** The value of a name that is bound once, to a whole value. */
function onlyValue(bounds: readonly Bound[] = []) {
  const [bound] = bounds;
  return bounds.length === 1 && bound?.kind === 'value' && !bound.isPart ? bound : undefined;
}

/**
 * Whether the source alone decides the value of an expression: its names are bound once, in the same scope, and nothing else
 * can change them.
 */
export function isLiteral(expression: Expression, scope: Scope): boolean {
  if (expression.kind === 'name') {
    const bound = onlyValue(scope.names.get(expression.id));
    if (!bound) return false;
    return scope.stars.length === 0 && !changesNames(moduleScope(scope)) && isLiteral(bound.value, scope);
  }
  return partsOf(expression).every((part) => isCallee(part, expression) || isLiteral(part, scope));
}

function isCallee(part: Expression, of: Expression): boolean {
  return of.kind === 'call' && of.callee === part && part.kind === 'name';
}

const changing = new WeakMap<Scope, boolean>();

/** `globals()['code'] = …`, `setattr(module, 'code', …)` */
function changesNames(scope: Scope): boolean {
  const isChange = ({ callee }: Call) =>
    callee.kind === 'name' && /^(?:globals|locals|vars|setattr)$/.test(callee.id);
  const compute = () => scope.calls.some(isChange) || scope.inner.some(changesNames);
  return computeOnce(changing, scope, false, compute);
}

function ofCall({ callee, args }: Call, fold: (of: Expression) => ConstantText | undefined) {
  const [first, second] = args.map(({ value }) => value);
  const name = calledName(callee);
  const of = callee.kind === 'attribute' ? callee.of : undefined;
  switch (name) {
    case 'chr':
      return first?.kind === 'number' ? coded(fromCodes([first])) : undefined;
    case 'bytes':
    case 'bytearray':
      return first?.kind === 'sequence' ? coded(fromCodes(first.items)) : undefined;
    case 'join': {
      const separator = of && fold(of);
      if (!separator || !first) return undefined;
      const codes = codesOf(first);
      if (codes) return coded(fromCodes(codes));
      const items = first.kind === 'sequence' ? first.items.map(fold) : [];
      if (items.length === 0 || items.includes(undefined)) return undefined;
      return coded(items.map((item) => item?.value).join(separator.value));
    }
    case 'fromhex':
    case 'unhexlify':
      return decoded(first && fold(first), 'hex');
    case 'b64decode':
    case 'urlsafe_b64decode':
      return decoded(first && fold(first), 'base64');
    case 'decode':
      // `codecs.decode(text, 'rot13')`, or the method of bytes.
      return first && second ? rotated(fold(first), fold(second)) : of && fold(of);
    case 'encode':
    case 'strip':
      return of && fold(of);
    case 'replace': {
      const [whole, from, to] = [of, first, second].map((part) => part && fold(part));
      return whole && from?.value && to
        ? coded(whole.value.replaceAll(from.value, () => to.value))
        : undefined;
    }
    default:
      return undefined;
  }
}

/** The numbers in `map(chr, [...])` and in `chr(c) for c in [...]`. */
export function codesOf(expression: Expression): readonly Expression[] | undefined {
  if (expression.kind === 'call') {
    const [by, over] = expression.args.map(({ value }) => value);
    const isMap = expression.callee.kind === 'name' && expression.callee.id === 'map';
    const isChr = by?.kind === 'name' && by.id === 'chr';
    return isMap && isChr && over?.kind === 'sequence' ? over.items : undefined;
  }
  if (expression.kind !== 'comprehension') return undefined;
  const { element, loops } = expression;
  const isChr = element.kind === 'call' && element.callee.kind === 'name' && element.callee.id === 'chr';
  const from = loops[0]?.from;
  return isChr && from?.kind === 'sequence' ? from.items : undefined;
}

function fromCodes(items: readonly Expression[]): string | undefined {
  let text = '';
  for (const item of items) {
    if (item.kind !== 'number' || typeof item.value !== 'number' || item.value < 0 || item.value > 0x10ffff) {
      return undefined;
    }
    text += String.fromCodePoint(Math.trunc(item.value));
  }
  return text;
}

function decoded(text: ConstantText | undefined, encoding: 'hex' | 'base64'): ConstantText | undefined {
  return text && coded(Buffer.from(text.value.replaceAll(/\s/g, ''), encoding).toString('latin1'));
}

function rotated(text: ConstantText | undefined, encoding: ConstantText | undefined) {
  if (!text || !encoding || !/^rot_?13$/i.test(encoding.value)) return undefined;
  const turn = (letter: string) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  };
  return coded(text.value.replaceAll(/[a-z]/gi, turn));
}

function joined(parts: readonly (ConstantText | undefined)[]): ConstantText | undefined {
  let value = '';
  let form: ConstantText['form'] = parts.length > 1 ? 'pieces' : 'plain';
  for (const part of parts) {
    if (!part || value.length + part.value.length > MAX_LENGTH) return undefined;
    value += part.value;
    if (part.form === 'coded') form = 'coded';
  }
  return { value, form };
}

function plain(value: string): ConstantText {
  return { value, form: 'plain' };
}

function coded(value: string | undefined): ConstantText | undefined {
  return value === undefined || value.length > MAX_LENGTH ? undefined : { value, form: 'coded' };
}
