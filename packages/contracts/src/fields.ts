import { type TProperties, Type } from 'typebox';

/** A schema under the name that it has in the API descriptions. */
export function schema<T extends TProperties>(title: string, properties: T, options: object = {}) {
  return Type.Object(properties, { title, ...options });
}

/** The same fields, none of which is required. */
export function optional<T extends TProperties>(fields: T) {
  return Type.Partial(Type.Object(fields)).properties;
}

export function oneOf<const T extends string>(
  values: readonly T[],
  options: { description?: string; default?: T } = {},
) {
  return Type.Enum(values, { type: 'string', ...options });
}

export const Timestamp = Type.String({ format: 'date-time' });

/** Not `Type.Record`: its pattern leaves out keys that have a line break. */
export function anyObject(description: string) {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });
}

export const User = Type.Object({ id: Type.String(), email: Type.Optional(Type.String()) });

/** Pages that are counted down from the newest. */
export const Before = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The `next_before` of the page before.',
});
