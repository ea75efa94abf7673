/** A failed conversion, told as the host application tells it. */
export class ConversionError extends Error {
  readonly exceptionType: 'TypeError' | 'ValueError';
  constructor(exceptionType: 'TypeError' | 'ValueError', message: string) {
    super(message);
    this.name = exceptionType;
    this.exceptionType = exceptionType;
  }
}

const INT_TEXT = /^\s*[+-]?\d+(?:_\d+)*\s*$/;
const FLOAT_TEXT = /^\s*[+-]?(?:(?:\d+(?:_\d+)*)?\.?\d*(?:_\d+)*(?:e[+-]?\d+)?|inf(?:inity)?|nan)\s*$/i;

/** `int(value)`: numbers lose their fraction, texts are read. */
export function toInt(value: unknown): number {
  if (typeof value === 'number') return Math.trunc(value) + 0;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string') throw notA('int', 'a string, a bytes-like object or a real number', value);
  if (!INT_TEXT.test(value)) {
    throw new ConversionError('ValueError', `invalid literal for int() with base 10: ${pythonRepr(value)}`);
  }
  return Number(value.trim().replaceAll('_', '')) + 0;
}

/** `float(value)`; what is not finite is refused, since no bound could be checked on it. */
export function toFloat(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string') throw notA('float', 'a string or a real number', value);
  const number = Number(value.trim().replaceAll('_', ''));
  if (value.trim() === '' || !FLOAT_TEXT.test(value) || Number.isNaN(number)) {
    throw new ConversionError('ValueError', `could not convert string to float: ${pythonRepr(value)}`);
  }
  return number;
}

/** `bool(value)`: what is empty or zero is false, and every other text is true, `"false"` too. */
export function toBoolean(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** `str(value)`. */
export function pythonStr(value: unknown): string {
  return typeof value === 'string' ? value : pythonRepr(value);
}

/** `repr(value)` of what JSON can hold. */
export function pythonRepr(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  if (typeof value !== 'object') return typeof value;
  const entries = Object.entries(value).map(([key, item]) => `${quote(key)}: ${pythonRepr(item)}`);
  return `{${entries.join(', ')}}`;
}

function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll(mark, `\\${mark}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  return mark + escaped + mark;
}

function notA(name: string, wanted: string, value: unknown): ConversionError {
  const argument = name === 'int' ? 'int() argument' : 'float() argument';
  return new ConversionError('TypeError', `${argument} must be ${wanted}, not '${pythonTypeName(value)}'`);
}

export function pythonTypeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return (
    { string: 'str', boolean: 'bool', object: 'dict' }[typeof value as 'string' | 'boolean' | 'object'] ??
    'object'
  );
}
