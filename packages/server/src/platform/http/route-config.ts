import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';

import type { ErrorShape } from './error-shapes.ts';

/** The Fastify instance of routes: schemas give the types of requests and answers. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

export type Routes<Parts> = (parts: Parts) => (app: App) => Promise<void>;

/**
 * `public` needs no credential; `optional` shows more with one; `user` needs any account; `local` is open to callers on this
 * machine and administrators. Services check for the role of an administrator, after 404 and before 409.
 */
export type Access = 'public' | 'optional' | 'user' | 'local';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Stable dotted name: the label of metrics and logs, and the operation's id in the API description. */
    readonly operation?: string;
    readonly access?: Access;
    /** Also accepts the credential as `token` in the query, because browsers cannot send headers here. */
    readonly tokenInQuery?: boolean;
    /** Also accepts the credential of an unfinished job: partner nodes call this for the submitter. */
    readonly jobCredential?: boolean;
    /** The shape of errors; by default that of the path. */
    readonly errorShape?: ErrorShape | Readonly<Record<number, ErrorShape>>;
    /** Brings new work or files, and is refused while the disk is almost full. */
    readonly needsSpace?: boolean;
    readonly failures?: readonly number[];
  }
}
