import {
  floatRepr,
  isIntegerNumber,
  NodeError,
  PythonFloat,
  pythonTypeName,
  valueError,
} from '@atelier/engine';
import { toFloat } from '../../values/arithmetic.ts';
import { exponentText, fixedText, generalText } from '../../values/float-text.ts';
import { pythonStr, sliceText, textLength } from '../../values/python-text.ts';
import { type FormatSpec, parseFormatSpec } from './format-spec.ts';

/** `format(value, spec)` */
export function formatValue(value: unknown, spec: string): string {
  if (spec === '') return pythonStr(value);
  if (typeof value === 'string') return formatString(value, spec);
  if (typeof value === 'boolean') return formatInteger(value ? 1n : 0n, spec, 'bool');
  if (typeof value === 'bigint') return formatInteger(value, spec, 'int');
  if (typeof value === 'number') {
    return isIntegerNumber(value) ? formatInteger(BigInt(value), spec, 'int') : formatFloatWith(value, spec);
  }
  if (value instanceof PythonFloat) return formatFloatWith(value.value, spec);
  const type = pythonTypeName(value);
  throw new NodeError('TypeError', `A value of type ${type} takes no format such as '${spec}'.`);
}

function formatString(text: string, specText: string): string {
  const spec = parseFormatSpec(specText, '<');
  if (spec.type !== '' && spec.type !== 's') throw unknownCode(spec.type, 'str');
  if (spec.sign !== undefined || spec.zeroSign || spec.alternate || spec.align === '=') {
    throw valueError(`A sign, z, # or = does not apply to text: '${specText}'.`);
  }
  if (spec.grouping !== undefined) throw valueError(`Cannot specify '${spec.grouping}' with 's'.`);
  const shown = spec.precision === undefined ? text : sliceText(text, 0, spec.precision);
  return pad('', shown, spec);
}

const RADIX: Readonly<Record<string, number>> = { b: 2, o: 8, x: 16, X: 16 };

function formatInteger(value: bigint, specText: string, type: 'int' | 'bool'): string {
  const spec = parseFormatSpec(specText, '>');
  if (spec.type !== '' && 'eEfFgG%'.includes(spec.type)) return formatFloat(toFloat(value), spec);
  if (spec.type !== '' && !'bcdnoxX'.includes(spec.type)) throw unknownCode(spec.type, type);
  if (spec.precision !== undefined) {
    throw valueError('Precision not allowed in integer format specifier');
  }
  if (spec.zeroSign) throw valueError('Negative zero coercion (z) is for floats only.');
  if (spec.type === 'c') return formatCharacter(value, spec);
  const radix = RADIX[spec.type] ?? 10;
  const digits = (value < 0n ? -value : value).toString(radix);
  const prefix = spec.alternate && radix !== 10 ? `0${spec.type}` : '';
  const head = signOf(value < 0n, spec) + prefix;
  return layOut(head, spec.type === 'X' ? digits.toUpperCase() : digits, '', spec, radix === 10 ? 3 : 4);
}

function formatCharacter(value: bigint, spec: FormatSpec): string {
  if (spec.sign !== undefined || spec.alternate) {
    throw valueError("A sign or # is not allowed with integer format specifier 'c'.");
  }
  if (value < 0n || value > 0x10ffffn) throw new NodeError('OverflowError', '%c arg not in range(0x110000)');
  return layOut('', '', String.fromCodePoint(Number(value)), spec, 3);
}

function formatFloatWith(value: number, specText: string): string {
  return formatFloat(value, parseFormatSpec(specText, '>'));
}

function formatFloat(given: number, spec: FormatSpec): string {
  if (spec.type !== '' && !'eEfFgGn%'.includes(spec.type)) throw unknownCode(spec.type, 'float');
  const value = spec.type === '%' ? given * 100 : given;
  const magnitude = Math.abs(value);
  const unsigned = Number.isFinite(value) ? magnitudeText(magnitude, spec) : floatRepr(magnitude);
  const text = (/[EFG]/.test(spec.type) ? unsigned.toUpperCase() : unsigned) + (spec.type === '%' ? '%' : '');
  const zero = spec.zeroSign && !/[1-9a-z]/i.test(unsigned.replace(/e.*/i, ''));
  const negative = (value < 0 || Object.is(value, -0)) && !zero;
  const digits = /^\d*/.exec(text)?.[0] ?? '';
  return layOut(signOf(negative, spec), digits, text.slice(digits.length), spec, 3);
}

function magnitudeText(magnitude: number, spec: FormatSpec): string {
  const { alternate, precision } = spec;
  switch (spec.type.toLowerCase()) {
    case 'e':
      return exponentText(magnitude, precision ?? 6, { point: alternate });
    case 'f':
    case '%': {
      const text = fixedText(magnitude, precision ?? 6);
      return alternate && precision === 0 ? `${text}.` : text;
    }
    case 'g':
    case 'n':
      return generalText(magnitude, precision ?? 6, { alternate });
    default:
      if (precision === undefined) return alternate ? withPoint(floatRepr(magnitude)) : floatRepr(magnitude);
      return generalText(magnitude, precision, { alternate, pointZero: true });
  }
}

function withPoint(text: string): string {
  return text.includes('.') ? text : text.replace('e', '.e');
}

function signOf(negative: boolean, { sign }: FormatSpec): string {
  if (negative) return '-';
  return sign === '+' || sign === ' ' ? sign : '';
}

/** Sign and prefix, digits in groups, the rest. Zeros that fill the width are grouped too. */
function layOut(head: string, digits: string, rest: string, spec: FormatSpec, groupSize: number): string {
  const zeros = spec.fill === '0' && spec.align === '=';
  const least = zeros && digits !== '' ? spec.width - head.length - textLength(rest) : 0;
  const grouped = groupDigits(digits, spec.grouping, groupSize, least);
  return pad(head, grouped + rest, spec);
}

function groupDigits(digits: string, separator: string | undefined, size: number, least: number): string {
  if (separator === undefined || digits === '') return digits.padStart(least, '0');
  const groups: string[] = [];
  let rest = digits;
  let room = least;
  for (;;) {
    const length = Math.min(size, Math.max(rest.length, room, 1));
    groups.push(rest.slice(-length).padStart(length, '0'));
    rest = rest.slice(0, -length);
    room -= length;
    if (rest === '' && room <= 0) break;
    // A separator never comes first: one more zero is written instead.
    room -= 1;
  }
  return groups.toReversed().join(separator);
}

function pad(head: string, body: string, { fill, align, width }: FormatSpec): string {
  const missing = width - head.length - textLength(body);
  if (missing <= 0) return head + body;
  if (align === '=') return head + fill.repeat(missing) + body;
  const left = align === '>' ? missing : align === '^' ? Math.floor(missing / 2) : 0;
  return fill.repeat(left) + head + body + fill.repeat(missing - left);
}

function unknownCode(code: string, type: string): NodeError {
  return valueError(`Unknown format code '${code}' for object of type '${type}'`);
}
