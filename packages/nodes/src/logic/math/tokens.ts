import { NodeError } from '@atelier/engine';

/** The tokens of an expression. `end` ends a statement: a new line, a semicolon, or the end of the text. */
export type Token =
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'name'; readonly value: string }
  | { readonly kind: 'mark'; readonly value: string }
  | { readonly kind: 'end'; readonly value: '' };

const SPACE = /(?:[ \t\f]|\\\r?\n|#[^\r\n]*)*/y;
const NEW_LINE = /[\r\n;]/y;
const FLOAT =
  /(?:[0-9](?:_?[0-9])*\.(?:[0-9](?:_?[0-9])*)?|\.[0-9](?:_?[0-9])*)(?:[eE][-+]?[0-9](?:_?[0-9])*)?|[0-9](?:_?[0-9])*[eE][-+]?[0-9](?:_?[0-9])*/y;
const INTEGER = /0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|0(?:_?0)*|[1-9](?:_?[0-9])*/y;
const NAME = /[\p{XID_Start}_]\p{XID_Continue}*/uy;
/** Must not follow a number without a space, but operators that are words may. */
const UNSPACED = /(?!(?:and|else|if|in|is|not|or)\b)[\p{XID_Start}_]/uy;
const TEXT = /'((?:[^'\\\r\n]|\\[\s\S])*)'|"((?:[^"\\\r\n]|\\[\s\S])*)"/y;
const MARK = /\*\*=|\/\/=|<<=|>>=|\*\*|\/\/|<<|>>|<=|>=|==|!=|[-+*/%&|^@]=|:=|[-+*/%@&|^~<>=()[\]{},:.]/y;
const MAX_DIGITS = 4300;

/** The tokens of Python that expressions need. */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let position = 0;
  let open = 0;

  function take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = position;
    const match = pattern.exec(text) ?? undefined;
    if (match) position = pattern.lastIndex;
    return match;
  }

  for (;;) {
    take(SPACE);
    if (position >= text.length) break;
    const newLine = take(NEW_LINE)?.[0];
    if (newLine !== undefined) {
      // A line continues inside brackets.
      if (newLine === ';' || open === 0) tokens.push({ kind: 'end', value: '' });
      continue;
    }
    const token = readToken(take, text.charAt(position));
    if (token.kind === 'mark' && /[([{]/.test(token.value)) open += 1;
    if (token.kind === 'mark' && /[)\]}]/.test(token.value)) open -= 1;
    tokens.push(token);
  }
  tokens.push({ kind: 'end', value: '' });
  return tokens;
}

function readToken(take: (pattern: RegExp) => RegExpExecArray | undefined, next: string): Token {
  const number = readNumber(take);
  if (number) {
    if (take(UNSPACED)) throw syntaxError('invalid decimal literal');
    return number;
  }
  const text = take(TEXT);
  if (text) return { kind: 'text', value: unescape(text[1] ?? text[2] ?? '') };
  const name = take(NAME)?.[0];
  if (name !== undefined) return { kind: 'name', value: name.normalize('NFKC') };
  const mark = take(MARK)?.[0];
  if (mark !== undefined) return { kind: 'mark', value: mark };
  throw syntaxError(`unexpected character ${next}`);
}

function readNumber(take: (pattern: RegExp) => RegExpExecArray | undefined): Token | undefined {
  const float = take(FLOAT)?.[0];
  if (float !== undefined) return { kind: 'float', value: Number(float.replaceAll('_', '')) };
  const digits = take(INTEGER)?.[0].replaceAll('_', '');
  if (digits === undefined) return undefined;
  if (digits.length > MAX_DIGITS) throw syntaxError(`the number has more than ${MAX_DIGITS} digits`);
  if (/^0[0-9]*[1-9]/.test(digits))
    throw syntaxError('leading zeros in decimal integer literals are not permitted');
  return { kind: 'integer', value: BigInt(digits) };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' };

/** Texts are rare in arithmetic, so only the plain escapes are known. */
function unescape(text: string): string {
  return text.replace(
    /\\([\s\S])/g,
    (whole, letter: string) => ESCAPES[letter] ?? (/\w/.test(letter) ? whole : letter),
  );
}

export function syntaxError(message: string): NodeError {
  return new NodeError('SyntaxError', `invalid expression: ${message}`);
}
