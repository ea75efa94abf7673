import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';

import { useMessages } from '../../i18n/i18n.tsx';
import { dayOf, kindOf } from './asset-facts.ts';
import { DayHeading } from './day-heading.tsx';
import { GalleryTile, type TileActions, tileId } from './gallery-tile.tsx';
import { type GalleryRow, layOutRows, neighborOf, rowOf, type TileRow } from './justified-rows.ts';
import { TITLE_HEIGHT, useAnchor } from './use-anchor.ts';
import { useAspects } from './use-aspects.ts';
import { useElementWidth } from './use-element-width.ts';
import { pageOf, type SparseAssets } from './use-gallery-items.ts';

interface Props {
  readonly items: SparseAssets;
  /** The index that has the keyboard focus. */
  readonly active: number;
  readonly onActive: (index: number) => void;
  readonly selected: ReadonlyMap<string, unknown>;
  readonly onOpen: (index: number) => void;
  /** Selects one item; with `isRange` all from the last selected one to it. */
  readonly onSelect: (index: number, isRange: boolean) => void;
  /** The visible pages. */
  readonly onPages: (pages: readonly number[]) => void;
}

const GAP = 2;
const HEADING_HEIGHT = 44;
const DEFAULT_VIDEO_ASPECT = 16 / 9;
/** Pages are not loaded while the scroll bar is being dragged past them. */
const SCROLL_IDLE_MS = 80;

/** Pictures in justified rows. Only visible rows are rendered. */
export function GalleryGrid(props: Props) {
  const { items, active, onActive, selected, onPages } = props;
  const { gallery } = useMessages();
  const list = useRef<HTMLDivElement>(null);
  const width = useElementWidth(list);
  const { aspects, onAspect } = useAspects();
  const rows = useMemo(
    () =>
      width === 0
        ? []
        : layOutRows(items.length, {
            width,
            targetHeight: width < 600 ? 150 : width < 1400 ? 220 : 260,
            gap: GAP,
            headingHeight: HEADING_HEIGHT,
            aspectOf: (index) => aspectOf(items[index], aspects),
            dayOf: (index) => items[index] && dayOf(items[index]),
          }),
    [items, width, aspects],
  );

  const activeRow = rowOf(rows, active);
  const margin = list.current?.offsetTop ?? 0;
  // oxlint-disable-next-line react/incompatible-library -- none of it is passed to memoized components.
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (place) => sizeOf(rows[place]),
    overscan: 3,
    scrollMargin: margin,
    scrollPaddingStart: TITLE_HEIGHT,
    useFlushSync: false,
    // The focused row stays rendered, so that the focus is never lost.
    rangeExtractor: useCallback(
      (range: Range) => {
        const shown = defaultRangeExtractor(range);
        return shown.includes(activeRow) || activeRow >= range.count
          ? shown
          : [...shown, activeRow].toSorted((left, right) => left - right);
      },
      [activeRow],
    ),
  });
  const shown = virtual.getVirtualItems();
  useAnchor({ rows, margin, measure: () => virtual.measure() });

  const { startIndex, endIndex } = virtual.range ?? { startIndex: 0, endIndex: 0 };
  const from = pageOf(firstItem(rows, startIndex));
  const to = pageOf(lastItem(rows, endIndex));
  useEffect(() => {
    const timer = setTimeout(
      () => onPages(Array.from({ length: to - from + 1 }, (_, step) => from + step)),
      SCROLL_IDLE_MS,
    );
    return () => clearTimeout(timer);
  }, [from, to, onPages]);

  // A tile may have to load before it can have the focus; until then its placeholder has it.
  const wantsFocus = useRef(false);
  const hasFocus = useRef(false);
  // Immediately, or a key pressed in the meantime would be lost.
  useLayoutEffect(() => {
    // A tile that moves to another row becomes a new element.
    const isLost = hasFocus.current && document.activeElement === document.body;
    if (!wantsFocus.current && !isLost) return;
    const tile = list.current?.querySelector<HTMLElement>(`#${tileId(active)}`);
    tile?.focus({ preventScroll: !wantsFocus.current });
    if (tile instanceof HTMLAnchorElement) wantsFocus.current = false;
  });
  const focus = (index: number) => {
    wantsFocus.current = true;
    onActive(index);
    virtual.scrollToIndex(rowOf(rows, index), { align: 'auto' });
  };
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const end = items.length - 1;
    const next = {
      ArrowLeft: () => Math.max(0, active - 1),
      ArrowRight: () => Math.min(end, active + 1),
      ArrowUp: () => neighborOf(rows, active, -1),
      ArrowDown: () => neighborOf(rows, active, 1),
      Home: () => 0,
      End: () => end,
    }[event.key];
    if (next) {
      const index = next();
      if (event.shiftKey) props.onSelect(index, true);
      focus(index);
    } else if (event.key === 'x') props.onSelect(active, false);
    else if (event.key === ' ') {
      // The buttons of a tile handle their own keys.
      if (event.target instanceof HTMLButtonElement) return;
      props.onOpen(active);
    } else return;
    event.preventDefault();
  };

  const latest = useRef(props);
  latest.current = props;
  const actions = useMemo<TileActions>(
    () => ({
      onOpen: (index) => latest.current.onOpen(index),
      onSelect: (index, isRange) => latest.current.onSelect(index, isRange),
      onFocus: (index) => latest.current.onActive(index),
      onAspect,
    }),
    [onAspect],
  );

  return (
    // Handles keys for the whole list; its tiles have the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={list}
      role="group"
      aria-label={gallery.title}
      onKeyDown={press}
      onFocus={() => {
        hasFocus.current = true;
      }}
      // React sends no blur event for removed elements.
      onBlur={({ relatedTarget }) => {
        const isLeft = relatedTarget ? !list.current?.contains(relatedTarget) : document.hasFocus();
        if (!isLeft) return;
        hasFocus.current = false;
        wantsFocus.current = false;
      }}
      className="-mt-4"
    >
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index: place, start }) => {
          const row = rows[place];
          if (!row) return null;
          return (
            <div
              key={place}
              className="absolute inset-x-0 top-0 flex"
              style={{ transform: `translateY(${start - margin}px)`, height: row.height, gap: GAP }}
            >
              {row.kind === 'heading' ? (
                <DayHeading day={row.day} />
              ) : (
                <Tiles row={row} items={items} active={active} selected={selected} actions={actions} />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface TilesProps extends Pick<Props, 'items' | 'active' | 'selected'> {
  readonly row: TileRow;
  readonly actions: TileActions;
}

function Tiles({ row, items, active, selected, actions }: TilesProps): ReactNode {
  return row.widths.map((width, place) => {
    const index = row.first + place;
    const asset = items[index];
    if (!asset) {
      return (
        <div
          key={index}
          id={tileId(index)}
          tabIndex={-1}
          aria-hidden={index !== active}
          className="shrink-0 scroll-mt-16 bg-hover"
          style={{ width }}
        />
      );
    }
    return (
      <GalleryTile
        key={`${index} ${asset.id}`}
        asset={asset}
        index={index}
        width={width}
        height={row.height}
        isActive={index === active}
        isSelected={selected.has(asset.id)}
        isSelecting={selected.size > 0}
        {...actions}
      />
    );
  });
}

const sizeOf = (row: GalleryRow | undefined) =>
  row === undefined ? 0 : row.height + (row.kind === 'tiles' ? GAP : 0);

function firstItem(rows: readonly GalleryRow[], place: number): number {
  const row = rows[place]?.kind === 'heading' ? rows[place + 1] : rows[place];
  return row?.kind === 'tiles' ? row.first : 0;
}

function lastItem(rows: readonly GalleryRow[], place: number): number {
  const row = rows[place];
  return row?.kind === 'tiles' ? row.first + row.widths.length - 1 : firstItem(rows, place);
}

function aspectOf(asset: SparseAssets[number], aspects: ReadonlyMap<string, number>): number {
  if (!asset) return 1;
  const { width, height, id } = asset;
  if (width !== undefined && height !== undefined) return width / height;
  return aspects.get(id) ?? (kindOf(asset) === 'video' ? DEFAULT_VIDEO_ASPECT : 1);
}
