import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { after, before, describe, it } from 'node:test';
import { temporaryFolder } from '@atelier/testing';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { Ajv, type AnySchema } from 'ajv';
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';

import { type Atelier, compose } from './compose.ts';
import { loadConfig } from './config/load-config.ts';
import { createValidatorCompiler } from './platform/http/validation.ts';
import { createLogger } from './platform/log/create-logger.ts';

const PARTS = ['params', 'querystring', 'headers', 'body'] as const;
const INITIALISED = 'fastify.initialization';

/** A running server compiles a schema at its first use; a mistake in one must be found without that use. */
describe('the schemas of all routes', () => {
  const cleanUp = new AsyncDisposableStack();
  const routes: RouteOptions[] = [];
  let atelier: Atelier | undefined;

  before(async () => {
    const folder = cleanUp.use(await temporaryFolder());
    const collect = (message: unknown): void => {
      const { fastify } = message as { fastify: FastifyInstance };
      fastify.addHook('onRoute', (route) => {
        if (route.config?.operation !== undefined && route.method !== 'HEAD') routes.push(route);
      });
    };
    subscribe(INITIALISED, collect);
    atelier = await compose(loadConfig({ ATELIER_DATA_DIR: folder.path }), createLogger('silent'));
    unsubscribe(INITIALISED, collect);
  });
  after(async () => {
    await atelier?.app.close();
    await atelier?.release();
    await cleanUp.disposeAsync();
  });

  it('are those of the whole service', () => {
    const operations = new Set(routes.map(({ config }) => config?.operation));
    for (const operation of ['describe.service', 'cloud.prompt.submit', 'host.prompt.submit']) {
      assert.ok(operations.has(operation), operation);
    }
  });

  it('are JSON schemas', () => {
    const ajv = new Ajv();
    for (const route of routes) {
      const { params, querystring, headers, body, response } = route.schema ?? {};
      const answers = Object.values(response ?? {}).flatMap(schemasOf);
      for (const schema of [params, querystring, headers, body, ...answers]) {
        if (schema === undefined) continue;
        assert.ok(ajv.validateSchema(schema as AnySchema), `${nameOf(route)}: ${ajv.errorsText()}`);
      }
    }
  });

  it('can be checked against', () => {
    const shared = createValidatorCompiler();
    for (const route of routes) {
      const compile = route.validatorCompiler ?? shared;
      for (const httpPart of PARTS) {
        const schema = route.schema?.[httpPart] as (FastifySchema & TSchema) | undefined;
        if (schema === undefined) continue;
        const validate = compile({ schema, httpPart, method: String(route.method), url: route.url });
        assert.doesNotThrow(() => void validate({}), `${nameOf(route)}: ${httpPart}`);
      }
    }
  });

  it('can be written by', () => {
    const compile = SerializerSelector()({});
    for (const route of routes) {
      for (const [httpStatus, answer] of Object.entries(route.schema?.response ?? {})) {
        for (const schema of schemasOf(answer)) {
          const definition = { schema, httpStatus, method: String(route.method), url: route.url };
          assert.doesNotThrow(() => void compile(definition), `${nameOf(route)}: ${httpStatus}`);
        }
      }
    }
  });
});

/** An answer has one schema, or one for each media type. */
function schemasOf(answer: unknown): unknown[] {
  const { content } = answer as { content?: Readonly<Record<string, { schema: unknown }>> };
  return content ? Object.values(content).map(({ schema }) => schema) : [answer];
}

function nameOf({ method, url }: RouteOptions): string {
  return `${String(method)} ${url}`;
}
