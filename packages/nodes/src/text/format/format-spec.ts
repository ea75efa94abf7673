import { type NodeError, valueError } from '@atelier/engine';
import { textLength } from '../../values/python-text.ts';

/** The part after the colon: `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`. */
export interface FormatSpec {
  readonly fill: string;
  readonly align: '<' | '>' | '=' | '^';
  readonly sign: '+' | '-' | ' ' | undefined;
  /** Writes minus zero as zero. */
  readonly zeroSign: boolean;
  readonly alternate: boolean;
  readonly width: number;
  readonly grouping: ',' | '_' | undefined;
  readonly precision: number | undefined;
  readonly type: string;
}

/** Beyond this, a width or precision can only exhaust the memory. */
const MAX_SIZE = 10_000_000;
const SPEC = /^(?:([\s\S])(?=[<>=^]))?([<>=^])?([-+ ])?(z)?(#)?(0)?(\d+)?([,_]+)?(?:\.(\d*))?([\s\S]*)$/u;

/** The type is empty if there is none, so that each kind of value uses its own. */
export function parseFormatSpec(text: string, defaultAlign: '<' | '>'): FormatSpec {
  const match = SPEC.exec(text);
  const [, fill, align, sign, zeroSign, alternate, zero, width, grouping, precision, type = ''] = match ?? [];
  if (precision === '') throw valueError('Format specifier missing precision');
  if (grouping !== undefined && grouping.length > 1) throw groupingError(grouping);
  if (textLength(type) > 1) throw valueError(`Invalid format specifier '${text.slice(0, 100)}'`);
  if (grouping !== undefined) checkGrouping(grouping, type);
  const padsWithZeros = zero !== undefined && fill === undefined;
  return {
    fill: fill ?? (padsWithZeros ? '0' : ' '),
    align:
      (align as FormatSpec['align'] | undefined) ??
      (padsWithZeros && defaultAlign === '>' ? '=' : defaultAlign),
    sign: sign === '+' || sign === '-' || sign === ' ' ? sign : undefined,
    zeroSign: zeroSign !== undefined,
    alternate: alternate !== undefined,
    width: size(width ?? '0'),
    grouping: grouping === ',' || grouping === '_' ? grouping : undefined,
    precision: precision === undefined ? undefined : size(precision),
    type,
  };
}

function size(digits: string): number {
  const value = Number(digits);
  if (value > MAX_SIZE) {
    throw valueError(`Widths and precisions are at most ${MAX_SIZE}, not ${digits.slice(0, 20)}.`);
  }
  return value;
}

function checkGrouping(grouping: string, type: string): void {
  const allowed = grouping === '_' ? 'deEfFgG%boxX' : 'deEfFgG%';
  if (type !== '' && !allowed.includes(type)) {
    throw valueError(`Cannot specify '${grouping}' with '${type}'.`);
  }
}

function groupingError(grouping: string): NodeError {
  const kinds = new Set(grouping);
  if (kinds.size > 1) return valueError("Cannot specify both ',' and '_'.");
  return valueError(`Cannot specify '${grouping.charAt(0)}' with '${grouping.charAt(0)}'.`);
}
