import { randomUUID } from 'node:crypto';
import type { Atelier, PublishedVersion } from '@atelier/sdk';

import { type ConfirmOptions, confirm } from '../commands/confirm.ts';
import type { Context } from '../context.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { formatBytes } from '../output/formats.ts';
import { createLiveDisplay } from '../output/live-display.ts';
import { plainLine } from '../output/plain-text.ts';
import { checkFolder } from './check-folder.ts';
import { checkToJson, renderCheck, renderFindings } from './check-view.ts';

export interface PublishPackOptions extends ConfirmOptions {
  readonly token?: string;
  readonly changelog?: string;
  readonly wait: boolean;
}

/** Publishes a folder: checks it locally first, then waits for the server's report. */
export async function publishPack(
  context: Context,
  folder: string,
  options: PublishPackOptions,
): Promise<ExitCode> {
  const { output } = context;
  const check = await checkFolder(context, folder);
  const { pack, inspection } = check;
  if (!pack) throw new CliError(`${folder} is not a folder.`, { advice: 'Name the folder of a node pack.' });
  if (!output.isJson && !context.options.quiet) output.stderr.write(`${renderCheck(check)}\n`);
  const { nodeId, nodeVersion } = pack.project;
  if (inspection.verdict === 'unusable')
    throw new CliError(`The server would refuse it: ${inspection.reason}`, {
      exitCode: EXIT.refused,
      advice: `Nothing was sent, and version ${nodeVersion.version} is still free.`,
    });
  if (inspection.verdict === 'suspicious' && !options.yes && !output.canAsk)
    throw new CliError('The server would flag it. Nothing was sent.', {
      exitCode: EXIT.refused,
      advice: '"atelier packs check" shows the findings; --yes publishes it anyway.',
    });
  const { url } = await context.server();
  await confirm(
    context,
    `Publish ${nodeId} ${nodeVersion.version} at ${url}? The number can be used once.`,
    options,
  );
  const version = await send(context, pack, options);
  output.result({ check: checkToJson(check), version }, () => renderVersion(version));
  if (version.status === 'NodeVersionStatusActive') return EXIT.done;
  return version.status === 'NodeVersionStatusPending' && !options.wait ? EXIT.done : EXIT.refused;
}

type Pack = NonNullable<Awaited<ReturnType<typeof checkFolder>>['pack']>;

async function send(
  context: Context,
  { project, archive }: Pack,
  { token, changelog, wait }: PublishPackOptions,
): Promise<PublishedVersion> {
  const { output, signal } = context;
  const { publisherId: publisher, nodeId: pack, node: about, nodeVersion } = project;
  const { registry } = await context.atelier();
  const display = output.isLive ? createLiveDisplay(output.stderr) : undefined;
  const credential = await tokenFor(context, registry, { publisher, token });
  try {
    return await registry.publish(archive, {
      publisher,
      pack,
      token: credential.token,
      version: { ...nodeVersion, ...(changelog !== undefined && { changelog }) },
      about,
      signal,
      ...(!wait && { waitMs: 0 }),
      onProgress: ({ loaded, total = loaded }) =>
        display?.show(() => ({
          lines: [
            loaded < total
              ? `${formatBytes(loaded)} of ${formatBytes(total)}`
              : 'Waiting for the report of the server',
          ],
        })),
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CliError(`Cancelled. The number ${nodeVersion.version} may be used up.`, {
      exitCode: EXIT.cancelled,
      advice: `See "atelier packs info ${pack}".`,
    });
  } finally {
    display?.clear();
    await credential.revoke();
  }
}

/** The given token, or one that a member creates for this publish only. */
async function tokenFor(
  { env, output, server, signal }: Context,
  { tokens }: Atelier['registry'],
  { publisher, token }: { readonly publisher: string; readonly token: string | undefined },
): Promise<{ readonly token: string; readonly revoke: () => Promise<void> }> {
  const given = token ?? (env['ATELIER_PUBLISHER_TOKEN'] || undefined);
  if (given !== undefined) return { token: given, revoke: async () => {} };
  if ((await server()).apiKey === undefined)
    throw new CliError('Publishing needs a token of the publisher.', {
      exitCode: EXIT.refused,
      advice:
        'Give one with --token or ATELIER_PUBLISHER_TOKEN, or sign in as a member with "atelier login".',
    });
  const name = `atelier packs publish ${randomUUID()}`;
  const created = await tokens.create(publisher, { name }, { signal });
  return {
    token: created.token,
    // Also after Ctrl-C, so without its signal. An earlier error matters more than a leftover token.
    async revoke() {
      try {
        const own = (await tokens.list(publisher)).find((one) => one.name === name);
        if (own) await tokens.delete(publisher, own.id);
      } catch {
        output.warn(`The token "${name}" was not revoked. See "atelier tokens list ${publisher}".`);
      }
    },
  };
}

function renderVersion({ node_id, version, status, status_reason, report }: PublishedVersion): string {
  const word = status.replace('NodeVersionStatus', '').toLowerCase();
  const lines = [`${plainLine(node_id)} ${plainLine(version)} is ${plainLine(word)} at the server.`];
  if (report) lines.push(...renderFindings({ findings: report.findings, findingCount: report.total }));
  else if (status_reason) lines.push(plainLine(status_reason));
  return lines.join('\n');
}
