import type { IncomingMessage } from 'node:http';
import cors from '@fastify/cors';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger, type FastifyRequest, LogController } from 'fastify';

import packageJson from '../package.json' with { type: 'json' };
import type { FreeSpace } from './platform/free-space.ts';
import type { Health } from './platform/health.ts';
import type { Actor } from './platform/http/actor.ts';
import { answerClientError, refuseExpectation } from './platform/http/client-errors.ts';
import { describeAnswers } from './platform/http/description/describe-answers.ts';
import { describeApi, descriptionRoutes } from './platform/http/description/describe-api.ts';
import { handleError, unknownRoute } from './platform/http/error-handler.ts';
import { answerExpectContinue, askForBody } from './platform/http/expect-continue.ts';
import { acceptJsonBodies } from './platform/http/json-body.ts';
import { operationRoutes } from './platform/http/operation.routes.ts';
import { addRequestHooks, nameRequests } from './platform/http/request-hooks.ts';
import { requestId } from './platform/http/request-id.ts';
import type { App } from './platform/http/route-config.ts';
import { createSerializerCompiler } from './platform/http/serialization.ts';
import { createValidatorCompiler } from './platform/http/validation.ts';
import type { Logger } from './platform/log/create-logger.ts';
import type { Metrics } from './platform/metrics/create-metrics.ts';

interface Parts {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly health?: Health;
  readonly space?: Pick<FreeSpace, 'refusal'>;
  readonly publicUrl: string | undefined;
  /** Browsers that come to `/` are led to it. */
  readonly hasConsole?: boolean;
  readonly trustedProxies: readonly string[];
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>;
  /** The caller of a route that is open to everybody, when it says who it is. */
  readonly identify: (request: FastifyRequest) => Promise<Actor | undefined>;
  /** Whether a request with an `Upgrade` header is one that some route will answer with another protocol. */
  readonly shouldUpgrade?: (request: IncomingMessage) => boolean;
  /** The address of the route that a request means. */
  readonly rewriteUrl?: (url: string) => string;
  /** The areas' routes, in no particular order. */
  readonly routes: readonly ((app: App) => Promise<void>)[];
}

const WELL: Health = {
  problem: async () => undefined,
  checks: async () => ({}),
  note() {},
  noteRefusedFile() {},
  drain() {},
  isDraining: () => false,
};
/** One text, which is not put together anew for every answer. */
const EXPOSED_HEADERS =
  'accept-ranges, content-disposition, content-range, etag, retry-after, x-comfy-request-id, x-request-id';
/** Long enough for file names in signed links. */
const MAX_PARAMETER_LENGTH = 1024;

/** The HTTP server: hooks, error rendering, descriptions and the areas' routes. */
export async function createApp(parts: Parts): Promise<App> {
  const {
    log,
    metrics,
    health = WELL,
    space = { refusal: async () => undefined },
    publicUrl,
    trustedProxies,
    authenticate,
    identify,
    routes,
    hasConsole = false,
    shouldUpgrade = () => false,
    rewriteUrl = (url) => url,
  } = parts;
  const loggerInstance: FastifyBaseLogger = log;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger of its own for each request costs more than the lines that most requests do not write.
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
    // Node would refuse it with an empty answer; ours says why.
    http: { requireHostHeader: false, shouldUpgradeCallback: shouldUpgrade },
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.setValidatorCompiler(createValidatorCompiler());
  app.setSerializerCompiler(createSerializerCompiler());
  app.setErrorHandler(handleError);
  // Thrown before the body is read; plugins that serve files come here on their own.
  app.setNotFoundHandler((request) => {
    throw unknownRoute(request);
  });
  app.server.on('checkExpectation', refuseExpectation);
  answerExpectContinue(app.server);
  app.decorateRequest('actor', undefined);
  acceptJsonBodies(app);

  app.addHook('onRoute', (route) => {
    askForBody(route);
    // Plugins bring routes of their own; every route of ours has a name and says who may call it.
    if (route.config?.operation !== undefined) describeAnswers(route);
    else if (!route.url.startsWith('/docs') && route.method !== 'OPTIONS')
      throw new Error(`${route.url} has no operation`);
  });

  app.addHook('onError', async (_request, _reply, error) => health.note(error));
  nameRequests(app);
  // Public clients of the registry run in browsers on other sites. They send keys, never our cookie.
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
    strictPreflight: false,
  });
  addRequestHooks(app, { log, metrics, authenticate, identify, shouldUpgrade, refusal: space.refusal });
  await describeApi(app, publicUrl);
  await operationRoutes({ metrics, health, hasConsole, version: packageJson.version })(app);
  for (const register of routes) await register(app);
  await descriptionRoutes(app);
  await app.ready();
  return app;
}
