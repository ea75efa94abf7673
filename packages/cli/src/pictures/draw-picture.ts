import { image2sixel } from 'sixel';

import { decodePicture, type Picture, resize } from './decode-picture.ts';
import type { TerminalPictures } from './detect-pictures.ts';

/** How large previews are drawn, in characters. */
const ROWS = 12;
const COLUMNS = 36;
/** Kitty takes no more at once. */
const KITTY_PART = 4096;
/** Drawing again replaces the picture with this id. */
const KITTY_ID = 7311;
const MAX_COLORS = 256;

/** The sequence that draws a JPEG or PNG, and how many rows it takes. `undefined` for what cannot be decoded. */
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

/** Makes room first and comes back at the end: terminals differ in where a picture leaves the cursor. */
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
    // `q=2`: the terminal answers nothing. `C=1`: the cursor stays.
    const head =
      at === 0
        ? `a=T,f=32,i=${KITTY_ID},p=1,q=2,C=1,s=${width},v=${height},c=${columns},r=${rows},m=${isLast ? 0 : 1}`
        : `m=${isLast ? 0 : 1}`;
    parts.push(`\u001b_G${head};${data.slice(at, at + KITTY_PART)}\u001b\\`);
  }
  return `${parts.join('')}${'\n'.repeat(rows)}`;
}
