import { statfs } from 'node:fs/promises';

import type { Context } from '../context.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { formatBytes } from '../output/formats.ts';
import type { ChosenServer } from '../profiles/choose-server.ts';
import { readVersion } from '../version.ts';
import { examineAccount } from './examine-account.ts';
import { examineNetwork } from './examine-network.ts';
import { examineServer } from './examine-server.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const MIN_FREE_BYTES = 1e9;

/** Yields one finding after the other. Stops at a problem that makes the remaining checks impossible. */
export async function* examine(context: Context): AsyncGenerator<Finding> {
  yield ok(
    'program',
    `atelier ${readVersion()} on Node ${process.versions.node}, ${process.platform} ${process.arch}`,
  );
  yield await examineDisk();
  let server: ChosenServer;
  try {
    server = await context.server();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    yield problem('settings', error.message, error.advice ?? '', EXIT.usage);
    return;
  }
  const { url, from, apiKey, keyFrom } = server;
  const key = apiKey === undefined ? 'no key' : `key from ${keyFrom}`;
  yield ok('settings', `${url} (${from}), ${key}`, { url, from, key_from: keyFrom ?? null });
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    yield problem(
      'settings',
      `"${url}" is not the address of a server.`,
      'Use one such as https://atelier.example.com.',
      EXIT.usage,
    );
    return;
  }
  for (const part of [examineNetwork(new URL(url), context.signal), examineServer(url, context.signal)])
    for await (const finding of part) {
      yield finding;
      if (finding.status === 'problem') return;
    }
  yield* examineAccount(context, server);
}

async function examineDisk(): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(process.cwd());
    const free = bavail * bsize;
    const message = `${formatBytes(free)} free in this folder`;
    if (free >= MIN_FREE_BYTES) return ok('disk', message, { free_bytes: free });
    return warning('disk', `${message}.`, 'Downloads may not fit: make room, or save elsewhere with --out.', {
      free_bytes: free,
    });
  } catch {
    return warning('disk', 'This folder cannot be read.', 'Go to another one, or save elsewhere with --out.');
  }
}
