export type Json = Readonly<Record<string, unknown>>;
/** Where something stands in the workflow's JSON. */
export type Path = readonly (string | number)[];

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Ids are numbers in some files and texts in others. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))
    ? String(value)
    : undefined;
}

export function at(document: unknown, path: Path): unknown {
  let found = document;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string | number, unknown>)[key];
  }
  return found;
}
