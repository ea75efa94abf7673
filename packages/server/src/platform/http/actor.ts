import type { Scope } from '@atelier/contracts';
import type { FastifyRequest } from 'fastify';

import { AppError } from '../errors/app-error.ts';

/** Who makes a request. */
export interface Actor {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** `user` also for an administrator's key without the scope `admin`, so that checks of the role can ignore scopes. */
  readonly role: 'user' | 'admin';
  /** On the command line of the installation. The id is `operator:<name>`, which is no user. */
  readonly isOperator?: true;
  /** Of a limited key; absent for every other credential. */
  readonly scopes?: readonly Scope[];
}

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | undefined;
  }
}

/** The caller of a route that requires one. */
export function actorOf(request: FastifyRequest): Actor {
  if (!request.actor) throw new Error(`${request.routeOptions.config.operation} has no caller`);
  return request.actor;
}

export function requireAdmin(actor: Actor): void {
  if (actor.role !== 'admin') {
    throw new AppError('auth.forbidden', 'Only administrators may do this.');
  }
}
