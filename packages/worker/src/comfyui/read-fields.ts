import { isObject } from '@atelier/contracts/is-object';

export type Fields = Readonly<Record<string, unknown>>;

/** The fields of a JSON value that should be an object; none for anything else. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown, fallback = ''): string {
  return typeof value === 'string' ? value : fallback;
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function textsOf(value: unknown): readonly string[] {
  return listOf(value).map(String);
}

export function numberOf(value: unknown, fallback: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : fallback;
}

/** `undefined` for a text that is not JSON. */
export function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
