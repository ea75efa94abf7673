import type { Config } from '../config/load-config.ts';

/** A command for operators. */
export interface AdminCommand {
  /** What follows its name, such as `--to s3://BUCKET`. */
  readonly usage: string;
  /** What `--help` of the command says. */
  readonly help: string;
  run(options: CommandOptions): Promise<void>;
}

export interface CommandOptions {
  /** What follows the name of the command, not yet parsed. */
  readonly args: string[];
  /** Reads the settings of the server. `changes` come from options of the command. */
  readonly readConfig: (changes?: Readonly<Record<string, string>>) => Config;
  /** Aborted by Ctrl-C and `SIGTERM`. */
  readonly signal: AbortSignal;
}

/** The command was called wrongly. Ends with exit code 2; without a message, the usage is shown. */
export class BadUse extends Error {
  override readonly name = 'BadUse';
}

/** The command could not do it. Ends with exit code 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
