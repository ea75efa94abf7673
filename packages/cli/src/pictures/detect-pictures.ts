import type { Output } from '../output/create-output.ts';

/** How a terminal shows pictures. */
export type PictureProtocol = 'kitty' | 'iterm' | 'sixel';

export interface TerminalPictures {
  readonly protocol: PictureProtocol;
  /** The size of one character, if the terminal reports it. */
  readonly cell: { readonly width: number; readonly height: number };
}

const TIMEOUT_MS = 500;
/** Queries: a one-pixel Kitty picture that is not shown, name and version, cell size, and last the device attributes, which every terminal answers. */
const QUERIES = '\u001b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u001b\\\u001b[>q\u001b[16t\u001b[c';
const ATTRIBUTES = /\u001b\[\?([\d;]*)c/;
const KITTY = /\u001b_Gi=31;OK\u001b\\/;
/** Terminals that support the iTerm2 protocol and report their name. */
const ITERM = /\u001bP>\|(?:iTerm2|WezTerm|mintty|rio)/i;
const CELL = /\u001b\[6;(\d+);(\d+)t/;
const SIXEL = '4';

/** Asks the terminal what it supports. `undefined` if it shows no pictures or does not answer in time. */
export async function detectPictures({
  stdin,
  stderr,
  isLive,
}: Output): Promise<TerminalPictures | undefined> {
  if (!isLive || !stdin.isTTY || stdin.isRaw) return undefined;
  const answer = await ask(stdin, stderr);
  return readAnswer(answer);
}

export function readAnswer(answer: string): TerminalPictures | undefined {
  const attributes = ATTRIBUTES.exec(answer)?.[1]?.split(';') ?? [];
  const [, height = '20', width = '10'] = CELL.exec(answer) ?? [];
  const cell = { width: Number(width) || 10, height: Number(height) || 20 };
  if (KITTY.test(answer)) return { protocol: 'kitty', cell };
  if (ITERM.test(answer)) return { protocol: 'iterm', cell };
  return attributes.includes(SIXEL) ? { protocol: 'sixel', cell } : undefined;
}

async function ask(stdin: NodeJS.ReadStream, out: NodeJS.WriteStream): Promise<string> {
  let answer = '';
  let stop = (): void => {};
  stdin.setRawMode(true);
  try {
    return await new Promise((resolve) => {
      const onData = (part: Buffer): void => {
        answer += part.toString('latin1');
        if (ATTRIBUTES.test(answer)) resolve(answer);
      };
      const timer = setTimeout(() => resolve(''), TIMEOUT_MS);
      stop = () => {
        clearTimeout(timer);
        stdin.off('data', onData);
      };
      stdin.on('data', onData);
      stdin.resume();
      out.write(QUERIES);
    });
  } finally {
    stop();
    stdin.setRawMode(false);
    stdin.pause();
    // A terminal that does not know a query may have printed it.
    out.write('\r\u001b[K');
  }
}
