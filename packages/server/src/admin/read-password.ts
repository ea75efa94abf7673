import { randomToken } from '../platform/ids.ts';
import { BadUse } from './command.ts';

/** Longer than any password may be. */
const MAX_BYTES = 10_000;

/** The first line of standard input, or a new one. Never an argument: those can be seen by everybody on the machine. */
export async function readPassword(fromInput: boolean | undefined): Promise<string> {
  if (!fromInput) return randomToken(18);
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.includes('\n') || text.length > MAX_BYTES) break;
  }
  const [line = ''] = text.split(/\r?\n/, 1);
  if (line === '') throw new BadUse('There is no password on standard input.');
  return line;
}
