import { type Command, Option } from 'commander';

import type { Context } from '../context.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { formatTime } from '../output/formats.ts';
import { plainLine } from '../output/plain-text.ts';
import type { Act } from '../program.ts';
import { addYesOption, confirm, type SureOptions } from './confirm.ts';
import { wholeNumber } from './number-option.ts';

const SCOPES = ['workflows', 'generation', 'registry', 'account', 'admin'] as const;
type Scope = (typeof SCOPES)[number];

interface NewKeyOptions {
  readonly description?: string;
  readonly scope?: readonly Scope[];
}

/** `keys` and `credits`. */
export function addAccountCommands(program: Command, act: Act): void {
  const keys = program
    .command('keys')
    .summary('your API keys')
    .description('Your API keys, for programs and build servers.');
  keys.command('list').description('Lists your keys.').action(act(listKeys));
  keys
    .command('create')
    .description('Makes a key, and shows it this once.')
    .argument('<name>', 'what it is for')
    .option('--description <text>')
    .addOption(
      new Option('--scope <scope...>', 'all that it is good for; everything unless given').choices(SCOPES),
    )
    .action(act(createKey));
  addYesOption(keys.command('revoke').description('Revokes a key. It ends at once.').argument('<id>')).action(
    act(revokeKey),
  );
  program
    .command('credits')
    .summary('your credits, and what became of them')
    .description('Shows your credits, and what came and went, newest first.')
    .option('-n, --limit <count>', 'how many entries', wholeNumber(0, 1000), 20)
    .action(act(credits));
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
    // An older server has ignored them, and the key would be good for everything.
    await keys.delete(key.id);
    throw new CliError('This server does not know scopes. No key was made.', {
      exitCode: EXIT.refused,
      advice: 'Update the server, or leave --scope out.',
    });
  }
  output.note('It is shown this once.');
  output.result({ key }, () => plainLine(key.plaintext_key));
}

async function revokeKey(context: Context, id: string, sure: SureOptions): Promise<void> {
  await confirm(context, `Revoke the key ${id}?`, sure);
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
