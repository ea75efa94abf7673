import type { FastifyRequest } from 'fastify';

/** Public clients say `null` for what they do not know; here absent and null are the same. */
export async function withoutNulls(request: FastifyRequest): Promise<void> {
  request.body = dropNulls(request.body);
}

/** The value without null at any depth: as a member it is left out, and so it is as an element. */
export function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((element) => element !== null).map(withoutNull);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([key, member]) => [key, withoutNull(member)]),
  );
}

function dropNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([key, member]) => [key, dropNulls(member)]),
  );
}
