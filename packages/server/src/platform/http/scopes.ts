import type { Scope } from '@atelier/contracts';
import type { FastifyContextConfig, FastifySchema } from 'fastify';

import { AppError } from '../errors/app-error.ts';
import type { Actor } from './actor.ts';

/** What a key with scopes needs for a route: one of them, any, or not to be limited at all. */
type Need = Scope | 'any' | 'unlimited';

/** The one place that says which scope opens what. The tag of a route decides, unless its operation stands below. */
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
  // A program may always ask whose key it has.
  'customers.me': 'any',
  // Each of these would lead from a limited key to a credential without limits.
  'customers.password': 'unlimited',
  'admin.rescue': 'unlimited',
  'admin.users.password': 'unlimited',
  'admin.users.role': 'unlimited',
};

/** A route that nobody has thought of is closed to keys with scopes. */
export function needOf({
  config,
  schema,
}: {
  readonly config?: FastifyContextConfig | undefined;
  readonly schema?: FastifySchema | undefined;
}): Need {
  const [tag = ''] = schema?.tags ?? [];
  return NEED_OF_OPERATION[config?.operation ?? ''] ?? NEED_OF_TAG[tag] ?? 'unlimited';
}

/** What operators on the command line may call. They are not users, so nothing else would know what to do with them. */
const OPERATOR_OPERATION = /^admin\.(users|jobs|keys|audit|rescue)(\.|$)/;

export function requireOperatorRoute({ config }: { readonly config?: FastifyContextConfig }): void {
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
