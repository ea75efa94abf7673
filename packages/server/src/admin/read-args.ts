import { parseArgs } from 'node:util';

import { BadUse } from './command.ts';

type Options = Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>;
type Values<O extends Options> = {
  readonly [Name in keyof O]?: O[Name]['type'] extends 'string' ? string : boolean;
};

/**
 * Options, and the arguments in the order of `names`. A name that ends in `?` may be left out. Wrong use is a sentence and exit code 2.
 */
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
    // The rest of the message is about characters that begin an argument.
    const [sentence] = error.message.split(/\.\s/, 1);
    throw new BadUse(`${sentence?.replace(/\.?$/, '.')} See --help.`);
  }
}
