import type { FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';

const PublisherId = Type.String({ description: 'Id of the publisher.' });
const NodeId = Type.String({ description: 'Id of the node.' });
export const PublisherParams = Type.Object({ publisherId: PublisherId });
export const NodeParams = Type.Object({ nodeId: NodeId });
export const PublisherNodeParams = Type.Object({ publisherId: PublisherId, nodeId: NodeId });
export const OwnVersionParams = Type.Object({
  publisherId: PublisherId,
  nodeId: NodeId,
  versionId: Type.String({ description: 'The id of the version, not its number.' }),
});
export const NumberParams = Type.Object({
  nodeId: NodeId,
  version: Type.String({ description: 'The number, such as 1.2.3.' }),
});

export const TAGS = ['registry'];

const MOST_AT_ONCE = 1000;
const LAST_PAGE = 1_000_000;

/** A query parameter that may be given several times. */
export function repeatable<T extends TSchema>(schema: T) {
  return Type.Optional(Type.Union([schema, Type.Array(schema, { maxItems: 500 })]));
}

export function toList<T>(value: T | T[] | undefined): T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

export const PageParameters = {
  page: Type.Optional(Type.Integer({ default: 1, maximum: LAST_PAGE, description: 'From 1.' })),
  limit: Type.Optional(Type.Integer({ default: 10, description: `At most ${MOST_AT_ONCE}.` })),
};

/** Public clients send nonsense at times: below 1 it means the default, a limit above the bound the bound. */
export function toPage(query: { page?: number; limit?: number }, defaultLimit = 10) {
  const { page = 1, limit = defaultLimit } = query;
  return {
    page: Math.max(page, 1),
    limit: limit < 1 ? defaultLimit : Math.min(limit, MOST_AT_ONCE),
  };
}

export function done(description: string): { 204: TSchema } {
  return { 204: Type.Null({ description }) };
}

/** Why something is banned. The admin pages of the public registry send no body at all. */
export const OptionalReason = Type.Object(
  { reason: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })) },
  { title: 'OptionalReason' },
);

export function reasonIn({ reason }: { reason?: string }): string {
  return reason ?? 'Banned by an administrator.';
}

/** A missing body counts as an empty one. */
export async function bodyOrNothing(request: FastifyRequest): Promise<void> {
  request.body ??= {};
}
