import { isObject } from '@atelier/contracts/is-object';

/** What the editor wrote of a node's widgets: values in their order, by their name, or both. */
export interface SavedValues {
  readonly list: readonly unknown[] | undefined;
  readonly named: ReadonlyMap<string, unknown> | undefined;
}

/**
 * Newer editors write names beside the list, in the same order. The list is what they read back, so it has the values;
 * the names say what they are of, whatever widgets the node type has now.
 */
export function toSavedValues(values: unknown, names: unknown): SavedValues {
  if (isObject(values)) return { list: undefined, named: new Map(Object.entries(values)) };
  const list: readonly unknown[] | undefined = Array.isArray(values) ? values : undefined;
  if (!isObject(names)) return { list, named: undefined };
  if (!list) return { list, named: new Map(Object.entries(names)) };
  const keys = Object.keys(names);
  // Two widgets of one name are one key, and keys that are numbers are out of order.
  const isSure = keys.length === list.length && !keys.some((key) => /^\d+$/.test(key));
  return { list, named: isSure ? new Map(keys.map((key, index) => [key, list[index]])) : undefined };
}
