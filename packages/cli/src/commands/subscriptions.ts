import type { SetSubscription, Subscription } from '@atelier/sdk';
import { type Command, InvalidArgumentError, Option } from 'commander';

import type { Context } from '../context.ts';
import { formatTime } from '../output/formats.ts';
import { renderFacts } from '../output/render-facts.ts';
import type { WithContext } from '../program.ts';
import { findUser } from './find-user.ts';

const TIERS = ['free', 'standard', 'creator', 'pro', 'team'] as const satisfies SetSubscription['tier'][];
const USER = ['<user>', 'their id or e-mail address'] as const;

interface SetOptions {
  readonly tier: SetSubscription['tier'];
  readonly status: SetSubscription['status'];
  readonly until?: string;
}

/** For administrators. */
export function addSubscriptionCommands(program: Command, withContext: WithContext): void {
  const group = program
    .command('subscriptions')
    .summary('plans of users (administrators)')
    .description('What users may run, for administrators.');
  group
    .command('show')
    .description('Shows the plan of a user.')
    .argument(...USER)
    .action(withContext(show));
  group
    .command('set')
    .description('Gives a user a plan.')
    .argument(...USER)
    .addOption(new Option('--tier <tier>', 'the plan').choices(TIERS).makeOptionMandatory())
    .addOption(new Option('--status <status>').choices(['active', 'inactive']).default('active'))
    .option('--until <time>', 'when it ends, such as 2030-01-31; no end unless given', readTime)
    .action(withContext(set));
}

function readTime(text: string): string {
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw new InvalidArgumentError('Must be a time such as 2030-01-31 or 2030-01-31T12:00:00Z.');
}

async function show(context: Context, name: string): Promise<void> {
  const { id, subscription } = await findUser(context, name);
  context.output.result({ user_id: id, subscription }, () => describe(subscription));
}

async function set(context: Context, name: string, { tier, status, until }: SetOptions): Promise<void> {
  const { id } = await findUser(context, name);
  const plan = { tier, status, ...(until !== undefined && { period_end: until }) };
  const { users } = (await context.atelier()).admin;
  const subscription = await users.setSubscription(id, plan, { signal: context.signal });
  context.output.result({ user_id: id, subscription }, () => describe(subscription));
}

function describe({ tier, status, period_end, concurrent_jobs }: Subscription): string {
  return renderFacts([
    ['plan', tier],
    ['status', status],
    ['ends', formatTime(period_end)],
    ['jobs at once', concurrent_jobs],
  ]);
}
