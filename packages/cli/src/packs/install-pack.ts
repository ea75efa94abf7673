import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { checkArchive, INSPECTION_LIMITS, readEntryPath } from '@atelier/inspection';
import type { RemoteFile } from '@atelier/sdk';

import { type ConfirmOptions, confirm } from '../commands/confirm.ts';
import type { Context } from '../context.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { formatBytes } from '../output/formats.ts';
import { createLiveDisplay } from '../output/live-display.ts';
import { renderFindings } from './check-view.ts';
import { exists, unpackInto } from './unpack-into.ts';

export interface InstallOptions extends ConfirmOptions {
  readonly into: string;
  readonly force?: boolean;
}

/** Larger than any archive of a registry. */
const MAX_BYTES = 2 ** 30;

/** Installs a version of a pack into ComfyUI, completely or not at all. */
export async function installPack(context: Context, name: string, options: InstallOptions): Promise<void> {
  const { output, signal } = context;
  const [id = '', asked] = name.split('@', 2);
  checkId(id);
  const folder = await customNodesOf(options.into);
  const target = join(folder, id);
  const isTaken = await exists(target);
  if (isTaken && !options.force)
    throw new CliError(`${target} already exists.`, { advice: 'Replace it with --force.' });
  const { registry } = await context.atelier();
  const { version, checksum, dependencies } = await registry.packs.install(id, { version: asked, signal });
  const archive = await download(context, registry.versions.open(id, version));
  const found = `sha256:${createHash('sha256').update(archive).digest('hex')}`;
  if (checksum !== found)
    throw new CliError(`The archive of ${id} ${version} is not the one that was published.`, {
      exitCode: EXIT.refused,
      advice: "Try again. If it keeps failing, contact the registry's operator.",
    });
  await inspect(context, archive, { name: `${id} ${version}`, options });
  await unpackInto(target, archive, signal);
  output.result({ pack: id, version, path: target, dependencies, replaced: isTaken }, () => target);
  if (dependencies.length > 0)
    output.note(`Install what it needs with the Python of ComfyUI: pip install ${dependencies.join(' ')}`);
  output.note('Restart ComfyUI to load it.');
}

/** Ensures that the id is a single folder below custom_nodes. */
function checkId(id: string): void {
  try {
    if (!id.startsWith('.') && !id.includes('/') && readEntryPath(id, INSPECTION_LIMITS).path === id) return;
  } catch {
    // Reported below.
  }
  throw new CliError(`"${id}" is not the id of a pack.`, { advice: 'Find it with "atelier packs search".' });
}

async function customNodesOf(given: string): Promise<string> {
  for (const folder of [join(given, 'custom_nodes'), given])
    if ((await stat(folder).catch(() => undefined))?.isDirectory()) return folder;
  throw new CliError(`There is no folder ${given}.`, {
    advice: 'Name the folder of ComfyUI, or its custom_nodes.',
  });
}

async function download({ output, signal }: Context, file: RemoteFile): Promise<Uint8Array<ArrayBuffer>> {
  const display = output.isLive ? createLiveDisplay(output.stderr) : undefined;
  const tooLarge = new AbortController();
  try {
    return await file.download({
      signal: AbortSignal.any([signal, tooLarge.signal]),
      onProgress({ loaded, total = loaded }) {
        if (Math.max(loaded, total) > MAX_BYTES)
          tooLarge.abort(new CliError('The archive is too large.', { exitCode: EXIT.refused }));
        display?.show(() => ({ lines: [`${formatBytes(loaded)} of ${formatBytes(total)}`] }));
      },
    });
  } finally {
    display?.clear();
  }
}

/** The same inspection as on the server, because the server may not be trusted. */
async function inspect(
  context: Context,
  archive: Uint8Array,
  { name, options }: { readonly name: string; readonly options: InstallOptions },
): Promise<void> {
  const { output, signal } = context;
  const { inspection } = await checkArchive(archive, { signal });
  if (inspection.verdict === 'clean') return;
  if (inspection.verdict === 'unusable')
    throw new CliError(`${name} cannot be used: ${inspection.reason}`, { exitCode: EXIT.refused });
  if (!output.isJson) output.stderr.write(`${renderFindings(inspection).join('\n')}\n`);
  if (!options.yes && !output.canAsk)
    throw new CliError(`${name} does things that a pack should not do. Nothing was installed.`, {
      exitCode: EXIT.refused,
      advice: 'Read it first; --yes installs it anyway.',
    });
  await confirm(context, `Install ${name} anyway?`, options);
}
