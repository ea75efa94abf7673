import { invalid } from '../errors/app-error.ts';

/** Line breaks, other control characters, and those that turn the direction of the text around them. */
const NOT_ONE_LINE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** A name stands in lists, logs and terminals, where it must not pass for more than itself. */
export function assertOneLine(text: string | undefined, what: string): void {
  if (text === undefined || !NOT_ONE_LINE.test(text)) return;
  throw invalid(
    `${what} is one line of text: without line breaks, control characters and marks that turn its direction.`,
  );
}
