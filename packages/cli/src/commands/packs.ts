import type { Pack, PackVersion } from '@atelier/sdk';
import type { Command } from 'commander';

import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { formatTime } from '../output/formats.ts';
import { renderFacts } from '../output/render-facts.ts';
import type { InitOptions } from '../packs/init-pack.ts';
import type { InstallOptions } from '../packs/install-pack.ts';
import type { PublishPackOptions } from '../packs/publish-pack.ts';
import type { WithContext } from '../program.ts';
import { addYesOption } from './confirm.ts';
import { integerBetween } from './number-option.ts';

const EXAMPLES = `
Examples:
  $ atelier packs init blur --publisher acme
  $ atelier packs check blur
  $ atelier packs publish blur
  $ atelier packs install acme-blur --into ~/ComfyUI`;

const PUBLISH_HELP = `
The token of the publisher comes from --token or ATELIER_PUBLISHER_TOKEN. Without one, a member who is signed in
makes one that is revoked at the end.`;

export function addPackCommands(program: Command, withContext: WithContext): void {
  const group = program
    .command('packs')
    .summary('find, check, publish and install packs of ComfyUI nodes')
    .description('Packs of ComfyUI nodes: find them, make, check and publish your own, install them.')
    .addHelpText('after', EXAMPLES);
  group
    .command('search')
    .description('Finds packs by words, or lists all.')
    .argument('[words]')
    .option('--node', 'search node names')
    .option('-n, --limit <count>', 'how many', integerBetween(1, 1000), 20)
    .action(withContext(search));
  group
    .command('info')
    .description('Shows a pack and its versions.')
    .argument('<pack>')
    .action(withContext(info));
  group
    .command('init')
    .description('Writes a pyproject.toml and a first node. Files that are there stay as they are.')
    .argument('[folder]', 'the folder of the pack', '.')
    .option('--name <id>', 'the id of the pack; the name of the folder unless given')
    .option('--publisher <id>', 'the id of its publisher')
    .option('--description <text>', 'what it does')
    .action(
      withContext(async (context, folder: string, options: InitOptions) => {
        const { initPack } = await import('../packs/init-pack.ts');
        await initPack(context, folder, options);
      }),
    );
  group
    .command('check')
    .description(
      'Checks a pack as a server does, without one. The exit code is 3 when it would be flagged or refused.',
    )
    .argument('[folder]', 'the folder of the pack, or its zip file', '.')
    .action(withContext(check));
  addYesOption(
    group
      .command('publish')
      .description('Checks a pack, publishes it and waits for the report of the server.')
      .argument('[folder]', 'the folder of the pack', '.')
      .option('--token <token>', 'a token of the publisher; visible in the process list, unlike the variable')
      .option('--changelog <text>', 'what is new')
      .option('--no-wait', 'do not wait for the report')
      .addHelpText('after', PUBLISH_HELP),
  ).action(
    withContext(async (context, folder: string, options: PublishPackOptions) => {
      const { publishPack } = await import('../packs/publish-pack.ts');
      return await publishPack(context, folder, options);
    }),
  );
  addYesOption(
    group
      .command('install')
      .description('Downloads a pack, checks it and puts it into a ComfyUI.')
      .argument('<pack>', 'its id; with @VERSION for another version than the latest')
      .requiredOption('--into <folder>', 'the folder of ComfyUI, or its custom_nodes')
      .option('--force', 'replace it when it is there'),
  ).action(
    withContext(async (context, name: string, options: InstallOptions) => {
      const { installPack } = await import('../packs/install-pack.ts');
      await installPack(context, name, options);
    }),
  );
}

async function search(
  { atelier, output, signal }: Context,
  words: string | undefined,
  { node, limit }: { readonly node?: boolean; readonly limit: number },
): Promise<void> {
  const { packs } = (await atelier()).registry;
  const list = words === undefined ? packs.list({ signal }) : packs.search(words, { nodes: node, signal });
  const found = await list.toArray(limit);
  output.result({ packs: found }, () =>
    found.length === 0
      ? 'No packs.'
      : output.table(found, [
          { title: 'ID', text: ({ id }) => id },
          { title: 'VERSION', text: (pack) => pack.latest_version?.version ?? '' },
          { title: 'PUBLISHER', text: ({ publisher }) => publisher?.id ?? '' },
          { title: 'DOWNLOADS', text: ({ downloads }) => String(downloads), align: 'right' },
          { title: 'DESCRIPTION', text: ({ description }) => description ?? '' },
        ]),
  );
}

async function info({ atelier, output, signal }: Context, id: string): Promise<void> {
  const { packs, versions } = (await atelier()).registry;
  const pack = await packs.get(id, { signal });
  const all = await versions.list(id, { signal });
  output.result({ pack, versions: all }, () => `${describe(pack)}\n\n${tableOf(output, all)}`);
}

function describe(pack: Pack): string {
  return renderFacts([
    ['pack', pack.id],
    ['name', pack.name],
    ['publisher', pack.publisher?.id],
    ['latest', pack.latest_version?.version],
    ['status', wordOf(pack.status)],
    ['downloads', pack.downloads],
    ['repository', pack.repository],
    ['description', pack.description],
  ]);
}

function tableOf(output: Context['output'], versions: readonly PackVersion[]): string {
  if (versions.length === 0) return 'No versions.';
  return output.table(versions, [
    { title: 'VERSION', text: ({ version }) => version },
    {
      title: 'STATUS',
      text: ({ status, deprecated }) => `${wordOf(status)}${deprecated ? ', deprecated' : ''}`,
    },
    { title: 'CREATED', text: ({ createdAt }) => formatTime(createdAt) },
    { title: 'CHANGELOG', text: ({ changelog }) => changelog ?? '' },
  ]);
}

/** `NodeVersionStatusActive` is `active`. */
function wordOf(status: string): string {
  return status.replace(/^Node(?:Version)?Status/, '').toLowerCase();
}

async function check(context: Context, path: string): Promise<ExitCode> {
  const [{ checkFolder }, { checkToJson, renderCheck }] = await Promise.all([
    import('../packs/check-folder.ts'),
    import('../packs/check-view.ts'),
  ]);
  const found = await checkFolder(context, path);
  context.output.result(checkToJson(found), () => renderCheck(found));
  return found.inspection.verdict === 'clean' ? EXIT.done : EXIT.refused;
}
