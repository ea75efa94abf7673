import {
  RelightRequest,
  SkinCreativeRequest,
  SkinFaithfulRequest,
  SkinFlexibleRequest,
  VideoTaskRequest,
} from '@atelier/contracts';
import Fastify from 'fastify';

import { handleError } from '../../../platform/http/error-handler.ts';
import type { App } from '../../../platform/http/route-config.ts';
import { createValidatorCompiler } from '../../../platform/http/validation.ts';
import { readRelightRequest } from '../read-relight-request.ts';
import { readSkinRequest } from '../read-skin-request.ts';
import { readVideoRequest } from '../read-video-request.ts';

export type Door = 'creative' | 'faithful' | 'flexible' | 'relight' | 'text2video' | 'img2video';

interface Answer {
  readonly status: number;
  /** The request as it was read, or the sentence that refuses it. */
  readonly body: Record<string, unknown>;
}

/** The real schemas, validator and sentences, with nothing behind them. */
export function openDoors(options: { readonly acceptAliases?: boolean; readonly credits?: number } = {}) {
  const { acceptAliases = true, credits = 0 } = options;
  const app = Fastify({ bodyLimit: 8 * 1024 * 1024 }) as unknown as App;
  app.setValidatorCompiler(createValidatorCompiler());
  app.setErrorHandler(handleError);
  app.post('/creative', { schema: { body: SkinCreativeRequest } }, ({ body }) =>
    readSkinRequest({ mode: 'creative', body }, { credits }),
  );
  app.post('/faithful', { schema: { body: SkinFaithfulRequest } }, ({ body }) =>
    readSkinRequest({ mode: 'faithful', body }, { credits }),
  );
  app.post('/flexible', { schema: { body: SkinFlexibleRequest } }, ({ body }) =>
    readSkinRequest({ mode: 'flexible', body }, { credits }),
  );
  app.post('/relight', { schema: { body: RelightRequest } }, ({ body }) =>
    readRelightRequest(body, { credits }),
  );
  for (const route of ['text2video', 'img2video'] as const) {
    app.post(`/${route}`, { schema: { body: VideoTaskRequest } }, ({ body }) =>
      readVideoRequest(body, { route, acceptAliases }),
    );
  }
  return async (door: Door, payload: object): Promise<Answer> => {
    const answer = await app.inject({ method: 'POST', url: `/${door}`, payload });
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
  };
}
