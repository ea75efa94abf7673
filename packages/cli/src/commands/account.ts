import { type Command, Option } from 'commander';

import type { Context } from '../context.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { formatTime } from '../output/formats.ts';
import { plainLine } from '../output/plain-text.ts';
import type { WithContext } from '../program.ts';
import { addYesOption, type ConfirmOptions, confirm } from './confirm.ts';
import { integerBetween } from './number-option.ts';

const SCOPES = ['workflows', 'generation', 'registry', 'account', 'admin'] as const;
type Scope = (typeof SCOPES)[number];

interface NewKeyOptions {
  readonly description?: string;
  readonly scope?: readonly Scope[];
}

/** `keys` and `credits`. */
export function addAccountCommands(program: Command, withContext: WithContext): void {
  const keys = program
    .command('keys')
    .summary('your API keys')
    .description('Your API keys, for programs and build servers.');
  keys.command('list').description('Lists your keys.').action(withContext(listKeys));
  keys
    .command('create')
    .description('Creates a key and shows it once.')
    .argument('<name>', 'what it is for')
    .option('--description <text>')
    .addOption(new Option('--scope <scope...>', 'what it may do; everything unless given').choices(SCOPES))
    .action(withContext(createKey));
  addYesOption(keys.command('revoke').description('Revokes a key at once.').argument('<id>')).action(
    withContext(revokeKey),
  );
  program
    .command('credits')
    .summary('your credits and how they changed')
    .description('Shows your balance and every change to it, newest first.')
    .option('-n, --limit <count>', 'how many entries', integerBetween(0, 1000), 20)
    .action(withContext(credits));
}

async function listKeys({ atelier, output, signal }: Context): Promise<void> {
  const keys = await (await atelier()).keys.list({ signal });
  output.result({ keys }, () =>
    keys.length === 0
      ? 'No keys.'
      : output.table(keys, [
          { title: 'ID', text: ({ id }) => id },
          { title: 'NAME', text: ({ name }) => name },
          { title: 'KEY', text: ({ key_prefix }) => `${key_prefix}…` },
          { title: 'SCOPES', text: ({ scopes }) => scopes?.join(' ') ?? 'everything' },
          { title: 'CREATED', text: ({ created_at }) => formatTime(created_at) },
        ]),
  );
}

async function createKey(
  { atelier, output, signal }: Context,
  name: string,
  { description, scope }: NewKeyOptions,
): Promise<void> {
  const { keys } = await atelier();
  const wanted = {
    name,
    ...(description !== undefined && { description }),
    ...(scope && { scopes: [...scope] }),
  };
  const key = await keys.create(wanted, { signal });
  if (scope && !key.scopes) {
    // An older server ignores scopes, and the key would allow everything.
    await keys.delete(key.id);
    throw new CliError('This server does not support scopes. No key was created.', {
      exitCode: EXIT.refused,
      advice: 'Update the server, or leave out --scope.',
    });
  }
  output.note('It is shown only once.');
  output.result({ key }, () => plainLine(key.plaintext_key));
}

async function revokeKey(context: Context, id: string, confirmOptions: ConfirmOptions): Promise<void> {
  await confirm(context, `Revoke the key ${id}?`, confirmOptions);
  await (await context.atelier()).keys.delete(id, { signal: context.signal });
  context.output.result({ revoked: id }, () => `${id} revoked`);
}

async function credits(
  { atelier, output, signal }: Context,
  { limit }: { readonly limit: number },
): Promise<void> {
  const { credits: account } = await atelier();
  const balance = await account.balance({ signal });
  const entries = await account.list({ signal }).toArray(limit);
  const table = () =>
    output.table(entries, [
      { title: 'AT', text: ({ created_at }) => formatTime(created_at) },
      { title: 'KIND', text: ({ kind }) => kind },
      { title: 'AMOUNT', text: ({ amount }) => `${amount > 0 ? '+' : ''}${amount}`, align: 'right' },
      { title: 'BALANCE', text: ({ balance_after }) => String(balance_after), align: 'right' },
      { title: 'FOR', text: ({ reason, reference }) => reason ?? reference },
    ]);
  output.result({ balance, entries }, () =>
    entries.length === 0 ? `${balance} credits` : `${balance} credits\n\n${table()}`,
  );
}
