import type { FastifyRequest } from 'fastify';

/** Deeper than any of our fields, and far from exhausting the stack. */
const MAX_DEPTH = 100;

/** Public clients send `null` for unknown fields; here null means absent. */
export async function withoutNulls(request: FastifyRequest): Promise<void> {
  request.body = dropNulls(request.body, 'members');
}

/** Removes null members and elements at any depth. */
export function withoutNull(value: unknown): unknown {
  return dropNulls(value, 'members and elements');
}

function dropNulls(value: unknown, which: 'members' | 'members and elements', depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  const inner = (member: unknown) => dropNulls(member, which, depth + 1);
  if (Array.isArray(value)) {
    return (which === 'members' ? value : value.filter((element) => element !== null)).map(inner);
  }
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([key, member]) => [key, inner(member)]));
}
