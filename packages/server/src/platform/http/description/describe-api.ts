import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { RouteOptions } from 'fastify';

import { Type } from 'typebox';
import { createRouteDefiner } from '../define-route.ts';
import { unknownRoute } from '../error-handler.ts';
import type { App } from '../route-config.ts';
import { needOf } from '../scopes.ts';
import { withoutNulls } from '../without-nulls.ts';
import { addExamples } from './add-examples.ts';
import { tidyDescription } from './tidy-description.ts';

/** In the order of the page. */
const TAGS = [
  { name: 'workflows', description: 'Submit, watch and cancel jobs.' },
  { name: 'node types', description: 'What workflows are made of.' },
  { name: 'assets', description: 'Uploads and outputs, with names, tags and notes.' },
  { name: 'comfy api v2', description: 'The same jobs and assets, for the official Comfy SDKs.' },
  { name: 'generation', description: 'Tasks of image and video vendors.' },
  { name: 'registry', description: 'Publishers, nodes, versions and what they contain.' },
  { name: 'webhooks', description: 'Signed notifications and the log of their deliveries.' },
  { name: 'accounts', description: 'Signing in, API keys, credits.' },
  { name: 'administration', description: 'For administrators: users, subscriptions, credits.' },
  { name: 'host', description: 'What ComfyUI serves beside workflows and its frontend asks for.' },
  { name: 'files', description: 'Stored files behind signed links.' },
  { name: 'operation', description: 'Health, metrics and these descriptions.' },
];

const SECURITY = [{ bearer: [] }, { apiKey: [] }, { basic: [] }, { session: [] }];

/** The page loads nothing from elsewhere and works over plain HTTP. Its scripts set styles. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const LOGO = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="150" height="40"><text x="0" y="28" font-family="Georgia, serif" font-size="28" fill="#fff">Atelier</text></svg>',
);

type Decorator = 'describeService' | 'describeCloud';

declare module 'fastify' {
  interface FastifyInstance {
    describeService(): object;
    describeCloud(): object;
  }
}

/** Collects all later routes into the two descriptions: the cloud, and everything else. */
export async function describeApi(app: App, publicUrl: string | undefined): Promise<void> {
  const servers = [{ url: publicUrl ?? '/', description: 'This server' }];
  const service = describing('describeService', (url) => !isCloud(url), {
    openapi: '3.0.2',
    info: {
      title: 'Atelier: registry and generation proxy',
      version: '1.0',
      description: 'Accounts, node registry and generation proxy of an Atelier server.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers,
  });
  const cloud = describing('describeCloud', isCloud, {
    openapi: '3.1.0',
    info: {
      title: 'Atelier: workflow cloud',
      version: '1.0',
      description: 'The workflow cloud of an Atelier server. Experimental: it may change without notice.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers,
  });
  await app.register(swagger, service);
  await app.register(swagger, cloud);
}

/** Serves both descriptions, and a page that shows them. */
export async function descriptionRoutes(app: App): Promise<void> {
  const route = createRouteDefiner(app, { tag: 'operation' });
  for (const [url, decorator, operation, scope] of [
    [
      '/openapi',
      'describeService',
      'describe.service',
      'all routes outside `/api`; the others are at `/api/openapi.json`',
    ],
    [
      '/api/openapi.json',
      'describeCloud',
      'describe.cloud',
      '`/ws` and all routes below `/api`; the others are at `/openapi`',
    ],
  ] as const) {
    let text: string | undefined;
    route('GET', url, {
      operation,
      access: 'public',
      summary: 'This API in OpenAPI form',
      description: `Describes ${scope}. The page \`/docs\` shows both documents.`,
      response: { 200: Type.Unsafe<string>({ type: 'object', description: 'OpenAPI document.' }) },
      handle: async ({ reply }) => {
        text ??= JSON.stringify(app[decorator]());
        return await reply.type('application/json; charset=utf-8').serializer(String).send(text);
      },
    });
  }

  await app.register(async (docs) => {
    // The plugin adds its own copies of a description, which are not part of the API.
    docs.addHook('onRequest', (request, _reply, done) => {
      done(/^\/docs\/(json|yaml)(\?|$)/.test(request.url) ? unknownRoute(request) : undefined);
    });
    await docs.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: DOCS_POLICY,
      theme: { title: 'Atelier API' },
      logo: { type: 'image/svg+xml', content: LOGO, href: '/docs/' },
      uiConfig: {
        urls: [
          { name: 'Workflow cloud', url: '/api/openapi.json' },
          { name: 'Registry and proxy', url: '/openapi' },
        ],
        docExpansion: 'list',
        persistAuthorization: true,
        validatorUrl: null,
      },
    });
  });
}

function describing(
  decorator: Decorator,
  belongs: (url: string) => boolean,
  openapi: FastifyDynamicSwaggerOptions['openapi'],
): FastifyDynamicSwaggerOptions {
  const is30 = openapi?.openapi?.startsWith('3.0') ?? false;
  return {
    decorator,
    openapi: {
      ...openapi,
      tags: TAGS,
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          basic: { type: 'http', scheme: 'basic', description: 'The API key as the password.' },
          session: { type: 'apiKey', in: 'cookie', name: 'atelier_session' },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const { config } = route;
      if (config?.operation === undefined || !belongs(url)) return { schema: { ...schema, hide: true }, url };
      const isOpen = config.access === 'public' || config.access === 'optional';
      const security = isOpen ? [] : SECURITY;
      const body = dropsNulls(route) ? { body: withNulls(schema?.body, is30) } : {};
      const scope = security.length > 0 ? { 'x-scope': needOf(route) } : {};
      return { schema: { ...schema, ...body, operationId: config.operation, security, ...scope }, url };
    },
    transformObject(document) {
      if (!('openapiObject' in document)) return document.swaggerObject;
      addExamples(document.openapiObject);
      return tidyDescription(document.openapiObject);
    },
  };
}

function dropsNulls({ preValidation }: RouteOptions): boolean {
  return [preValidation].flat().some((hook) => (hook as unknown) === withoutNulls);
}

/** The schema of a body whose optional members may be null, in the words of OpenAPI 3.0 or 3.1. */
function withNulls(schema: unknown, is30: boolean): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const {
    properties,
    required = [],
    ...rest
  } = schema as {
    properties?: Record<string, object>;
    required?: readonly string[];
  };
  if (!properties) return schema;
  const members = Object.entries(properties).map(([name, member]) => {
    const inner = withNulls(member, is30) as { type?: unknown };
    if (required.includes(name) || typeof inner.type !== 'string') return [name, inner];
    return [name, is30 ? { ...inner, nullable: true } : { ...inner, type: [inner.type, 'null'] }];
  });
  return { ...rest, ...(required.length > 0 ? { required } : {}), properties: Object.fromEntries(members) };
}

function isCloud(url: string): boolean {
  return url === '/api' || url.startsWith('/api/') || url === '/ws';
}
