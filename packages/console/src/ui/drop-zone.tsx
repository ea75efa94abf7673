import { type DragEvent, type ReactNode, useRef, useState } from 'react';

import { cx } from './class-names.ts';

/** The data type of an item dragged from the gallery. */
const ASSET_TYPE = 'application/x-atelier-asset';

interface Props {
  readonly onFiles: (files: readonly File[]) => void;
  /** Called with the asset id of an item dragged from the gallery. */
  readonly onAsset?: (id: string) => void;
  /** The label for screen readers, if the content has none. */
  readonly label?: string;
  /** As for an `<input type="file">`. */
  readonly accept?: string;
  readonly isMultiple?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Accepts files that are dropped, pasted, or chosen after a click. */
export function DropZone({
  onFiles,
  onAsset,
  label,
  accept,
  isMultiple = false,
  className,
  children,
}: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = (list: FileList | null | undefined) => {
    const files = [...(list ?? [])];
    if (files.length > 0) onFiles(isMultiple ? files : files.slice(0, 1));
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const asset = event.dataTransfer.getData(ASSET_TYPE);
    if (asset !== '' && onAsset) onAsset(asset);
    else take(event.dataTransfer.files);
  };
  return (
    <>
      <button
        type="button"
        aria-label={label}
        onClick={() => input.current?.click()}
        onPaste={(event) => take(event.clipboardData.files)}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={cx(
          'flex w-full flex-col items-center justify-center gap-2 rounded-md border border-dashed border-edge text-center text-muted transition-colors hover:bg-hover hover:text-text',
          isOver && 'border-accent bg-accent-soft text-text',
          className,
        )}
      >
        {children}
      </button>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={isMultiple}
        hidden
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}
