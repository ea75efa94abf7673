import { parseArgs } from 'node:util';

import { randomToken } from '../platform/ids.ts';
import { BadUse } from './command.ts';

type Options = Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>;
type Values<O extends Options> = {
  readonly [Name in keyof O]?: O[Name]['type'] extends 'string' ? string : boolean;
};

export const LIMIT_OPTION = { limit: { type: 'string' } } as const;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 10_000;
/** Longer than any password may be. */
const MAX_PASSWORD_BYTES = 10_000;

/** Options, and the arguments in the order of `names`. A name that ends in `?` is optional. Bad use throws `BadUse`. */
export function readArgs<const O extends Options>(
  args: readonly string[],
  names: readonly string[],
  options: O,
) {
  const parsed = parse(args, options);
  const [extra] = parsed.positionals.slice(names.length);
  if (extra !== undefined) throw new BadUse(`There is one argument too many: ${extra}. See --help.`);
  const missing = names.slice(parsed.positionals.length).find((name) => !name.endsWith('?'));
  if (missing !== undefined) throw new BadUse(`${missing} is missing. See --help.`);
  return { values: parsed.values as Values<O>, positionals: parsed.positionals };
}

function parse(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The rest of the message is about arguments that begin with a dash.
    const [sentence] = error.message.split(/\.\s/, 1);
    throw new BadUse(`${sentence?.replace(/\.?$/, '.')} See --help.`);
  }
}

export function readLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new BadUse(`--limit must be an integer from 1 to ${MAX_LIMIT}, not ${text}.`);
}

/** The first line of standard input, or a new password. Never an argument: everybody on the machine can see those. */
export async function readPassword(fromInput: boolean | undefined): Promise<string> {
  if (!fromInput) return randomToken(18);
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.includes('\n') || text.length > MAX_PASSWORD_BYTES) break;
  }
  const [line = ''] = text.split(/\r?\n/, 1);
  if (line === '') throw new BadUse('There is no password on standard input.');
  return line;
}
