import { type Command, Option } from 'commander';

import type { Context } from '../context.ts';
import { formatTime } from '../output/formats.ts';
import { plainLine } from '../output/plain-text.ts';
import { renderFacts } from '../output/render-facts.ts';
import type { WithContext } from '../program.ts';
import { addYesOption, type ConfirmOptions, confirm } from './confirm.ts';
import { integerBetween } from './number-option.ts';

interface NewPublisherOptions {
  readonly name?: string;
  readonly description?: string;
  readonly website?: string;
}

export function addPublisherCommands(program: Command, withContext: WithContext): void {
  const group = program
    .command('publishers')
    .summary('who publishes packs')
    .description('Publishers of packs, and their members.');
  group
    .command('list')
    .description('Lists the publishers that you are a member of.')
    .option('--all', 'those of everybody')
    .option('-n, --limit <count>', 'how many', integerBetween(1, 1000), 100)
    .action(withContext(list));
  group
    .command('create')
    .description('Creates a publisher. Its id cannot be changed.')
    .argument('<id>', 'lower-case letters, digits and hyphens')
    .option('--name <text>', 'its display name')
    .option('--description <text>')
    .option('--website <url>')
    .action(withContext(create));
  group.command('info').description('Shows a publisher.').argument('<id>').action(withContext(info));
  group
    .command('members')
    .description('Lists the members of a publisher.')
    .argument('<id>')
    .action(withContext(members));
  group
    .command('add-member')
    .description('Adds a member.')
    .argument('<id>')
    .argument('<email>')
    .addOption(new Option('--role <role>').choices(['owner', 'member']).default('member'))
    .action(withContext(addMember));
  addYesOption(
    group
      .command('remove-member')
      .description('Removes a member.')
      .argument('<id>')
      .argument('<member-id>', 'as "members" shows it'),
  ).action(withContext(removeMember));

  const tokens = program
    .command('tokens')
    .summary('tokens for build servers')
    .description('Tokens of a publisher. They allow publishing and nothing else.');
  tokens
    .command('list')
    .description('Lists the tokens of a publisher.')
    .argument('<publisher>')
    .action(withContext(listTokens));
  tokens
    .command('create')
    .description('Creates a token and shows it once.')
    .argument('<publisher>')
    .argument('<name>', 'what it is for')
    .action(withContext(createToken));
  addYesOption(
    tokens
      .command('revoke')
      .description('Revokes a token. It can no longer publish.')
      .argument('<publisher>')
      .argument('<id>'),
  ).action(withContext(revokeToken));
}

async function list(
  { atelier, output, signal }: Context,
  { all, limit }: { readonly all?: boolean; readonly limit: number },
): Promise<void> {
  const { publishers } = (await atelier()).registry;
  const found = all ? await publishers.list({ signal }).toArray(limit) : await publishers.mine({ signal });
  output.result({ publishers: found }, () =>
    found.length === 0
      ? 'No publishers.'
      : output.table(found, [
          { title: 'ID', text: ({ id }) => id },
          { title: 'NAME', text: ({ name }) => name ?? '' },
          { title: 'STATUS', text: ({ status }) => status.replace('PublisherStatus', '').toLowerCase() },
          { title: 'CREATED', text: ({ createdAt }) => formatTime(createdAt) },
        ]),
  );
}

async function create(
  { atelier, output, signal }: Context,
  id: string,
  { name, description, website }: NewPublisherOptions,
): Promise<void> {
  const about = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(website !== undefined && { website }),
  };
  const publisher = await (await atelier()).registry.publishers.create({ id, ...about }, { signal });
  output.result(publisher, () => plainLine(publisher.id));
}

async function info({ atelier, output, signal }: Context, id: string): Promise<void> {
  const publisher = await (await atelier()).registry.publishers.get(id, { signal });
  output.result(publisher, () =>
    renderFacts([
      ['publisher', publisher.id],
      ['name', publisher.name],
      ['status', publisher.status.replace('PublisherStatus', '').toLowerCase()],
      ['reason', publisher.status_detail],
      ['created', formatTime(publisher.createdAt)],
      ['website', publisher.website],
      ['description', publisher.description],
    ]),
  );
}

async function members({ atelier, output, signal }: Context, id: string): Promise<void> {
  const found = await (await atelier()).registry.members.list(id, { signal });
  output.result({ members: found }, () =>
    output.table(found, [
      { title: 'ID', text: (member) => member.id },
      { title: 'ROLE', text: ({ role }) => role },
      { title: 'NAME', text: ({ user }) => user.name },
      { title: 'EMAIL', text: ({ user }) => user.email ?? '' },
    ]),
  );
}

async function addMember(
  { atelier, output, signal }: Context,
  id: string,
  email: string,
  { role }: { readonly role: 'owner' | 'member' },
): Promise<void> {
  const member = await (await atelier()).registry.members.add(id, { email, role }, { signal });
  output.result(member, () => plainLine(member.id));
}

async function removeMember(
  context: Context,
  id: string,
  member: string,
  confirmOptions: ConfirmOptions,
): Promise<void> {
  await confirm(context, `Remove the member ${member} of ${id}?`, confirmOptions);
  await (await context.atelier()).registry.members.remove(id, member, { signal: context.signal });
  context.output.result({ removed: member }, () => `${member} removed`);
}

async function listTokens({ atelier, output, signal }: Context, publisher: string): Promise<void> {
  const tokens = await (await atelier()).registry.tokens.list(publisher, { signal });
  output.result({ tokens }, () =>
    tokens.length === 0
      ? 'No tokens.'
      : output.table(tokens, [
          { title: 'ID', text: ({ id }) => id },
          { title: 'NAME', text: ({ name }) => name },
          { title: 'TOKEN', text: ({ token }) => token },
          { title: 'CREATED', text: ({ createdAt }) => formatTime(createdAt) },
        ]),
  );
}

async function createToken(
  { atelier, output, signal }: Context,
  publisher: string,
  name: string,
): Promise<void> {
  const { token } = await (await atelier()).registry.tokens.create(publisher, { name }, { signal });
  output.note('It is shown only once.');
  output.result({ token }, () => plainLine(token));
}

async function revokeToken(
  context: Context,
  publisher: string,
  id: string,
  confirmOptions: ConfirmOptions,
): Promise<void> {
  await confirm(context, `Revoke the token ${id} of ${publisher}?`, confirmOptions);
  await (await context.atelier()).registry.tokens.delete(publisher, id, { signal: context.signal });
  context.output.result({ revoked: id }, () => `${id} revoked`);
}
