type Search = Readonly<Record<string, unknown>>;

/** A string search parameter; `undefined` if it is not a string. */
export function text<const Name extends string>(search: Search, name: Name): { [Key in Name]?: string } {
  const value = search[name];
  // The router reads `7` as a number.
  const isText = (typeof value === 'string' && value !== '') || typeof value === 'number';
  return (isText ? { [name]: String(value) } : {}) as { [Key in Name]?: string };
}

/** A search parameter with fixed values; `undefined` for any other value. */
export function anyOf<const Name extends string, const Word extends string>(
  search: Search,
  name: Name,
  words: readonly Word[],
): { [Key in Name]?: Word } {
  const value = words.find((word) => word === search[name]);
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Word };
}
