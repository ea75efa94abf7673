/** A row of the gallery: the heading of a day, or pictures side by side. */
export type GalleryRow = HeadingRow | TileRow;

interface Placed {
  readonly top: number;
  readonly height: number;
}
export interface HeadingRow extends Placed {
  readonly kind: 'heading';
  /** As returned by `dayOf`. */
  readonly day: number;
}
export interface TileRow extends Placed {
  readonly kind: 'tiles';
  /** The index of the first picture. */
  readonly first: number;
  readonly widths: readonly number[];
}

export interface RowOptions {
  readonly width: number;
  /** The maximum height of a row. */
  readonly targetHeight: number;
  readonly gap: number;
  readonly headingHeight: number;
  /** Width by height. */
  readonly aspectOf: (index: number) => number;
  /** The day of a picture; `undefined` if not known yet, then it stays with those before it. */
  readonly dayOf: (index: number) => number | undefined;
}

/** Beyond these a picture would fill a whole row, or be too narrow to see. It is still shown uncropped. */
const MIN_ASPECT = 0.35;
const MAX_ASPECT = 4;

/** Fills each row from edge to edge without cropping. The last row of a day keeps the height of the others. */
export function layOutRows(count: number, options: RowOptions): GalleryRow[] {
  const { width, targetHeight, gap, headingHeight, aspectOf, dayOf } = options;
  const rows: GalleryRow[] = [];
  let top = 0;
  let day: number | undefined;
  let first = 0;
  let aspects: number[] = [];
  let sum = 0;

  const close = (isFull: boolean) => {
    if (aspects.length === 0) return;
    const room = width - gap * (aspects.length - 1);
    const height = Math.round(isFull ? room / sum : Math.min(targetHeight, room / sum));
    // Whole pixels; the last picture takes the remainder.
    const widths = aspects.map((aspect) => Math.floor(height * aspect));
    if (isFull) {
      const others = widths.slice(0, -1).reduce((all, one) => all + one, 0);
      widths[widths.length - 1] = room - others;
    }
    rows.push({ kind: 'tiles', first, widths, top, height });
    top += height + gap;
    first += aspects.length;
    aspects = [];
    sum = 0;
  };

  for (let index = 0; index < count; index += 1) {
    const itsDay = dayOf(index);
    if (itsDay !== undefined && itsDay !== day) {
      close(false);
      rows.push({ kind: 'heading', day: itsDay, top, height: headingHeight });
      top += headingHeight;
      day = itsDay;
    }
    const aspect = Math.min(MAX_ASPECT, Math.max(MIN_ASPECT, aspectOf(index)));
    aspects.push(aspect);
    sum += aspect;
    if ((width - gap * (aspects.length - 1)) / sum <= targetHeight) close(true);
  }
  close(false);
  return rows;
}

/** The index of the row that contains a picture. */
export function rowOf(rows: readonly GalleryRow[], index: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (firstOf(rows, middle) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A heading belongs to the row below it, so it never counts as the row of a picture. */
function firstOf(rows: readonly GalleryRow[], place: number): number {
  const row = rows[place];
  const next = row?.kind === 'heading' ? rows[place + 1] : row;
  return next?.kind === 'tiles' ? next.first : Number.POSITIVE_INFINITY;
}

/** The picture above or below another: the one with the nearest center. */
export function neighborOf(rows: readonly GalleryRow[], index: number, step: -1 | 1): number {
  const place = rowOf(rows, index);
  const row = rows[place];
  let next = place + step;
  if (rows[next]?.kind === 'heading') next += step;
  const other = rows[next];
  if (row?.kind !== 'tiles' || other?.kind !== 'tiles') return index;
  const middle = middles(row)[index - row.first] ?? 0;
  let best = 0;
  for (const [at, found] of middles(other).entries()) {
    if (Math.abs(found - middle) < Math.abs((middles(other)[best] ?? 0) - middle)) best = at;
  }
  return other.first + best;
}

function middles({ widths }: TileRow): number[] {
  let left = 0;
  return widths.map((width) => {
    left += width;
    return left - width / 2;
  });
}
