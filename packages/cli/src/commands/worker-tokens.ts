import type { Command } from 'commander';

import type { Context } from '../context.ts';
import { formatTime } from '../output/formats.ts';
import { plainLine } from '../output/plain-text.ts';
import type { WithContext } from '../program.ts';
import { addYesOption, type ConfirmOptions, confirm } from './confirm.ts';

/** What workers connect with. */
export function addWorkerTokenCommands(workers: Command, withContext: WithContext): void {
  const group = workers.command('tokens').description('Tokens that workers connect with.');
  group.command('list').description('Lists the tokens of workers.').action(withContext(list));
  group
    .command('create')
    .description('Creates a token for workers and shows it once.')
    .argument('<name>', 'what it is for')
    .option('--label <label...>', 'the only labels that its workers may have; any unless given')
    .action(withContext(create));
  addYesOption(
    group.command('revoke').description('Revokes a token. Its workers are disconnected.').argument('<id>'),
  ).action(withContext(revoke));
}

async function list({ atelier, output, signal }: Context): Promise<void> {
  const tokens = await (await atelier()).admin.workerTokens.list({ signal });
  output.result({ worker_tokens: tokens }, () =>
    tokens.length === 0
      ? 'No tokens.'
      : output.table(tokens, [
          { title: 'ID', text: ({ id }) => id },
          { title: 'NAME', text: ({ name }) => name },
          { title: 'LABELS', text: ({ labels }) => labels?.join(' ') ?? 'any' },
          { title: 'CREATED', text: ({ created_at }) => formatTime(created_at) },
          { title: 'USED', text: ({ last_used_at }) => formatTime(last_used_at) },
        ]),
  );
}

async function create(
  { atelier, output, signal }: Context,
  name: string,
  { label }: { readonly label?: readonly string[] },
): Promise<void> {
  const wanted = { name, ...(label && { labels: [...label] }) };
  const token = await (await atelier()).admin.workerTokens.create(wanted, { signal });
  output.note('It is shown only once.');
  output.result(token, () => plainLine(token.token));
}

async function revoke(context: Context, id: string, confirmOptions: ConfirmOptions): Promise<void> {
  await confirm(context, `Revoke the token ${id}?`, confirmOptions);
  await (await context.atelier()).admin.workerTokens.delete(id, { signal: context.signal });
  context.output.result({ revoked: id }, () => `${id} revoked`);
}
