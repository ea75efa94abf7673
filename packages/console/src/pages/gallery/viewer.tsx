import type { Asset } from '@atelier/sdk';
import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { Check, ChevronLeft, ChevronRight, Download, Info, Trash2, X } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { InfoPanel } from './info-panel.tsx';
import { UseAsInput } from './use-as-input.tsx';
import type { SparseAssets } from './use-gallery-items.ts';
import { ViewerMedia } from './viewer-media.tsx';

interface Props {
  readonly id: string;
  readonly items: SparseAssets;
  /** Its index in the list, if it is in it. */
  readonly index: number;
  readonly isSelected: boolean;
  readonly onMove: (index: number) => void;
  readonly onSelect: (asset: Asset) => void;
  readonly onDelete: (asset: Asset) => Promise<void>;
  readonly onClose: () => void;
  readonly finalFocus: () => HTMLElement | null;
}

const INFO_STORAGE_KEY = 'atelier.gallery.info';
const BUTTON =
  'inline-flex size-9 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text';

/** One file in the whole window. Arrow keys go to the next, `i` shows how it was made. */
export function Viewer({
  id,
  items,
  isSelected,
  onMove,
  onSelect,
  onDelete,
  onClose,
  finalFocus,
  ...place
}: Props) {
  const { gallery, common } = useMessages();
  const format = useFormat();
  const popup = useRef<HTMLDivElement>(null);
  const [isInfoOpen, setInfoOpen] = useState(() => localStorage.getItem(INFO_STORAGE_KEY) === 'open');
  // A link may lead to a file that the list has not loaded yet.
  const index = items[place.index]?.id === id ? place.index : items.findIndex((item) => item?.id === id);
  const listed = items[index];
  const { data: asset = listed, error } = useQuery({
    queryKey: ['assets', 'one', id],
    queryFn: async ({ signal }) => await atelier.assets.get(id, { signal }),
    ...(listed && { initialData: listed, staleTime: 60_000 }),
  });
  const toggleInfo = () => {
    localStorage.setItem(INFO_STORAGE_KEY, isInfoOpen ? 'closed' : 'open');
    setInfoOpen(!isInfoOpen);
  };
  const step = (by: -1 | 1) => index >= 0 && onMove(index + by);
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    if (!(target instanceof Element) || event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = target.closest('input, textarea, video, audio') !== null;
    // A dialog or menu above it handles its own keys.
    const above = target.closest('[role=dialog], [role=alertdialog], [role=menu]');
    if (isTyping || (above !== null && above !== popup.current)) return;
    const act = {
      ArrowLeft: () => step(-1),
      ArrowRight: () => step(1),
      i: toggleInfo,
      x: () => asset && onSelect(asset),
      Delete: () => asset && void onDelete(asset),
      ' ': popup.current?.contains(target) && target.closest('button, a') ? undefined : onClose,
    }[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
  useEffect(() => {
    // On the document, because the focus arrives a moment after the view and earlier keys must not be lost.
    const onKey = (event: KeyboardEvent) => press(event);
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, []);
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Popup
          ref={popup}
          // Not a button: keys are handled by the whole view.
          initialFocus={popup}
          finalFocus={finalFocus}
          tabIndex={-1}
          className="fixed inset-0 z-40 flex flex-col bg-canvas focus:outline-none focus-visible:outline-none"
        >
          <header className="flex h-14 shrink-0 items-center gap-1 border-b border-line px-2 sm:px-4">
            <Dialog.Title className="mr-auto min-w-0 truncate text-14 font-semibold">
              {asset?.name ?? (error ? gallery.title : common.loading)}
              {index >= 0 && (
                <span className="ml-3 text-13 font-normal text-muted max-sm:hidden">
                  {gallery.position(format.number(index + 1), format.number(items.length))}
                </span>
              )}
            </Dialog.Title>
            {asset && (
              <>
                <IconButton
                  label={gallery.select(asset.name)}
                  isPressed={isSelected}
                  icon={<Check size={17} aria-hidden />}
                  onClick={() => onSelect(asset)}
                />
                <UseAsInput asset={asset} className={BUTTON} />
                <a
                  href={atelier.assets.contentUrl(asset.id, 'attachment')}
                  download={asset.name}
                  aria-label={common.download}
                  title={common.download}
                  className={BUTTON}
                >
                  <Download size={17} aria-hidden />
                </a>
                <IconButton
                  label={common.delete}
                  icon={<Trash2 size={17} aria-hidden />}
                  onClick={() => void onDelete(asset)}
                />
                <IconButton
                  label={gallery.info}
                  isPressed={isInfoOpen}
                  icon={<Info size={17} aria-hidden />}
                  onClick={toggleInfo}
                />
              </>
            )}
            <Dialog.Close aria-label={common.close} className={BUTTON}>
              <X size={18} aria-hidden />
            </Dialog.Close>
          </header>
          <div className="flex min-h-0 grow flex-col md:flex-row">
            <div className="relative flex min-h-0 min-w-0 grow items-center justify-center p-2 sm:px-14 sm:py-4">
              {asset ? (
                <ViewerMedia key={asset.id} asset={asset} />
              ) : (
                error !== null && <ErrorState error={error} />
              )}
              {index >= 0 && (
                <>
                  <Turn side="left" label={gallery.previous} isOff={index === 0} onTurn={() => step(-1)}>
                    <ChevronLeft size={22} aria-hidden />
                  </Turn>
                  <Turn
                    side="right"
                    label={gallery.next}
                    isOff={index === items.length - 1}
                    onTurn={() => step(1)}
                  >
                    <ChevronRight size={22} aria-hidden />
                  </Turn>
                </>
              )}
            </div>
            {asset && isInfoOpen && <InfoPanel asset={asset} />}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface TurnProps {
  readonly side: 'left' | 'right';
  readonly label: string;
  readonly isOff: boolean;
  readonly onTurn: () => void;
  readonly children: ReactNode;
}

function Turn({ side, label, isOff, onTurn, children }: TurnProps) {
  return (
    <button
      type="button"
      aria-label={label}
      disabled={isOff}
      onClick={onTurn}
      className={`absolute top-1/2 flex size-10 -translate-y-1/2 items-center justify-center rounded-full bg-surface/80 text-text hover:bg-hover disabled:invisible ${side === 'left' ? 'left-2' : 'right-2'}`}
    >
      {children}
    </button>
  );
}
