/** Control characters, and marks that change the direction of text. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text from a server or a file may contain sequences that move the cursor or set the clipboard. None reach the terminal. */
export function plainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(UNSAFE, '\u{fffd}');
}

/** The same in one line. */
export function plainLine(text: string): string {
  return plainText(text).replaceAll(/\s+/g, ' ').trim();
}
