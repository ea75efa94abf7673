import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'fast-string-width';

import { truncate } from './render-table.ts';

export interface Drawing {
  readonly lines: readonly string[];
  /** Below the lines. */
  readonly picture?: { readonly text: string; readonly rows: number } | undefined;
}

const UPDATE_MS = 100;
const PICTURE_UPDATE_MS = 250;
const CLEAR_BELOW = '\u001b[J';
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';

/** Lines at the bottom of the terminal that are redrawn, below permanent lines. */
export function createLiveDisplay(stream: NodeJS.WriteStream) {
  let rows = 0;
  let latest: (() => Drawing) | undefined;
  let kept: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let hadPicture = false;
  let isPaused = false;

  const columns = (): number => Math.max(10, (stream.columns || 80) - 1);
  /** A line that is too long loses its colors, because cutting could remove the reset sequence. */
  const fit = (line: string): string =>
    stringWidth(line) <= columns() ? line : truncate(stripVTControlCharacters(line), columns());
  const back = (): string => (rows > 0 ? `\r\u001b[${rows}A${CLEAR_BELOW}` : '');

  function draw(): void {
    clearTimeout(timer);
    timer = undefined;
    drawnAt = performance.now();
    const { lines, picture } = latest?.() ?? { lines: [] };
    const texts = lines.map(fit);
    const above = kept.map((line) => `${line}\n`).join('');
    kept = [];
    const block = texts.map((line) => `${line}\n`).join('') + (picture?.text ?? '');
    stream.write(`${HIDE_CURSOR}${back()}${above}${block}${SHOW_CURSOR}`);
    rows = texts.length + (picture?.rows ?? 0);
    hadPicture = picture !== undefined;
  }

  function soon(): void {
    if (timer || isPaused) return;
    const pause = hadPicture ? PICTURE_UPDATE_MS : UPDATE_MS;
    timer = setTimeout(draw, Math.max(0, drawnAt + pause - performance.now()));
  }

  function clear(): void {
    latest = undefined;
    draw();
  }

  return {
    /** Prints a permanent line. */
    keep(line: string): void {
      kept.push(fit(line));
      soon();
    },
    /** Sets what is shown from now on; called each time it is drawn. */
    show(drawing: () => Drawing): void {
      latest = drawing;
      soon();
    },
    /** Removes the redrawn lines; permanent lines stay. */
    clear,
    /** Clears the display while a prompt uses the terminal. */
    pause(): void {
      clear();
      isPaused = true;
    },
    resume(): void {
      isPaused = false;
      soon();
    },
  };
}
