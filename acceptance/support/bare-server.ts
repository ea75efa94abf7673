import { once } from 'node:events';
import { spawnServer } from '@atelier/testing';

import { until } from './until.ts';

export interface BareServer extends AsyncDisposable {
  readonly url: string;
  output(): string;
}

/** A server on a folder and database that somebody else looks after. */
export async function startBareServer(settings: Readonly<Record<string, string>>): Promise<BareServer> {
  const { child, output } = spawnServer(settings);
  const exited = once(child, 'exit');
  const url = await until('the server to listen', () => {
    if (child.exitCode !== null) throw new Error(`the server did not start:\n${output()}`);
    return /Atelier listens on (\S+)/.exec(output())?.[1];
  });
  return {
    url,
    output,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
