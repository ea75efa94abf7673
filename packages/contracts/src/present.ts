/** Leaves out fields without a value, because public clients fail on null. */
export function present<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const known = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(known) as { [K in keyof T]?: NonNullable<T[K]> };
}
