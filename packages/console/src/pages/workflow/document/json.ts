import { isObject } from '@atelier/contracts/is-object';

/** A JSON object from an unchecked file. */
export type Json = Readonly<Record<string, unknown>>;

export { isObject };

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function objectsIn(value: unknown): readonly Json[] {
  return listOf(value).filter(isObject);
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A simple value as text for a field. */
export function fieldText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}
