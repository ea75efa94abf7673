/** The exit codes of every command; docs/guide/command-line.md has the table. */
export const EXIT = {
  done: 0,
  /** A job or task failed while it ran. */
  failed: 1,
  /** The command line itself is wrong: an unknown option, a missing file, a bad value. */
  usage: 2,
  /** The server refused: the workflow, the key, the plan or the credits do not allow it. */
  refused: 3,
  /** The server is down, too old, or not Atelier. */
  unreachable: 4,
  /** By Ctrl-C or by another user. The code that shells use for an interrupt. */
  cancelled: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure with a message for the user. `advice` says what to do next. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;
  readonly advice: string | undefined;
  constructor(message: string, { exitCode = EXIT.usage, advice, cause }: CliErrorOptions = {}) {
    super(message, { cause });
    this.exitCode = exitCode;
    this.advice = advice;
  }
}

interface CliErrorOptions {
  readonly exitCode?: ExitCode;
  readonly advice?: string;
  readonly cause?: unknown;
}
