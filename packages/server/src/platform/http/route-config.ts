import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';

import type { ErrorShape } from './error-shapes.ts';

/** The Fastify instance as routes see it: schemas give the types of request and answer. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

export type Routes<Parts> = (parts: Parts) => (app: App) => Promise<void>;

/**
 * `public` needs no credential; `optional` sees more with one; `user` needs any account; `local` is open to callers on this machine and to
 * administrators. The role of an administrator is asked for in the service, after 404 and before 409.
 */
export type Access = 'public' | 'optional' | 'user' | 'local';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Stable dotted name: the label of metrics and logs, and the operation's id in the API description. */
    readonly operation?: string;
    readonly access?: Access;
    /** The credential may stand in the query, as `token`: a browser cannot send headers here. */
    readonly tokenInQuery?: boolean;
    /** The credential of an unfinished job is accepted too: partner nodes call this in the submitter's name. */
    readonly jobCredential?: boolean;
    /** How failures look; by default the shape of the area that the path belongs to. */
    readonly errorShape?: ErrorShape | Readonly<Record<number, ErrorShape>>;
    /** Brings new work or files, so it is refused while the disk is almost full. */
    readonly needsSpace?: boolean;
    readonly failures?: readonly number[];
  }
}
