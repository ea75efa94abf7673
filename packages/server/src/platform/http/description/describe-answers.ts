import {
  CodeErrorBody,
  DetailsErrorBody,
  EnvelopeErrorBody,
  ErrorBody,
  PromptErrorBody,
} from '@atelier/contracts';
import type { RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';

import { type ErrorShape, shapeOfPath } from '../error-shapes.ts';

const BODY_OF_SHAPE: Readonly<Record<ErrorShape, TSchema>> = {
  error: ErrorBody,
  details: DetailsErrorBody,
  code: CodeErrorBody,
  prompt: PromptErrorBody,
  envelope: EnvelopeErrorBody,
};

const MEANING: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  400: 'The request is malformed or not valid.',
  401: 'The credential is missing, wrong or expired.',
  402: 'Not enough credits, or no active subscription.',
  403: 'The caller may not do this.',
  404: 'There is no such thing, or it is not yours.',
  409: 'In conflict with the present state.',
  412: 'A condition of the request is not met.',
  413: 'The body is too large.',
  415: 'The content type is not accepted.',
  416: 'The range lies outside of the file.',
  422: 'The request can be read, but not done as it is.',
  431: 'The headers are too large.',
  429: 'Too many; the Retry-After header says when to try again.',
  503: 'Something that the answer depends on is out of reach; try again.',
  507: 'The disk of the server is full or almost full; nothing was saved.',
  500: 'A failure inside the server; the message names the id in its log.',
};

/**
 * Completes a route's description with the meaning of every answer and with all failures that such a route can have: 401 and
 * 403 with a credential, 413 and 415 with a body, and those in `config.failures`.
 */
export function describeAnswers(route: RouteOptions): void {
  const { config, schema = {} } = route;
  const codes = new Set([400, 431, 500, 503, 507, ...(config?.failures ?? [])]);
  if (config?.access === 'user' || config?.access === 'local') for (const code of [401, 403]) codes.add(code);
  if (['POST', 'PUT', 'PATCH', 'DELETE'].includes(String(route.method))) {
    for (const code of [413, 415]) codes.add(code);
  }
  const failures = [...codes].map((code) => [code, failureSchema(route, code)] as const);
  const answers = Object.entries((schema.response ?? {}) as Record<string, TSchema>).map(
    ([code, answer]) => [code, { description: MEANING[Number(code)], ...answer }] as const,
  );
  route.schema = { ...schema, response: Object.fromEntries([...failures, ...answers]) };
}

/** One object for each status and shape, so that its serializer is compiled once. */
const FAILURES = new Map<string, TSchema>();

function failureSchema(route: RouteOptions, code: number): TSchema {
  const configured = route.config?.errorShape;
  const shape = typeof configured === 'string' ? configured : (configured?.[code] ?? shapeOfPath(route.url));
  const make = () => ({ ...BODY_OF_SHAPE[shape], description: MEANING[code] ?? 'A failure.' });
  return FAILURES.getOrInsertComputed(`${shape} ${code}`, make);
}
