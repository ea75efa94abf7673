import { roundHalfEven } from '../../../values/arithmetic.ts';
import { loadSharp } from '../../codecs/load-sharp.ts';
import { typefaceFile } from './typeface.ts';

const LINE_SPACING = 1.2;
const MARGIN_SHARE = 0.01;
const OUTLINE_SHARE = 0.04;
const MIN_PIXELS = 10;
const MIN_SHARE = 0.02;
const SHRINKING = 0.9;
/** The line of Aileron in Pango, in sizes, both rounded up to pixels. */
const ASCENT = 1833 / 2048;
const DESCENT = 497 / 2048;
/** No common letter is narrower, in sizes. */
const MIN_ADVANCE = 0.2;

export interface TextOptions {
  readonly width: number;
  readonly height: number;
  readonly text: string;
  readonly fontSize: number;
  readonly position: 'top' | 'bottom';
  readonly align: 'left' | 'center' | 'right';
  readonly outline: boolean;
  readonly checkpoint: () => void;
}

/** The ink of each pixel, from 0 to 255, and the position of the upper left pixel in the picture. */
export interface DrawnText {
  readonly ink: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
  readonly size: number;
  readonly stroke: number;
}

/** Breaks the text into lines and shrinks it until it fits, or until it would be unreadable. */
export async function drawText(options: TextOptions): Promise<DrawnText> {
  const { width, height, position, align, checkpoint } = options;
  const text = clean(options.text);
  const margin = roundHalfEven(MARGIN_SHARE * Math.min(width, height));
  const maxWidth = Math.max(1, width - 2 * margin);
  const maxHeight = Math.max(1, height - 2 * margin);
  let size = Math.max(1, roundHalfEven((options.fontSize / 100) * height));
  const floor = Math.min(size, Math.max(MIN_PIXELS, roundHalfEven(MIN_SHARE * height)));
  for (;;) {
    checkpoint();
    const stroke = options.outline ? Math.max(1, roundHalfEven(size * OUTLINE_SHARE)) : 0;
    const pitch = roundHalfEven(size * LINE_SPACING);
    const rows = Math.ceil(height / pitch) + 2;
    const shown = cut(text, rows, Math.ceil(maxWidth / (size * MIN_ADVANCE)) + 1, position);
    if (shown === text || size <= floor) {
      const lines = shown.replaceAll(/^\n+|\n+$/g, '');
      const drawn = await renderLines(lines, { size, pitch, width: maxWidth, align });
      // The last of several blank lines at the end has no height, as in Pillow.
      const before = shown.indexOf(lines) * pitch;
      const after = Math.max(0, shown.length - lines.length - shown.indexOf(lines) - 1) * pitch;
      if (size <= floor || before + drawn.height + after + 2 * stroke <= maxHeight) {
        const left = {
          left: margin + stroke,
          center: Math.round((width - drawn.width) / 2),
          right: width - margin - stroke - drawn.width,
        }[align];
        const top =
          position === 'top' ? margin + stroke + before : height - margin - stroke - after - drawn.height;
        return { ...drawn, left, top, size, stroke };
      }
    }
    size = Math.max(floor, Math.trunc(size * SHRINKING));
  }
}

function clean(text: string): string {
  return text
    .toWellFormed()
    .split('\n')
    .map((line) =>
      line
        .trim()
        .replaceAll(/\s+/gu, ' ')
        .replaceAll(/\p{Cc}/gu, ''),
    )
    .join('\n');
}

/** The visible part of a text that is far too long: its beginning, or its end at the bottom. */
function cut(text: string, rows: number, columns: number, position: 'top' | 'bottom'): string {
  const slice = position === 'top' ? ([0, rows] as const) : ([-rows] as const);
  const lines = text
    .split('\n')
    .slice(...slice)
    .join('\n');
  const length = rows * columns;
  return (position === 'top' ? lines.slice(0, length) : lines.slice(-length)).toWellFormed();
}

interface LineOptions {
  readonly size: number;
  readonly pitch: number;
  readonly width: number;
  readonly align: TextOptions['align'];
}

async function renderLines(
  text: string,
  { size, pitch, width, align }: LineOptions,
): Promise<Pick<DrawnText, 'ink' | 'width' | 'height'>> {
  const sharp = await loadSharp();
  const markup = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const image = sharp({
    text: {
      text: markup,
      font: `Aileron ${size}`,
      fontfile: await typefaceFile(),
      dpi: 72,
      width,
      wrap: 'word-char',
      align,
      spacing: pitch - Math.ceil(ASCENT * size) - Math.ceil(DESCENT * size),
    },
  });
  try {
    const { data, info } = await image.extractChannel(0).raw().toBuffer({ resolveWithObject: true });
    return { ink: data, width: info.width, height: info.height };
  } catch (error) {
    // All of its characters are invisible.
    if (String(error).includes('no text to render')) return { ink: new Uint8Array(), width: 0, height: 0 };
    throw error;
  }
}
