import type { Scope } from '@atelier/contracts';
import type { RouteOptions } from 'fastify';

import { AppError } from '../errors/app-error.ts';
import type { Actor } from './actor.ts';

/** What a route needs: a key with this scope, any key, or a key without scopes. */
type Need = Scope | 'any' | 'unlimited';

/** Which scope opens what. The tag of a route decides, unless its operation is listed below. */
const NEED_OF_TAG: Readonly<Record<string, Need>> = {
  workflows: 'workflows',
  'comfy api v2': 'workflows',
  'node types': 'workflows',
  assets: 'workflows',
  host: 'workflows',
  generation: 'generation',
  // Files for vendors, behind links.
  files: 'generation',
  registry: 'registry',
  accounts: 'account',
  webhooks: 'account',
  administration: 'admin',
  operation: 'admin',
};

const NEED_OF_OPERATION: Readonly<Record<string, Need>> = {
  // A program may always find out whose key it has.
  'customers.me': 'any',
  // These would turn a limited key into a credential without limits.
  'customers.password': 'unlimited',
  'admin.rescue': 'unlimited',
  'admin.users.password': 'unlimited',
  'admin.users.role': 'unlimited',
};

/** Routes that are not listed are closed to keys with scopes. */
export function needOf({ config, schema }: Pick<RouteOptions, 'config' | 'schema'>): Need {
  const [tag = ''] = schema?.tags ?? [];
  return NEED_OF_OPERATION[config?.operation ?? ''] ?? NEED_OF_TAG[tag] ?? 'unlimited';
}

/** What operators on the command line may call. Other routes expect a user, which operators are not. */
const OPERATOR_OPERATION = /^admin\.(users|jobs|keys|audit|rescue)(\.|$)/;

export function requireOperatorRoute({ config }: Pick<RouteOptions, 'config'>): void {
  if (OPERATOR_OPERATION.test(config?.operation ?? '')) return;
  throw new AppError('auth.forbidden', 'Operators administer users, their jobs and keys, and nothing else.');
}

export function hasScope({ scopes }: Pick<Actor, 'scopes'>, need: Need): boolean {
  return scopes === undefined || need === 'any' || (need !== 'unlimited' && scopes.includes(need));
}

export function requireScope(actor: Pick<Actor, 'scopes'>, need: Need): void {
  if (hasScope(actor, need)) return;
  throw new AppError(
    'auth.scope',
    need === 'unlimited'
      ? 'A key with scopes may not do this. Sign in, or use a key without scopes.'
      : `This needs the scope "${need}", which the key does not have. Use another key.`,
  );
}
