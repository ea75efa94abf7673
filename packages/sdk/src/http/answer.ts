import { ANSWER_FIELDS, type Answers } from '../answers.ts';
import { AtelierError } from '../errors.ts';
import { isObject } from '../is-object.ts';
import { parseExactJson } from '../workflow/exact-json.ts';
import { readText } from './read-text.ts';

/** The response types by name. `[]` after a name marks a list. */
interface Plain {
  readonly nothing: void;
  readonly anything: unknown;
  readonly object: Record<string, unknown>;
  readonly 'string[]': string[];
}

type ListName = `${keyof Answers}[]`;
export type AnswerName = keyof Plain | keyof Answers | ListName;
export type AnswerOf<Name extends AnswerName> = Name extends keyof Plain
  ? Plain[Name]
  : Name extends keyof Answers
    ? Answers[Name]
    : Name extends `${infer Entry extends keyof Answers}[]`
      ? Answers[Entry][]
      : never;

/** Far above the largest response, the list of all node types. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** Reads a JSON response and checks that it has the expected type. */
export async function readAnswer<Name extends AnswerName>(
  name: Name,
  response: Response,
  isExact = false,
): Promise<AnswerOf<Name>> {
  const text = await readBody(response);
  let answer: unknown;
  let problem: string | undefined;
  try {
    answer = text === '' ? undefined : isExact ? parseExactJson(text) : JSON.parse(text);
    problem = problemIn(name, answer);
  } catch {
    problem = 'the answer is not JSON';
  }
  if (problem === undefined) return answer as AnswerOf<Name>;
  throw notAtelierError(response, problem);
}

export async function readBody(response: Response): Promise<string> {
  const text = await readText(response, MAX_ANSWER_BYTES);
  if (text === undefined) throw notAtelierError(response, 'it has more than 256 MiB');
  return text;
}

/** For servers that are not Atelier, or are another version of it. */
export function notAtelierError({ url, status, headers }: Response, problem: string): AtelierError {
  const { origin, pathname } = URL.canParse(url)
    ? new URL(url)
    : { origin: 'The server', pathname: 'a path' };
  return new AtelierError(
    'client.answer',
    `${origin} does not answer ${pathname} as Atelier does: ${problem}. Is it the right address, and as new as this client?`,
    { status, requestId: headers.get('x-request-id') ?? undefined },
  );
}

/** Why this cannot be the expected response. Only the first level is checked: a different response differs there. */
function problemIn(name: AnswerName, answer: unknown): string | undefined {
  if (name === 'nothing' || name === 'anything') return undefined;
  if (name.endsWith('[]')) {
    if (!Array.isArray(answer)) return 'it is not a list';
    const entry = name.slice(0, -2);
    if (entry === 'string')
      return answer.every((one) => typeof one === 'string') ? undefined : 'it is not a list of texts';
    return answer.length === 0 ? undefined : problemIn(entry as keyof Answers, answer[0]);
  }
  if (!isObject(answer)) return 'it is not an object';
  const fields = name === 'object' ? '' : ANSWER_FIELDS[name as keyof Answers];
  const missing = fields.split(' ').find((field) => field !== '' && !hasField(answer, field));
  return missing === undefined ? undefined : `it has no “${missing.replace(/\W+$/, '')}”`;
}

function hasField(answer: Readonly<Record<string, unknown>>, field: string): boolean {
  if (field.endsWith('[]')) return Array.isArray(answer[field.slice(0, -2)]);
  if (field.endsWith('{}')) return isObject(answer[field.slice(0, -2)]);
  return answer[field] !== undefined;
}
