import type { Asset } from '@atelier/sdk';
import { type Command, Option } from 'commander';

import type { Context } from '../context.ts';
import { formatBytes, formatTime } from '../output/formats.ts';
import { createLiveDisplay } from '../output/live-display.ts';
import { plainLine } from '../output/plain-text.ts';
import type { WithContext } from '../program.ts';
import { integerBetween } from './number-option.ts';
import { UUID } from './uuid.ts';

const FOLDERS = ['input', 'output', 'temp'] as const;

export function addFileCommands(program: Command, withContext: WithContext): void {
  program
    .command('files')
    .summary('list your files')
    .description('Lists your files, newest first.')
    .argument('[words]', 'only those whose name has these words')
    .addOption(new Option('--folder <folder>', 'only this one').choices(['input', 'output']))
    .option('-n, --limit <count>', 'how many', integerBetween(1, 1000), 20)
    .action(withContext(list));
  program
    .command('upload')
    .summary('upload files for workflows')
    .description(
      'Uploads files and prints the name that nodes load each of them by. Bytes that the server has are not sent again.',
    )
    .argument('<file...>')
    .action(withContext(upload));
  program
    .command('download')
    .summary('save files of a job, or one by name')
    .description('Saves the files of a job, or files by their names or asset ids, and prints where they are.')
    .argument(
      '<job-or-file...>',
      'a job id, an asset id, or a name such as first_00001_.png or sub/first_00001_.png',
    )
    .option('-o, --out <folder>', 'where files are saved', '.')
    .addOption(
      new Option('--folder <folder>', 'where names are looked up').choices(FOLDERS).default('output'),
    )
    .action(withContext(download));
}

async function list(
  { atelier, output, signal }: Context,
  words: string | undefined,
  { folder, limit }: { readonly folder?: string; readonly limit: number },
): Promise<void> {
  const assets: Asset[] = [];
  const filter = { nameContains: words, tagsAll: folder === undefined ? undefined : [folder] };
  const order = { sort: 'created_at', order: 'desc', pageSize: Math.min(limit, 100) } as const;
  for await (const asset of (await atelier()).assets.list({ ...filter, ...order, signal })) {
    assets.push(asset);
    if (assets.length >= limit) break;
  }
  output.result({ files: assets }, () =>
    assets.length === 0
      ? 'No files.'
      : output.table(assets, [
          { title: 'NAME', text: ({ name }) => name },
          { title: 'SIZE', text: ({ size }) => formatBytes(size ?? 0), align: 'right' },
          { title: 'TYPE', text: ({ mime_type }) => mime_type ?? '' },
          { title: 'CREATED', text: ({ created_at }) => formatTime(created_at) },
          { title: 'ID', text: ({ id }) => id },
        ]),
  );
}

async function upload({ atelier, output, signal }: Context, paths: readonly string[]): Promise<void> {
  const { file } = await import('@atelier/sdk');
  const { files } = await atelier();
  const display = output.isLive ? createLiveDisplay(output.stderr) : undefined;
  const uploaded: object[] = [];
  try {
    for (const path of paths) {
      const { name, isNew, asset } = await files.upload(file(path), {
        signal,
        onProgress: ({ loaded, total }) =>
          display?.show(() => ({
            lines: [`${plainLine(path)} ${formatBytes(loaded)} of ${formatBytes(total ?? loaded)}`],
          })),
      });
      uploaded.push({ path, name, is_new: isNew, asset_id: asset.id });
      display?.clear();
      if (!output.isJson) output.stdout.write(`${plainLine(name)}\n`);
    }
  } finally {
    display?.clear();
  }
  if (output.isJson) output.result({ files: uploaded }, () => '');
}

async function download(
  { atelier, output, signal }: Context,
  names: readonly string[],
  { out, folder }: { readonly out: string; readonly folder: (typeof FOLDERS)[number] },
): Promise<void> {
  const { saveOutputs } = await import('../run/save-outputs.ts');
  const client = await atelier();
  const saved: object[] = [];
  for (const name of names) {
    const found = await findFiles(client, name, { folder, signal });
    for await (const { output: file, path } of saveOutputs(found, {
      folder: out,
      signal,
      again: `atelier download ${name}`,
    })) {
      saved.push({ name: file.name, path });
      if (!output.isJson) output.stdout.write(`${plainLine(path)}\n`);
    }
  }
  if (output.isJson) output.result({ files: saved }, () => '');
}

async function findFiles(
  { jobs, assets, files }: Awaited<ReturnType<Context['atelier']>>,
  name: string,
  { folder, signal }: { readonly folder: (typeof FOLDERS)[number]; readonly signal: AbortSignal },
) {
  if (!UUID.test(name)) {
    const at = name.lastIndexOf('/');
    const [subfolder, filename] = [name.slice(0, Math.max(0, at)), name.slice(at + 1)];
    return [files.open({ filename, subfolder, type: folder })];
  }
  const { AtelierError } = await import('@atelier/sdk');
  try {
    return await jobs.attach(name).outputs({ signal });
  } catch (error) {
    // The id may belong to an asset.
    if (!(error instanceof AtelierError) || error.status !== 404) throw error;
    return [assets.open(await assets.get(name, { signal }))];
  }
}
