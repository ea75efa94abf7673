import { createTextBuilder, dictEntries, NodeError, pythonTypeName, valueError } from '@atelier/engine';
import { pythonAscii, pythonRepr, pythonStr, sliceText } from '../../values/python-text.ts';
import { tensorOf } from '../../values/tensor-text.ts';
import { formatValue } from './format-value.ts';

type Values = Readonly<Record<string, unknown>>;

/** `template.format(**values)`. The format of a field may have fields, but their formats may not. */
export function formatText(template: string, values: Values, nesting = 2): string {
  if (nesting < 1) throw valueError('Max string recursion exceeded');
  const result = createTextBuilder();
  for (const piece of pieces(template)) {
    result.add(typeof piece === 'string' ? piece : fieldText(piece, values, nesting));
  }
  return result.toString();
}

interface Field {
  readonly name: string;
  readonly conversion: string | undefined;
  readonly spec: string;
}

function fieldText({ name, conversion, spec }: Field, values: Values, nesting: number): string {
  const value = convert(lookUp(name, values), conversion);
  return formatValue(value, /[{}]/.test(spec) ? formatText(spec, values, nesting - 1) : spec);
}

/** Plain text, with `{{` and `}}` unescaped, and the fields between. */
function* pieces(template: string): Generator<string | Field> {
  let position = 0;
  while (position < template.length) {
    const brace = /[{}]/g;
    brace.lastIndex = position;
    const index = brace.exec(template)?.index ?? template.length;
    if (index > position) yield template.slice(position, index);
    if (index === template.length) return;
    const mark = template.charAt(index);
    if (template.charAt(index + 1) === mark) {
      yield mark;
      position = index + 2;
      continue;
    }
    if (mark === '}' || index + 1 === template.length) {
      throw valueError(`Single '${mark}' encountered in format string`);
    }
    const { field, end } = readField(template, index + 1);
    yield field;
    position = end;
  }
}

function readField(template: string, start: number): { readonly field: Field; readonly end: number } {
  const nameEnd = endOfName(template, start);
  const name = template.slice(start, nameEnd);
  let position = nameEnd;
  let conversion: string | undefined;
  if (template.charAt(position) === '!') {
    conversion = template.charAt(position + 1);
    if (conversion === '') {
      throw valueError('end of string while looking for conversion specifier');
    }
    position += 2;
    const next = template.charAt(position);
    if (next === '') throw valueError("unmatched '{' in format spec");
    if (next !== '}' && next !== ':') throw valueError("expected ':' after conversion specifier");
  }
  if (template.charAt(position) === '}') return { field: { name, conversion, spec: '' }, end: position + 1 };
  const specEnd = endOfSpec(template, position + 1);
  return { field: { name, conversion, spec: template.slice(position + 1, specEnd) }, end: specEnd + 1 };
}

function endOfName(template: string, start: number): number {
  for (let index = start; index < template.length; index += 1) {
    const mark = template.charAt(index);
    if (mark === '{') throw valueError("unexpected '{' in field name");
    if (mark === '}' || mark === ':' || mark === '!') return index;
    // Brackets may contain anything.
    if (mark === '[') {
      const close = template.indexOf(']', index);
      index = close === -1 ? template.length : close;
    }
  }
  throw valueError("expected '}' before end of string");
}

function endOfSpec(template: string, start: number): number {
  let open = 1;
  for (let index = start; index < template.length; index += 1) {
    if (template.charAt(index) === '{') open += 1;
    else if (template.charAt(index) === '}') open -= 1;
    if (open === 0) return index;
  }
  throw valueError("unmatched '{' in format spec");
}

/** `a`, `a[0]`, `a[key]`, `a.shape`. */
function lookUp(name: string, values: Values): unknown {
  const first = /^[^.[]*/.exec(name)?.[0] ?? '';
  if (first === '' || /^\d+$/.test(first)) {
    throw new NodeError('IndexError', 'Fields need the name of an input, such as {a}.');
  }
  if (!Object.hasOwn(values, first)) throw new NodeError('KeyError', `'${first}'`);
  let value = values[first];
  let rest = name.slice(first.length);
  while (rest !== '') {
    const step = /^(?:\.([^.[]*)|\[([^\]]*)\])/.exec(rest);
    if (!step) throw badPath(rest);
    const [whole, attribute, index] = step;
    if ((attribute ?? index) === '') throw valueError('Empty attribute in format string');
    value = attribute === undefined ? itemOf(value, index ?? '') : attributeOf(value, attribute);
    rest = rest.slice(whole.length);
  }
  return value;
}

function badPath(rest: string): NodeError {
  return valueError(
    rest.startsWith('[')
      ? "Missing ']' in format string"
      : "Only '.' or '[' may follow ']' in format field specifier",
  );
}

function itemOf(value: unknown, index: string): unknown {
  const isNumber = /^\d+$/.test(index);
  if (typeof value === 'string' || Array.isArray(value)) {
    const type = pythonTypeName(value);
    if (!isNumber) throw new NodeError('TypeError', `${type} indices must be integers, not '${index}'`);
    const at = Number(index);
    const item: unknown = typeof value === 'string' ? sliceText(value, at, at + 1) : value[at];
    if (item === '' || (Array.isArray(value) && at >= value.length))
      throw new NodeError('IndexError', `${type} index out of range`);
    return item;
  }
  if (value instanceof Sizes) return itemOf(value.sizes, index);
  const entry = dictEntries(value)?.find(([key]) => key === index && !isNumber);
  if (!entry) throw new NodeError('KeyError', isNumber ? index : `'${index}'`);
  return entry[1];
}

/** The shape of a picture, which is printed as `torch.Size([…])`. */
class Sizes {
  readonly sizes: readonly number[];

  constructor(sizes: readonly number[]) {
    this.sizes = sizes;
  }
}

/** The few attributes that say something about a value. */
function attributeOf(value: unknown, name: string): unknown {
  const tensor = tensorOf(value);
  if (name === 'shape' && tensor) return new Sizes(tensor.shape);
  if (name === 'real' && (typeof value === 'number' || typeof value === 'bigint')) return value;
  throw new NodeError('AttributeError', `'${pythonTypeName(value)}' object has no attribute '${name}'`);
}

function convert(value: unknown, conversion: string | undefined): unknown {
  const shown = value instanceof Sizes ? `torch.Size([${value.sizes.join(', ')}])` : value;
  switch (conversion) {
    case undefined:
      return shown;
    case 's':
      return pythonStr(shown);
    case 'r':
      return value instanceof Sizes ? shown : pythonRepr(value);
    case 'a':
      return value instanceof Sizes ? shown : pythonAscii(value);
    default:
      throw valueError(`Unknown conversion specifier '${conversion}'`);
  }
}
