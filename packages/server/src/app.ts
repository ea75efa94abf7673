import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger, type FastifyRequest, LogController } from 'fastify';

import { AppError } from './platform/errors/app-error.ts';
import type { Actor } from './platform/http/actor.ts';
import { answerClientError } from './platform/http/client-errors.ts';
import { describeAnswers } from './platform/http/describe-answers.ts';
import { describeApi, descriptionRoutes } from './platform/http/describe-api.ts';
import { handleError, handleUnknownRoute } from './platform/http/error-handler.ts';
import { acceptJsonBodies } from './platform/http/json-body.ts';
import { isLocalCaller } from './platform/http/local-caller.ts';
import { operationRoutes } from './platform/http/operation.routes.ts';
import { requestId } from './platform/http/request-id.ts';
import type { App } from './platform/http/route-config.ts';
import { createValidatorCompiler } from './platform/http/validation.ts';
import type { Logger } from './platform/log/create-logger.ts';
import type { Metrics } from './platform/metrics/create-metrics.ts';

interface Parts {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly publicUrl: string | undefined;
  readonly trustedProxies: readonly string[];
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>;
  /** The areas' routes, in no particular order. */
  readonly routes: readonly ((app: App) => Promise<void>)[];
}

/** Long enough for file names in signed links. */
const LONGEST_PARAMETER = 1024;

/** The HTTP server: hooks, error rendering, descriptions and the areas' routes. */
export async function createApp(parts: Parts): Promise<App> {
  const { log, metrics, publicUrl, trustedProxies, authenticate, routes } = parts;
  const loggerInstance: FastifyBaseLogger = log;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestId,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestTimeout: 120_000,
    frameworkErrors: (error, request, reply) => void handleError(error, request, reply),
    clientErrorHandler: answerClientError,
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.setValidatorCompiler(createValidatorCompiler());
  app.setErrorHandler(handleError);
  app.setNotFoundHandler(handleUnknownRoute);
  app.decorateRequest('actor', undefined);
  acceptJsonBodies(app);

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    refuseUnreadable(request);
    const { access = 'public' } = request.routeOptions.config ?? {};
    if (access === 'public' || (access === 'local' && isLocalCaller(request))) return;
    request.actor = await authenticate(request);
  });
  app.addHook('onResponse', async (request, reply) => {
    const operation = request.routeOptions.config?.operation ?? 'unknown';
    metrics.observeRequest(operation, reply.statusCode, reply.elapsedTime / 1000);
    const line = { operation, status: reply.statusCode, ms: Math.round(reply.elapsedTime * 10) / 10 };
    if (request.method === 'GET' && reply.statusCode < 400) request.log.debug(line, 'request');
    else request.log.info({ ...line, userId: request.actor?.userId }, 'request');
  });
  app.addHook('onRoute', (route) => {
    // Plugins bring routes of their own; every route of ours has a name and says who may call it.
    if (route.config?.operation !== undefined) describeAnswers(route);
    else if (!route.url.startsWith('/docs')) throw new Error(`${route.url} has no operation`);
  });

  await describeApi(app, publicUrl);
  await operationRoutes({ metrics })(app);
  for (const register of routes) await register(app);
  await descriptionRoutes(app);
  await app.ready();
  return app;
}

/** What no route could make sense of. */
function refuseUnreadable(request: FastifyRequest): void {
  if (request.url.includes('%00')) {
    throw new AppError('request.malformed', 'The address contains a NUL character.');
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new AppError('request.media_type', `Send the body as it is, without Content-Encoding ${encoding}.`);
  }
}
