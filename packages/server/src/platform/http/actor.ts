import type { Scope } from '@atelier/contracts';
import type { FastifyRequest } from 'fastify';

import { AppError } from '../errors/app-error.ts';

/** Who makes a request, as far as any area needs to know. */
export interface Actor {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** `user` for an administrator's key without the scope `admin`, so that no question about the role has to know of scopes. */
  readonly role: 'user' | 'admin';
  /** On the command line of the installation. The id is `operator:<name>`, and there is no such user. */
  readonly isOperator?: true;
  /** Of a key that is limited to them; absent for everybody else. */
  readonly scopes?: readonly Scope[];
}

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | undefined;
  }
}

/** The caller of a route that needs one. A public route that asks is a mistake of ours. */
export function actorOf(request: FastifyRequest): Actor {
  if (!request.actor) throw new Error(`${request.routeOptions.config.operation} has no caller`);
  return request.actor;
}

export function requireAdmin(actor: Actor): void {
  if (actor.role !== 'admin') {
    throw new AppError('auth.forbidden', 'Only administrators may do this.');
  }
}
