import type { Atelier } from '@atelier/sdk';
import type { Command } from 'commander';

import { createOutput, type Output, type Streams } from './output/create-output.ts';
import { fetchPatiently } from './output/fetch-patiently.ts';
import { type ChosenServer, chooseServer, type ServerOptions } from './profiles/choose-server.ts';

/** What every command takes, whether before or after its name. */
export interface GlobalOptions extends ServerOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color?: boolean;
  /** Lets the key go over plain http to a public address. */
  readonly insecure?: boolean;
}

/** What a command works with. */
export interface Context {
  readonly output: Output;
  readonly options: GlobalOptions;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the command is to end. */
  readonly signal: AbortSignal;
  /** Handles Ctrl-C, which otherwise aborts, until the answer is called. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** The server that options, variables and profiles name. */
  server(): Promise<ChosenServer>;
  atelier(): Promise<Atelier>;
}

/** Longer than a server takes to start again. */
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
      // An empty key keeps the variable from being used for another server.
      return createAtelier({
        url,
        apiKey: apiKey ?? '',
        allowInsecure: options.insecure,
        reconnectMs: RECONNECT_MS,
        fetch: fetchPatiently(output),
      });
    },
  };
}
