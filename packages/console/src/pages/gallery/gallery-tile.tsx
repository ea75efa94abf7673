import type { Asset } from '@atelier/sdk';
import { Check, Download } from 'lucide-react';
import { type MouseEvent, memo, useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { cx } from '../../ui/class-names.ts';
import { TileMedia } from './tile-media.tsx';
import { UseAsInput } from './use-as-input.tsx';

/** Callbacks from tiles to the grid. The object never changes, so a tile re-renders only when it changes itself. */
export interface TileActions {
  readonly onOpen: (index: number) => void;
  readonly onSelect: (index: number, isRange: boolean) => void;
  readonly onFocus: (index: number) => void;
  readonly onAspect: (id: string, aspect: number) => void;
}

interface Props extends TileActions {
  readonly asset: Asset;
  readonly index: number;
  readonly width: number;
  readonly height: number;
  /** The tile with the keyboard focus. */
  readonly isActive: boolean;
  readonly isSelected: boolean;
  /** A selection exists, so a click selects too. */
  readonly isSelecting: boolean;
}

/** Narrower tiles have no room for buttons. */
const ROOM_FOR_ACTIONS = 132;
const ON_PICTURE =
  'inline-flex size-7 shrink-0 items-center justify-center rounded-sm text-white hover:bg-white/25 focus-visible:outline-white';

export const tileId = (index: number) => `tile-${index}`;

export const GalleryTile = memo(function GalleryTile(props: Props) {
  const { asset, index, width, height, isActive, isSelected, isSelecting } = props;
  const { gallery, common } = useMessages();
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const click = (event: MouseEvent) => {
    // Leaves opening a new tab to the browser.
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    props.onFocus(index);
    if (event.shiftKey || isSelecting) props.onSelect(index, event.shiftKey);
    else props.onOpen(index);
  };
  return (
    <div
      className="group relative shrink-0 overflow-hidden bg-hover"
      style={{ width, height }}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <a
        id={tileId(index)}
        href={`/console/gallery?item=${asset.id}`}
        tabIndex={isActive ? 0 : -1}
        aria-label={asset.name}
        draggable
        onClick={click}
        onFocus={() => props.onFocus(index)}
        onDragStart={({ dataTransfer }) => {
          dataTransfer.setData('application/x-atelier-asset', asset.id);
          dataTransfer.effectAllowed = 'copy';
        }}
        className="absolute inset-0 scroll-mt-16 focus-visible:-outline-offset-3 focus-visible:outline-3"
      >
        <TileMedia
          asset={asset}
          width={width}
          height={height}
          isPlaying={isHovered || isFocused}
          onAspect={props.onAspect}
        />
        {isSelected && <span aria-hidden className="absolute inset-0 border-3 border-accent bg-accent/20" />}
      </a>
      <button
        type="button"
        role="checkbox"
        aria-checked={isSelected}
        aria-label={gallery.select(asset.name)}
        tabIndex={isActive ? 0 : -1}
        onClick={(event) => {
          props.onFocus(index);
          props.onSelect(index, event.shiftKey);
        }}
        className={cx(
          'absolute top-1.5 left-1.5 flex size-7 items-center justify-center rounded-full border-2 text-on-accent focus-visible:opacity-100 pointer-coarse:opacity-100',
          isSelected
            ? 'border-accent bg-accent'
            : 'border-white bg-black/45 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100',
        )}
      >
        {isSelected && <Check size={14} aria-hidden />}
      </button>
      {(isHovered || isActive) && (
        <div
          className={cx(
            'absolute inset-x-0 bottom-0 hidden h-9 items-center gap-0.5 bg-black/70 pr-1 pl-2 text-12 text-white group-hover:flex',
            'group-has-focus-visible:flex',
          )}
        >
          <span className="min-w-0 grow truncate" title={asset.name}>
            {asset.name}
          </span>
          {width >= ROOM_FOR_ACTIONS && (
            <>
              <UseAsInput asset={asset} className={ON_PICTURE} tabIndex={isActive ? 0 : -1} />
              <a
                href={atelier.assets.contentUrl(asset.id, 'attachment')}
                download={asset.name}
                aria-label={`${common.download} ${asset.name}`}
                title={common.download}
                tabIndex={isActive ? 0 : -1}
                className={ON_PICTURE}
              >
                <Download size={15} aria-hidden />
              </a>
            </>
          )}
        </div>
      )}
    </div>
  );
});
