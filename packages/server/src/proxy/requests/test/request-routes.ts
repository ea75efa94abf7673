import { VENDOR_NAMES } from '@atelier/contracts';
import Fastify from 'fastify';

import { handleError } from '../../../platform/http/error-handler.ts';
import type { App } from '../../../platform/http/route-config.ts';
import { createValidatorCompiler } from '../../../platform/http/validation.ts';
import { definitionOf } from '../../vendors/all-vendors.ts';

export type RequestRoute = 'creative' | 'faithful' | 'flexible' | 'relight' | 'text2video' | 'img2video';

interface Answer {
  readonly status: number;
  /** The request as it was read, or the sentence that refuses it. */
  readonly body: Record<string, unknown>;
}

/** The real schemas, validator and sentences, with nothing behind them. */
export function startRequestRoutes(
  options: { readonly acceptAliases?: boolean; readonly credits?: number } = {},
) {
  const { acceptAliases = true, credits = 0 } = options;
  const app = Fastify({ bodyLimit: 8 * 1024 * 1024 }) as unknown as App;
  app.setValidatorCompiler(createValidatorCompiler());
  app.setErrorHandler(handleError);
  const prices = { 'skin-enhancer': credits, 'image-relight': credits };
  for (const [name, { body, read }] of VENDOR_NAMES.flatMap((vendor) =>
    Object.entries(definitionOf(vendor).creates),
  )) {
    app.post(`/${name.replace('skin.', '')}`, { schema: { body } }, (request) =>
      read(request.body, { prices, acceptAliases }),
    );
  }
  return async (route: RequestRoute, payload: object): Promise<Answer> => {
    const answer = await app.inject({ method: 'POST', url: `/${route}`, payload });
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
  };
}
