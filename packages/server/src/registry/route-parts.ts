import type { FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';

import { createRouteDefiner } from '../platform/http/define-route.ts';
import type { App } from '../platform/http/route-config.ts';

export const MAX_LIMIT = 1000;
const MAX_PAGE = 1_000_000;

export const registryRoutes = (app: App) =>
  createRouteDefiner(app, {
    tag: 'registry',
    parameters: {
      publisherId: 'Id of the publisher.',
      nodeId: 'Id of the node.',
      versionId: 'The id of the version, not its number.',
      version: 'The number, such as 1.2.3.',
      memberId: 'Id of the membership, not of the user.',
      tokenId: 'Id of the token, from the list.',
      comfyNodeName: 'Name of the inner node, in exactly this case.',
    },
  });

export function optionalText(description: string, maxLength?: number) {
  return Type.Optional(Type.String({ ...(maxLength && { maxLength }), description }));
}

export function flag(description: string) {
  return Type.Optional(Type.Boolean({ description }));
}

export function repeatable<T extends TSchema>(schema: T) {
  return Type.Optional(Type.Union([schema, Type.Array(schema, { maxItems: 500 })]));
}

export function toList<T>(value: T | T[] | undefined): T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

export const PageParameters = pageParameters(10);

export function pageParameters(defaultLimit: number) {
  const limit = Type.Integer({ default: defaultLimit, description: `At most ${MAX_LIMIT}.` });
  return {
    page: Type.Optional(Type.Integer({ default: 1, maximum: MAX_PAGE, description: 'From 1.' })),
    limit: Type.Optional(limit),
  };
}

/** Public clients sometimes send odd values: below 1 means the default, above the maximum the maximum. */
export function toPage({ page = 1, limit = 10 }: { page?: number; limit?: number }, defaultLimit = 10) {
  return { page: Math.max(page, 1), limit: limit < 1 ? defaultLimit : Math.min(limit, MAX_LIMIT) };
}

/** The reason of a ban. The admin pages of the public registry send no body. */
export const OptionalReason = Type.Object(
  { reason: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })) },
  { title: 'OptionalReason' },
);

export function reasonIn({ reason }: { reason?: string }): string {
  return reason ?? 'Banned by an administrator.';
}

export async function bodyOrNothing(request: FastifyRequest): Promise<void> {
  request.body ??= {};
}
