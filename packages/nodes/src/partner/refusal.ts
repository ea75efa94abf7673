import { isObject } from '@atelier/contracts/is-object';
import { NodeError } from '@atelier/engine';
import type { Answer, Service } from './service.ts';

const MAX_LENGTH = 1000;

/** Advice for a status, before the server's own sentence. */
const ADVICE: Readonly<Record<number, readonly [exceptionType: string, sentence: string]>> = {
  401: ['PermissionError', 'The API key or credential of the workflow is not valid (any more).'],
  402: [
    'InsufficientCredits',
    'There are not enough credits for this: add credits and run the workflow again.',
  ],
  403: ['PermissionError', 'The account that submitted the workflow may not do this.'],
  404: ['NotFound', 'The server does not know this task or route.'],
  413: ['ValueError', 'The picture is too large: scale it down first.'],
  429: [
    'TooManyRequests',
    'Too many generations of this account are under way: run the workflow again later.',
  ],
};

/** Turns a refusal of the server into a failure of the node. */
export function refusal({ clean }: Service, { status, body }: Answer): NodeError {
  const said = sentenceOf(body);
  const [exceptionType, advice] = ADVICE[status] ?? [status < 500 ? 'ValueError' : 'RuntimeError', ''];
  const fallback = `The server answered ${status}${status < 500 ? '' : ': it failed, and the reason is in its log'}.`;
  const text = [advice, said ?? (advice === '' ? fallback : '')].filter((part) => part !== '').join(' ');
  return new NodeError(exceptionType, clean(text));
}

/** Reads `{error, message}`, `{details, message}` or `{error: {message}}`. */
export function sentenceOf(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  const { message, details, error } = body;
  const main = written(message) ?? (isObject(error) ? written(error['message']) : written(error));
  const more = Array.isArray(details)
    ? details.flatMap((detail) => written(detail) ?? []).filter(isSentence)
    : [];
  if (main === undefined || more.length === 0)
    return (main ?? more.join('; ')).slice(0, MAX_LENGTH) || undefined;
  return `${withoutStop(main)}: ${more.map(withoutStop).join('; ')}.`.slice(0, MAX_LENGTH);
}

/** Codes such as `credits.insufficient` are for programs. */
function isSentence(text: string): boolean {
  return !/^[a-z_]+(?:\.[a-z_]+)+$/.test(text);
}

function withoutStop(text: string): string {
  return text.replace(/[.:]$/, '');
}

function written(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
