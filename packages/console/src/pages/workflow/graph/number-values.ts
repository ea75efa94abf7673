import type { Input } from '@atelier/engine/editor-format';

export type NumberInput = Extract<Input, { readonly kind: 'int' | 'float' }>;

/** Parses typed text as a value within its bounds, exact for any size; `undefined` if it is not a number. */
export function parseNumber(text: string, input: NumberInput): number | bigint | undefined {
  const trimmed = text.trim().replace(',', '.');
  if (input.kind === 'int' && /^[+-]?\d+$/.test(trimmed)) {
    const number = Number(trimmed);
    return within(Number.isSafeInteger(number) ? number : BigInt(trimmed), input);
  }
  const number = Number(trimmed);
  if (trimmed === '' || !Number.isFinite(number)) return undefined;
  return within(input.kind === 'int' ? Math.round(number) : number, input);
}

/** Steps up or down, without floating-point noise. */
export function stepBy(value: unknown, steps: number, input: NumberInput): number | bigint {
  const { step = input.kind === 'int' ? 1 : 0.1 } = input.options;
  if (typeof value === 'bigint') return within(value + BigInt(Math.round(steps * step)), input);
  const decimals = Math.min(12, (String(step).split('.')[1] ?? '').length + 2);
  return within(Number((Number(value ?? 0) + steps * step).toFixed(decimals)), input);
}

function within(value: number | bigint, { options: { min, max } }: NumberInput): number | bigint {
  if (min !== undefined && value < min) return min;
  return max !== undefined && value > max ? max : value;
}
