import { image2sixel } from 'sixel';

import { decodePicture, type Picture, resize } from './decode-picture.ts';
import type { TerminalPictures } from './detect-pictures.ts';

/** The size of previews, in characters. */
const ROWS = 12;
const COLUMNS = 36;
/** The largest chunk that Kitty accepts. */
const KITTY_PART = 4096;
/** Drawing again replaces the picture with this id. */
const KITTY_ID = 7311;
const MAX_COLORS = 256;

/** The sequence that draws a JPEG or PNG, and its height in rows. `undefined` if it cannot be decoded. */
export function drawPicture(
  bytes: Uint8Array,
  { protocol, cell }: TerminalPictures,
): { readonly text: string; readonly rows: number } | undefined {
  if (protocol === 'iterm') {
    const data = Buffer.from(bytes).toString('base64');
    const text = `\u001b]1337;File=inline=1;size=${bytes.length};height=${ROWS};width=${COLUMNS};preserveAspectRatio=1:${data}\u0007`;
    return { text: placed(text, ROWS), rows: ROWS };
  }
  const picture = decodePicture(bytes);
  if (!picture) return undefined;
  const scale = Math.min((COLUMNS * cell.width) / picture.width, (ROWS * cell.height) / picture.height, 1);
  const size = {
    width: Math.max(1, Math.round(picture.width * scale)),
    height: Math.max(1, Math.round(picture.height * scale)),
  };
  const rows = Math.ceil(size.height / cell.height);
  const small = resize(picture, size);
  if (protocol === 'sixel')
    return { text: placed(image2sixel(small.rgba, small.width, small.height, MAX_COLORS, 1), rows), rows };
  return { text: kitty(small, { rows, columns: Math.ceil(size.width / cell.width) }), rows };
}

/** Reserves the rows first and returns to the start afterwards, because terminals differ in where a picture leaves the cursor. */
function placed(drawing: string, rows: number): string {
  return `${'\n'.repeat(rows)}\u001b[${rows}A\u001b7${drawing}\u001b8\u001b[${rows}B`;
}

function kitty(
  { width, height, rgba }: Picture,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): string {
  const data = Buffer.from(rgba).toString('base64');
  const parts: string[] = [];
  for (let at = 0; at < data.length; at += KITTY_PART) {
    const isLast = at + KITTY_PART >= data.length;
    // `q=2`: no response from the terminal. `C=1`: the cursor does not move.
    const head =
      at === 0
        ? `a=T,f=32,i=${KITTY_ID},p=1,q=2,C=1,s=${width},v=${height},c=${columns},r=${rows},m=${isLast ? 0 : 1}`
        : `m=${isLast ? 0 : 1}`;
    parts.push(`\u001b_G${head};${data.slice(at, at + KITTY_PART)}\u001b\\`);
  }
  return `${parts.join('')}${'\n'.repeat(rows)}`;
}
