/** Members whose values are JSON text already. Those that are `undefined` are left out. */
export type RawMembers = Readonly<Record<string, string | undefined>>;

/** Stored JSON is put into answers as the text it is: faster than reading it, and every number stays exact. */
export function rawObject(members: RawMembers): string {
  const texts = Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : [`${JSON.stringify(name)}:${value}`],
  );
  return `{${texts.join(',')}}`;
}

export function rawList(values: readonly string[]): string {
  return `[${values.join(',')}]`;
}

export function rawText(text: string): string {
  return JSON.stringify(text);
}
