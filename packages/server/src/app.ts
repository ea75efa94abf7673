import cors from '@fastify/cors';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';

import packageJson from '../package.json' with { type: 'json' };
import type { Health } from './platform/health.ts';
import { answerClientError, refuseExpectation } from './platform/http/client-errors.ts';
import { describeAnswers } from './platform/http/description/describe-answers.ts';
import { describeApi, descriptionRoutes } from './platform/http/description/describe-api.ts';
import { handleError, unknownRoute } from './platform/http/error-handler.ts';
import { answerExpectContinue, askForBody } from './platform/http/expect-continue.ts';
import { acceptJsonBodies } from './platform/http/json-body.ts';
import { type OperationParts, operationRoutes } from './platform/http/operation.routes.ts';
import { addRequestHooks, type HookParts, nameRequests } from './platform/http/request-hooks.ts';
import { requestId } from './platform/http/request-id.ts';
import type { App } from './platform/http/route-config.ts';
import { createSerializerCompiler } from './platform/http/serialization.ts';
import { createValidatorCompiler } from './platform/http/validation.ts';

interface Parts extends HookParts, Pick<OperationParts, 'hasConsole'> {
  readonly health: OperationParts['health'] & Pick<Health, 'note'>;
  readonly publicUrl: string | undefined;
  readonly trustedProxies: readonly string[];
  /** Maps the URL of a request to that of its route. */
  readonly rewriteUrl: (url: string) => string;
  /** The areas' routes, in no particular order. */
  readonly routes: readonly ((app: App) => Promise<void>)[];
}

/** A constant, because it is sent with every answer. */
const EXPOSED_HEADERS =
  'accept-ranges, content-disposition, content-range, etag, retry-after, x-comfy-request-id, x-request-id';
/** Long enough for file names in signed links. */
const MAX_PARAMETER_LENGTH = 1024;

/** The HTTP server: hooks, error rendering, descriptions and the areas' routes. */
export async function createApp(parts: Parts): Promise<App> {
  const { log, metrics, health, publicUrl, hasConsole, trustedProxies, rewriteUrl, shouldUpgrade } = parts;
  const loggerInstance: FastifyBaseLogger = log;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger per request would cost more than the lines that most requests do not write.
    childLoggerFactory: (logger) => logger,
    genReqId: requestId,
    rewriteUrl: ({ url = '/' }) => rewriteUrl(url),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestTimeout: 120_000,
    frameworkErrors: (error, request, reply) => void handleError(error, request, reply),
    clientErrorHandler: answerClientError,
    // Node would refuse a missing host with an empty answer; ours says why.
    http: { requireHostHeader: false, shouldUpgradeCallback: shouldUpgrade },
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.setValidatorCompiler(createValidatorCompiler());
  app.setSerializerCompiler(createSerializerCompiler());
  app.setErrorHandler(handleError);
  // For plugins that serve files. Other unknown paths are refused before the body is read.
  app.setNotFoundHandler((request) => {
    throw unknownRoute(request);
  });
  app.server.on('checkExpectation', refuseExpectation);
  answerExpectContinue(app.server);
  app.decorateRequest('actor', undefined);
  acceptJsonBodies(app);

  app.addHook('onRoute', (route) => {
    askForBody(route);
    // Only routes of plugins have no operation.
    if (route.config?.operation !== undefined) describeAnswers(route);
    else if (!route.url.startsWith('/docs') && route.method !== 'OPTIONS')
      throw new Error(`${route.url} has no operation`);
  });

  app.addHook('onError', async (_request, _reply, error) => health.note(error));
  nameRequests(app);
  // Clients of the registry run in browsers on other sites. They send keys, never our cookie.
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
    strictPreflight: false,
  });
  addRequestHooks(app, parts);
  await describeApi(app, publicUrl);
  await operationRoutes({ metrics, health, hasConsole, version: packageJson.version })(app);
  for (const register of parts.routes) await register(app);
  await descriptionRoutes(app);
  await app.ready();
  return app;
}
