import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { AppError } from '../../platform/errors/app-error.ts';
import { acceptJsonText, requireStorable } from '../../platform/http/json-body.ts';
import type { App } from '../../platform/http/route-config.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A body that is not JSON counts as missing. */
    readonly lenientBody?: boolean;
  }
}

/** Accepts JSON with any content type: `curl -d` sends it as a form, for example. */
export function acceptHostBodies(app: App): void {
  acceptJsonText(app);
  app.addHook('preValidation', async (request) => {
    if (typeof request.body === 'string') request.body = parse(request, request.body);
  });
}

/** A 200 response without a body. */
export function emptyAnswer(description: string) {
  return { 200: Type.Unsafe<undefined>({ type: 'null', description }) };
}

/** A missing body counts as an empty one. */
export async function bodyOrEmpty(request: FastifyRequest): Promise<void> {
  request.body ??= {};
}

/** A body that is not an object counts as an empty one. */
export async function objectOrEmpty(request: FastifyRequest): Promise<void> {
  const { body } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) request.body = {};
}

function parse(request: FastifyRequest, text: string): unknown {
  if (text === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (request.routeOptions.config.lenientBody === true) return undefined;
    throw new AppError('request.malformed', 'The body is not valid JSON.', { cause: error });
  }
  requireStorable(text, value);
  return value;
}
