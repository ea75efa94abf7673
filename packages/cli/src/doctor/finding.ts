import type { ExitCode } from '../exit-codes.ts';

export interface Finding {
  /** What was checked. */
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'problem';
  readonly message: string;
  /** What to do. */
  readonly advice?: string;
  /** The exit code of a problem. */
  readonly exitCode?: ExitCode;
  /** The same as data, for programs. */
  readonly data?: Readonly<Record<string, unknown>>;
}

type Data = Finding['data'];

export const ok = (name: string, message: string, data: Data = {}): Finding => ({
  name,
  status: 'ok',
  message,
  data,
});

export const warning = (name: string, message: string, advice: string, data: Data = {}): Finding => ({
  name,
  status: 'warning',
  message,
  advice,
  data,
});

export const problem = (name: string, message: string, advice: string, exitCode: ExitCode): Finding => ({
  name,
  status: 'problem',
  message,
  advice,
  exitCode,
});
