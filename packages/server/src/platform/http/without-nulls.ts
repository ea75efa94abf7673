import type { FastifyRequest } from 'fastify';

/** Deeper than any field of ours, and far from where a hostile body would exhaust the stack. */
const DEEPEST = 100;

/** Public clients say `null` for what they do not know; here absent and null are the same. */
export async function withoutNulls(request: FastifyRequest): Promise<void> {
  request.body = dropNulls(request.body);
}

/** The value without null at any depth: as a member it is left out, and so it is as an element. */
export function withoutNull(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) {
    return value.filter((element) => element !== null).map((element) => withoutNull(element, depth + 1));
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([key, member]) => [key, withoutNull(member, depth + 1)]),
  );
}

function dropNulls(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((element) => dropNulls(element, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([key, member]) => [key, dropNulls(member, depth + 1)]),
  );
}
