import { present } from '@atelier/contracts/present';
import type { FastifyContextConfig, FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify';
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';

import { type Actor, actorOf } from './actor.ts';
import type { Access, App } from './route-config.ts';

/** The description or the schema of each path parameter. */
type Parameters = Readonly<Record<string, string | TSchema>>;
type Answers = Readonly<Record<number, TSchema>>;
type Config = Omit<FastifyContextConfig, 'operation' | 'access'>;

type ParameterOf<Url> = Url extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<Rest>
  : Url extends `${string}:${infer Name}`
    ? Name
    : never;
type Value<Given> = Given extends string ? string : Given extends TSchema ? Static<Given> : never;

interface Call<Params, Query extends TProperties, Body extends TSchema, Who extends Access> {
  readonly params: Params;
  readonly query: Static<TObject<Query>>;
  readonly body: Static<Body>;
  readonly actor: Who extends 'user' ? Actor : Actor | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type Options = Pick<RouteOptions, 'bodyLimit' | 'exposeHeadRoute' | 'onRequest' | 'preValidation'> &
  Pick<RouteOptions, 'validatorCompiler'>;

interface Definition<
  Params,
  Query extends TProperties,
  Body extends TSchema,
  Reply extends Answers,
  Who extends Access,
> extends Config,
    Options {
  readonly operation: string;
  readonly summary?: string;
  readonly description?: string;
  /** `user` unless given. */
  readonly access?: Who;
  /** Replaces the default. */
  readonly tag?: string;
  readonly hide?: boolean;
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
  readonly headers?: TSchema;
  readonly query?: Query;
  readonly body?: Body;
  /** By status; the lowest one is that of success. */
  readonly response: Reply;
  readonly handle: (
    call: Call<Params, Query, Body, Who>,
  ) => Promise<Static<Reply[keyof Reply & number]> | FastifyReply | void>;
}

/** Shared by the routes of one definer. */
interface RouteDefaults<Known extends Parameters> extends Config {
  readonly tag: string;
  readonly parameters?: Known;
  /** Each route is registered once per mount, with the prefix before its path and the area before its operation. */
  readonly mounts?: readonly { readonly prefix: string; readonly area: string }[];
}

/** Declares routes: path parameters are found in the path, and the status is the lowest one in `response`. */
export function createRouteDefiner<const Known extends Parameters>(app: App, defaults: RouteDefaults<Known>) {
  const { tag: defaultTag, parameters, mounts, ...common } = defaults;
  return <
    const Url extends string,
    Reply extends Answers,
    Query extends TProperties = TProperties,
    Body extends TSchema = TSchema,
    const Who extends Access = 'user',
  >(
    method: HTTPMethods | HTTPMethods[],
    url: Url,
    definition: Definition<
      { readonly [Name in ParameterOf<Url>]: Name extends keyof Known ? Value<Known[Name]> : string },
      Query,
      Body,
      Reply,
      Who
    >,
  ): void => {
    const { operation, summary, description, tag = defaultTag, hide, consumes, ...others } = definition;
    const { produces, headers, query, body, response, access = 'user', handle, ...rest } = others;
    const { bodyLimit, exposeHeadRoute, onRequest, preValidation, validatorCompiler, ...config } = rest;
    const [status = '200'] = Object.keys(response);
    const schema = present({
      summary,
      description,
      tags: [tag],
      hide,
      consumes,
      produces,
      headers,
      params: parametersOf(url, parameters ?? {}),
      querystring: query && Type.Object(query),
      body,
      response,
    });
    for (const { prefix, area } of mounts ?? [{ prefix: '', area: '' }]) {
      app.route({
        method,
        url: prefix + url,
        ...present({ bodyLimit, exposeHeadRoute, onRequest, preValidation, validatorCompiler }),
        config: { ...common, ...config, access, operation: area === '' ? operation : `${area}.${operation}` },
        schema,
        handler: async (request, reply) => {
          const { params, query: asked, body: sent } = request;
          const actor = access === 'user' ? actorOf(request) : request.actor;
          const call = { params, query: asked, body: sent, actor, request, reply };
          const answer = await handle(call as never);
          if (status === '200' || reply.sent) return answer;
          return await reply.code(Number(status)).send(answer ?? null);
        },
      });
    }
  };
}

/** The response of a route without a body. */
export function done(description: string): { 204: TSchema } {
  return { 204: Type.Null({ description }) };
}

function parametersOf(url: string, known: Parameters): TObject | undefined {
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  if (names.length === 0) return undefined;
  const fields = names.map((name) => {
    const parameter = known[name];
    return [name, typeof parameter === 'object' ? parameter : Type.String({ description: parameter ?? '' })];
  });
  return Type.Object(Object.fromEntries(fields));
}
