import type { Delivery, DeliveryWithBody } from '@atelier/sdk';
import { type Command, Option } from 'commander';

import type { Context } from '../context.ts';
import { formatTime } from '../output/formats.ts';
import { plainLine, plainText } from '../output/plain-text.ts';
import { renderFacts } from '../output/render-facts.ts';
import type { WithContext } from '../program.ts';
import { addYesOption, type ConfirmOptions, confirm } from './confirm.ts';
import { integerBetween } from './number-option.ts';

const STATUSES = ['pending', 'delivered', 'failed', 'paused'] as const;

export function addWebhookCommands(program: Command, withContext: WithContext): void {
  const group = program
    .command('webhooks')
    .summary('messages to your servers')
    .description('Messages to your servers: their secret, what was delivered and what was not.');
  group
    .command('secret')
    .description('Shows the secret that signs your messages.')
    .action(withContext(secret));
  addYesOption(
    group
      .command('rotate')
      .description('Creates a new secret. For 24 hours messages are signed with the old one too.'),
  ).action(withContext(rotate));
  group
    .command('deliveries')
    .description('Lists messages, newest first.')
    .addOption(new Option('--status <status>', 'only these').choices(STATUSES))
    .option('--subject <subject>', 'only about this, such as job:ID')
    .option('-n, --limit <count>', 'how many', integerBetween(1, 1000), 20)
    .action(withContext(deliveries));
  group
    .command('delivery')
    .description('Shows a message, its tries and its body.')
    .argument('<id>')
    .action(withContext(delivery));
  group
    .command('redeliver')
    .description('Sends a message again at once.')
    .argument('<id>')
    .action(withContext(redeliver));
  group
    .command('endpoints')
    .description('Lists addresses that are failing or paused.')
    .action(withContext(endpoints));
  group
    .command('resume')
    .description('Sends the messages waiting for a paused address.')
    .argument('<id>', 'as "endpoints" shows it')
    .action(withContext(resume));
}

async function secret({ atelier, output, signal }: Context): Promise<void> {
  const value = await (await atelier()).webhooks.secret({ signal });
  output.result({ secret: value }, () => plainLine(value));
}

async function rotate(context: Context, confirmOptions: ConfirmOptions): Promise<void> {
  await confirm(context, 'Create a new secret? The old one ends in 24 hours.', confirmOptions);
  const value = await (await context.atelier()).webhooks.rotateSecret({ signal: context.signal });
  context.output.result({ secret: value }, () => plainLine(value));
}

async function deliveries(
  { atelier, output, signal }: Context,
  {
    limit,
    ...filter
  }: { readonly limit: number; readonly status?: Delivery['status']; readonly subject?: string },
): Promise<void> {
  const { status, subject } = filter;
  const found = await (await atelier()).webhooks.deliveries.list({ status, subject, signal }).toArray(limit);
  output.result({ deliveries: found }, () =>
    found.length === 0
      ? 'No deliveries.'
      : output.table(found, [
          { title: 'ID', text: ({ id }) => id },
          { title: 'STATUS', text: (one) => one.status },
          { title: 'TYPE', text: ({ type }) => type },
          { title: 'TRIES', text: ({ tries }) => String(tries.length), align: 'right' },
          { title: 'CREATED', text: ({ created_at }) => formatTime(created_at) },
          { title: 'URL', text: ({ url }) => url },
        ]),
  );
}

async function delivery({ atelier, output, signal }: Context, id: string): Promise<void> {
  const found = await (await atelier()).webhooks.deliveries.get(id, { signal });
  output.result(
    found,
    () => `${describe(found)}\n\n${tableOfTries(output, found)}\n\n${plainText(found.body)}`,
  );
}

function describe({ id, status, type, subject, url, created_at, next_try_at }: DeliveryWithBody): string {
  return renderFacts([
    ['delivery', id],
    ['status', status],
    ['type', type],
    ['subject', subject],
    ['url', url],
    ['created', formatTime(created_at)],
    ['next try', formatTime(next_try_at)],
  ]);
}

function tableOfTries(output: Context['output'], { tries }: Delivery): string {
  if (tries.length === 0) return 'Not tried yet.';
  return output.table(tries, [
    { title: 'TRIED', text: ({ at }) => formatTime(at) },
    { title: 'ANSWER', text: ({ status, error }) => error ?? String(status ?? '') },
    { title: 'MS', text: ({ ms }) => String(ms), align: 'right' },
  ]);
}

async function redeliver({ atelier, output, signal }: Context, id: string): Promise<void> {
  const found = await (await atelier()).webhooks.deliveries.redeliver(id, { signal });
  output.result(found, () => plainLine(`${found.id} is ${found.status}`));
}

async function endpoints({ atelier, output, signal }: Context): Promise<void> {
  const found = await (await atelier()).webhooks.endpoints.list({ signal });
  output.result({ endpoints: found }, () =>
    found.length === 0
      ? 'No failing addresses.'
      : output.table(found, [
          { title: 'ID', text: ({ id }) => id },
          { title: 'STATUS', text: ({ status }) => status },
          { title: 'SINCE', text: ({ failing_since }) => formatTime(failing_since) },
          { title: 'URL', text: ({ url }) => url },
          { title: 'ERROR', text: ({ last_error }) => last_error },
        ]),
  );
}

async function resume({ atelier, output, signal }: Context, id: string): Promise<void> {
  await (await atelier()).webhooks.endpoints.resume(id, { signal });
  output.result({ resumed: id }, () => `${id} resumed`);
}
