import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  preValidationAsyncHookHandler,
} from 'fastify';
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';

import { type Actor, actorOf } from '../platform/http/actor.ts';
import type { Access, App } from '../platform/http/route-config.ts';
import { present } from './present.ts';

export const PARAMETERS = {
  publisherId: 'Id of the publisher.',
  nodeId: 'Id of the node.',
  versionId: 'The id of the version, not its number.',
  version: 'The number, such as 1.2.3.',
  memberId: 'Id of the membership, not of the user.',
  tokenId: 'Id of the token, from the list.',
  comfyNodeName: 'Name of the inner node, in exactly this case.',
} as const;

type ParameterOf<Url> = Url extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<Rest>
  : Url extends `${string}:${infer Name}`
    ? Name
    : never;

type Answers = Readonly<Record<number, TSchema>>;

interface Call<Url, Query extends TProperties, Body extends TSchema, Who extends Access> {
  readonly params: Readonly<Record<ParameterOf<Url>, string>>;
  readonly query: Static<TObject<Query>>;
  readonly body: Static<Body>;
  readonly actor: Who extends 'user' ? Actor : Actor | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface Definition<
  Url,
  Query extends TProperties,
  Body extends TSchema,
  Reply extends Answers,
  Who extends Access,
> extends Pick<FastifyContextConfig, 'failures' | 'session' | 'errorShape'> {
  readonly operation: string;
  readonly summary: string;
  readonly description: string;
  /** `user` unless given. */
  readonly access?: Who;
  readonly tag?: 'registry' | 'administration';
  readonly hide?: boolean;
  readonly exposeHeadRoute?: boolean;
  readonly preValidation?: preValidationAsyncHookHandler;
  readonly query?: Query;
  readonly body?: Body;
  /** By status; the lowest is the one of a request that succeeds. */
  readonly response: Reply;
  readonly handle: (
    call: Call<Url, Query, Body, Who>,
  ) => Promise<Static<Reply[keyof Reply & number]> | FastifyReply | void>;
}

/** Declares routes of the registry: parameters come from the path, the status from the lowest in `response`. */
export function createRouteDefiner(app: App) {
  return <
    const Url extends string,
    Reply extends Answers,
    Query extends TProperties = TProperties,
    Body extends TSchema = TSchema,
    const Who extends Access = 'user',
  >(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: Url,
    definition: Definition<Url, Query, Body, Reply, Who>,
  ): void => {
    const { query, body, response, access = 'user', tag = 'registry', hide, handle, ...rest } = definition;
    const { operation, failures, session, errorShape, summary, description, ...options } = rest;
    const [status = '200'] = Object.keys(response);
    const schema: FastifySchema = present({
      summary,
      description,
      tags: [tag],
      hide,
      params: parametersOf(url),
      querystring: query && Type.Object(query),
      body,
      response,
    });
    app.route({
      method,
      url,
      ...options,
      config: present({ operation, access, failures, session, errorShape }),
      schema,
      handler: async (request, reply) => {
        const actor = access === 'user' ? actorOf(request) : request.actor;
        const call = {
          params: request.params,
          query: request.query,
          body: request.body,
          actor,
          request,
          reply,
        };
        const answer = await handle(call as unknown as Call<Url, Query, Body, Who>);
        return status === '200' ? answer : await reply.code(Number(status)).send(answer ?? null);
      },
    });
  };
}

function parametersOf(url: string): TObject | undefined {
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof typeof PARAMETERS);
  if (names.length === 0) return undefined;
  return Type.Object(
    Object.fromEntries(names.map((name) => [name, Type.String({ description: PARAMETERS[name] })])),
  );
}
