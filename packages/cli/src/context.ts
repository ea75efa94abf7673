import type { Atelier } from '@atelier/sdk';
import type { Command } from 'commander';

import { createOutput, type Output, type Streams } from './output/create-output.ts';
import { fetchWithNotice } from './output/fetch-with-notice.ts';
import { type ChosenServer, chooseServer, type ServerOptions } from './profiles/choose-server.ts';

/** The options of every command, before or after its name. */
export interface GlobalOptions extends ServerOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color?: boolean;
  /** Allows sending the key over plain http to a public address. */
  readonly insecure?: boolean;
}

/** What a command needs to run. */
export interface Context {
  readonly output: Output;
  readonly options: GlobalOptions;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the command should end. */
  readonly signal: AbortSignal;
  /** Handles Ctrl-C instead of aborting, until the returned function is called. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** The server from the options, variables and profiles. */
  server(): Promise<ChosenServer>;
  atelier(): Promise<Atelier>;
}

/** Longer than a server takes to restart. */
const RECONNECT_MS = 120_000;

export interface ContextParts extends Streams, Pick<Context, 'env' | 'signal' | 'onInterrupt'> {}

export function createContext(parts: ContextParts, command: Command): Context {
  const options = command.optsWithGlobals<GlobalOptions>();
  const output = createOutput(parts, {
    isJson: options.json === true,
    isQuiet: options.quiet === true,
    hasColor: options.color !== false,
  });
  const server = async (): Promise<ChosenServer> => await chooseServer(options, parts.env);
  return {
    output,
    options,
    env: parts.env,
    signal: parts.signal,
    onInterrupt: parts.onInterrupt,
    server,
    async atelier() {
      const { createAtelier } = await import('@atelier/sdk');
      const { url, apiKey } = await server();
      // An empty key prevents using the variable's key for another server.
      return createAtelier({
        url,
        apiKey: apiKey ?? '',
        allowInsecure: options.insecure,
        reconnectMs: RECONNECT_MS,
        fetch: fetchWithNotice(output),
      });
    },
  };
}
