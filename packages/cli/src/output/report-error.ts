import {
  AtelierError,
  ConnectionError,
  JobCancelledError,
  JobFailedError,
  TaskFailedError,
  TimeoutError,
  WorkflowRefusedError,
} from '@atelier/sdk';

import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import type { Output } from './create-output.ts';
import { plainText } from './plain-text.ts';

interface Report {
  readonly code: string;
  readonly message: string;
  readonly exitCode: ExitCode;
  readonly advice?: string | undefined;
  readonly requestId?: string | undefined;
  readonly details?: readonly string[];
}

const ADVICE: Readonly<Record<string, string>> = {
  'client.connection': 'Check that it is running. "atelier doctor" shows what is wrong.',
  'client.timeout': '"atelier doctor" shows what is slow.',
  'client.answer': '"atelier doctor" shows what is wrong.',
  'route.unknown':
    'The server may be too old, or its address has a path that does not belong there, such as /api. See "atelier doctor".',
  'client.sign_in': 'Try again with "atelier login".',
  'auth.required': 'Sign in with "atelier login", or set ATELIER_API_KEY.',
  'auth.invalid': 'The key is wrong, expired or revoked. Sign in again with "atelier login".',
  'auth.scope': 'Sign in again with "atelier login --scope", or use another key.',
  'credits.insufficient': 'See "atelier credits".',
  'cloud.subscription_required': 'An administrator can give you a plan: "atelier subscriptions set".',
};

/** Errors of the program, not of the user: their messages need an explanation. */
const PROGRAM_ERRORS = [TypeError, ReferenceError, RangeError, SyntaxError];

/** Prints one sentence about what went wrong and what to do. Never a stack trace. */
export function reportError(error: unknown, output: Output): ExitCode {
  const report = toReport(error);
  const { code, message, exitCode, advice, requestId, details = [] } = report;
  if (output.isJson) {
    const json = {
      code,
      message,
      exit_code: exitCode,
      ...(advice !== undefined && { advice }),
      ...(requestId !== undefined && { request_id: requestId }),
      ...(details.length > 0 && { details }),
    };
    output.result({ error: json }, () => '');
    return exitCode;
  }
  const lines = [
    `${output.styledError(['red', 'bold'], 'error:')} ${plainText(message)}`,
    // The SDK already includes short details in the message.
    ...details.filter((detail) => !message.includes(detail)).map((detail) => `  ${plainText(detail)}`),
    ...(advice === undefined ? [] : [plainText(advice)]),
  ];
  output.stderr.write(`${lines.join('\n')}\n`);
  return exitCode;
}

function toReport(error: unknown): Report {
  if (error instanceof CliError) {
    const { message, exitCode, advice, cause } = error;
    return { code: cause instanceof AtelierError ? cause.code : 'cli', message, exitCode, advice };
  }
  if (error instanceof AtelierError) {
    const { code, message, requestId } = error;
    const details = error instanceof WorkflowRefusedError ? problemsOf(error) : error.details;
    return { code, message, requestId, details, exitCode: exitCodeOf(error), advice: ADVICE[code] };
  }
  if (isAbort(error)) return { code: 'cancelled', message: 'Cancelled.', exitCode: EXIT.cancelled };
  const message = error instanceof Error ? error.message : String(error);
  if (PROGRAM_ERRORS.some((kind) => error instanceof kind)) {
    const advice = 'The server may be a different version: see "atelier doctor".';
    return { code: 'cli', message: `atelier itself failed: ${message}`, exitCode: EXIT.failed, advice };
  }
  return { code: 'cli', message, exitCode: EXIT.failed };
}

export function exitCodeOf(error: AtelierError): ExitCode {
  if (error instanceof JobCancelledError) return EXIT.cancelled;
  if (error instanceof JobFailedError || error instanceof TaskFailedError) return EXIT.failed;
  if (error instanceof ConnectionError || error instanceof TimeoutError || error.code === 'client.answer')
    return EXIT.unreachable;
  if (error.code === 'route.unknown') return EXIT.unreachable;
  if (error.code === 'client.usage' || error.code === 'client.workflow' || error.code === 'client.file')
    return EXIT.usage;
  return error.status !== undefined && error.status >= 500 ? EXIT.unreachable : EXIT.refused;
}

const MAX_PROBLEMS = 10;

function problemsOf({ nodeErrors }: WorkflowRefusedError): string[] {
  const all = Object.entries(nodeErrors).flatMap(([id, { class_type: type, errors }]) =>
    errors.map(
      ({ message, details }) => `node ${id} (${type}): ${[message, details].filter(Boolean).join(': ')}`,
    ),
  );
  const more = all.length - MAX_PROBLEMS;
  return more > 0 ? [...all.slice(0, MAX_PROBLEMS), `and ${more} more`] : all;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
