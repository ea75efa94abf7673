import type { Account } from '@atelier/sdk';
import { Argument, type Command, InvalidArgumentError } from 'commander';

import type { Context } from '../context.ts';
import { formatTime } from '../output/formats.ts';
import { plainLine } from '../output/plain-text.ts';
import { renderFacts } from '../output/render-facts.ts';
import type { WithContext } from '../program.ts';
import { addYesOption, type ConfirmOptions, confirm } from './confirm.ts';
import { findUser } from './find-user.ts';
import { integerBetween } from './number-option.ts';

const USER = ['<user>', 'their id or e-mail address'] as const;

/** For administrators. */
export function addUserCommands(program: Command, withContext: WithContext): void {
  const group = program
    .command('users')
    .summary('accounts (administrators)')
    .description('Accounts of this server, for administrators.');
  group
    .command('list')
    .description('Lists users.')
    .argument('[words]', 'only those who have them in their e-mail address or name')
    .option('-n, --limit <count>', 'how many', integerBetween(1, 1000), 100)
    .action(withContext(list));
  group
    .command('show')
    .description('Shows a user.')
    .argument(...USER)
    .action(withContext(show));
  group
    .command('create')
    .description('Creates an account. The password is asked for, or read from standard input.')
    .argument('<email>')
    .option('--name <name>')
    .action(withContext(create));
  group
    .command('role')
    .description('Grants or revokes the administrator role.')
    .argument(...USER)
    .addArgument(new Argument('<role>').choices(['user', 'admin']))
    .action(withContext(setRole));
  group
    .command('password')
    .description('Sets a password, which is asked for or read from standard input.')
    .argument(...USER)
    .action(withContext(setPassword));
  group
    .command('credits')
    .description('Adds credits; a negative amount with a reason takes them away: credits USER -- -20')
    .argument(...USER)
    .argument('<amount>', 'an integer other than 0', readAmount)
    .option('--reason <text>')
    .action(withContext(changeCredits));
  group
    .command('audit')
    .description('Lists who did what to users and in the registry, newest first.')
    .argument('[user]', 'only what was done to this one; the id of one who is deleted')
    .option('--action <action>', 'only these, such as user.ban')
    .option('-n, --limit <count>', 'how many', integerBetween(1, 1000), 100)
    .action(withContext(listAudit));
  addYesOption(
    group
      .command('ban')
      .description('Locks an account.')
      .argument(...USER)
      .requiredOption('--reason <text>', 'shown to them'),
  ).action(withContext(ban));
  group
    .command('unban')
    .description('Unlocks an account.')
    .argument(...USER)
    .action(withContext(unban));
  addYesOption(
    group
      .command('delete')
      .description('Deletes an account and everything it has. This cannot be undone.')
      .argument(...USER),
  ).action(withContext(remove));
}

function readAmount(text: string): number {
  const amount = Number(text);
  if (/^[+-]?\d+$/.test(text) && amount !== 0 && Number.isSafeInteger(amount)) return amount;
  throw new InvalidArgumentError('Must be an integer other than 0.');
}

async function list(
  { atelier, output, signal }: Context,
  search: string | undefined,
  { limit }: { readonly limit: number },
): Promise<void> {
  const users = await (await atelier()).admin.users.list({ search, signal }).toArray(limit);
  output.result({ users }, () =>
    users.length === 0
      ? 'No users.'
      : output.table(users, [
          { title: 'ID', text: ({ id }) => id },
          { title: 'EMAIL', text: ({ email }) => email },
          { title: 'NAME', text: ({ name }) => name },
          { title: 'ROLE', text: ({ role }) => role },
          { title: 'STATUS', text: ({ status }) => status },
          { title: 'PLAN', text: planOf },
          { title: 'CREDITS', text: ({ credits }) => String(credits), align: 'right' },
        ]),
  );
}

function planOf({ subscription: { tier, status } }: Account): string {
  return status === 'active' ? tier : `${tier} (${status})`;
}

async function show(context: Context, name: string): Promise<void> {
  const user = await findUser(context, name);
  context.output.result(user, () =>
    renderFacts([
      ['user', user.id],
      ['email', user.email],
      ['name', user.name],
      ['role', user.role],
      ['status', user.status],
      ['reason', user.ban_reason],
      ['plan', planOf(user)],
      ['jobs at once', user.subscription.concurrent_jobs],
      ['credits', user.credits],
      ['created', formatTime(user.created_at)],
    ]),
  );
}

async function create(context: Context, email: string, { name }: { readonly name?: string }): Promise<void> {
  const { readSecret } = await import('./read-secret.ts');
  const password = await readSecret(context, 'The password');
  const account = { email, password, ...(name !== undefined && { name }) };
  const user = await (await context.atelier()).admin.users.create(account, { signal: context.signal });
  context.output.result(user, () => plainLine(user.id));
}

async function setRole(context: Context, name: string, role: Account['role']): Promise<void> {
  const { id } = await findUser(context, name);
  const user = await (await context.atelier()).admin.users.setRole(id, role, { signal: context.signal });
  context.output.result(user, () => plainLine(`${user.email} is ${user.role}`));
}

async function setPassword(context: Context, name: string): Promise<void> {
  const { readSecret } = await import('./read-secret.ts');
  const { id, email } = await findUser(context, name);
  const password = await readSecret(context, 'The new password');
  await (await context.atelier()).admin.users.setPassword(id, password, { signal: context.signal });
  context.output.result({ changed: id }, () => `The password of ${plainLine(email)} is changed`);
}

async function changeCredits(
  context: Context,
  name: string,
  amount: number,
  { reason }: { readonly reason?: string },
): Promise<void> {
  const { id } = await findUser(context, name);
  const change = { amount, ...(reason !== undefined && { reason }) };
  const { users } = (await context.atelier()).admin;
  const balance = await users.changeCredits(id, change, { signal: context.signal });
  context.output.result({ user_id: id, balance }, () => `${balance} credits`);
}

async function listAudit(
  context: Context,
  name: string | undefined,
  { action, limit }: { readonly action?: string; readonly limit: number },
): Promise<void> {
  const { atelier, output, signal } = context;
  const id = name?.includes('@') ? (await findUser(context, name)).id : name;
  const filter = { action, signal, ...(id !== undefined && { subject: `user:${id}` }) };
  const entries = await (await atelier()).admin.audit(filter).toArray(limit);
  output.result({ entries }, () =>
    entries.length === 0
      ? 'No entries.'
      : output.table(entries, [
          { title: 'AT', text: ({ at }) => formatTime(at) },
          { title: 'BY', text: ({ actor, actor_email: email }) => email ?? actor },
          { title: 'ACTION', text: ({ action: what }) => what },
          { title: 'SUBJECT', text: ({ subject, subject_email: email }) => email ?? subject },
          { title: 'DETAILS', text: ({ details }) => detailsOf(details) },
        ]),
  );
}

function detailsOf(details: Readonly<Record<string, unknown>>): string {
  return Object.keys(details).length === 0 ? '' : JSON.stringify(details);
}

async function ban(
  context: Context,
  name: string,
  { reason, ...confirmOptions }: ConfirmOptions & { readonly reason: string },
): Promise<void> {
  const { id, email } = await findUser(context, name);
  await confirm(context, `Ban ${email}?`, confirmOptions);
  await (await context.atelier()).admin.users.ban(id, reason, { signal: context.signal });
  context.output.result({ banned: id }, () => `${plainLine(email)} is banned`);
}

async function unban(context: Context, name: string): Promise<void> {
  const { id, email } = await findUser(context, name);
  await (await context.atelier()).admin.users.unban(id, { signal: context.signal });
  context.output.result({ unbanned: id }, () => `${plainLine(email)} is active`);
}

async function remove(context: Context, name: string, confirmOptions: ConfirmOptions): Promise<void> {
  const { id, email } = await findUser(context, name);
  await confirm(context, `Delete ${email} with all jobs and files? This cannot be undone.`, confirmOptions);
  await (await context.atelier()).admin.users.delete(id, { signal: context.signal });
  context.output.result({ deleted: id }, () => `${plainLine(email)} is deleted`);
}
