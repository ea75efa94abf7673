import { useNavigate, useSearch } from '@tanstack/react-router';
import { Images, Upload } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';

import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { showErrorToast } from '../../ui/toasts.tsx';
import { GalleryFilters } from './gallery-filters.tsx';
import { GalleryGrid } from './gallery-grid.tsx';
import { GallerySkeleton } from './gallery-skeleton.tsx';
import { tileId } from './gallery-tile.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { UploadArea } from './upload-area.tsx';
import { useDeleteAssets } from './use-delete-assets.ts';
import { type GalleryFilter, pageOf, useGalleryItems } from './use-gallery-items.ts';
import { useSelection } from './use-selection.ts';
import { useUploads } from './use-uploads.ts';
import { Viewer } from './viewer.tsx';

export function GalleryPage() {
  const { gallery } = useMessages();
  const format = useFormat();
  const navigate = useNavigate({ from: '/gallery' });
  const { item, q, tag, kind, from } = useSearch({ from: '/app/gallery' });
  const filter = useMemo<GalleryFilter>(
    () => ({ ...(q && { q }), ...(tag && { tag }), ...(kind && { kind }), ...(from && { from }) }),
    [q, tag, kind, from],
  );
  const isFiltered = Object.keys(filter).length > 0;
  const [active, setActive] = useState(0);
  const [inSight, setInSight] = useState<readonly number[]>([0]);
  // The neighbors of the full-screen view are loaded too.
  const wanted = useMemo(
    () => [...new Set([...inSight, pageOf(Math.max(0, active - 1)), pageOf(active + 1)])],
    [inSight, active],
  );
  const { total, items, load, error, refetch } = useGalleryItems(filter, wanted);
  const selection = useSelection();
  const lastSelected = useRef(0);
  const uploads = useUploads();
  const picker = useRef<HTMLInputElement>(null);

  const select = useCallback(
    (index: number, isRange: boolean) => {
      const start = isRange ? lastSelected.current : index;
      lastSelected.current = index;
      if (!isRange) {
        const asset = items[index];
        if (asset) selection.toggle(asset);
        return;
      }
      load(Math.min(start, index), Math.max(start, index)).then(selection.add, showErrorToast);
    },
    [items, load, selection],
  );
  const show = (id: string | undefined, isReplaced = false) =>
    void navigate({
      search: { ...filter, ...(id !== undefined && { item: id }) },
      replace: isReplaced,
      resetScroll: false,
    });
  const open = (index: number) => {
    setActive(index);
    const asset = items[index];
    if (asset) show(asset.id);
  };
  const deleteAssets = useDeleteAssets((ids) => selection.remove(ids));

  return (
    <Page
      title={
        <>
          {gallery.title}{' '}
          {total !== undefined && total > 0 && (
            <span className="ml-1 text-13 font-normal text-muted">{format.number(total)}</span>
          )}
        </>
      }
      tools={<GalleryFilters filter={filter} />}
      action={
        <Button
          look="primary"
          icon={<Upload size={15} aria-hidden />}
          onClick={() => picker.current?.click()}
        >
          {gallery.upload}
        </Button>
      }
    >
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          uploads.add([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      <UploadArea uploads={uploads}>
        {total === undefined && error !== null && <ErrorState error={error} onRetry={refetch} />}
        {total === undefined && error === null && <GallerySkeleton />}
        {total === 0 && (
          <EmptyState
            icon={<Images size={28} aria-hidden />}
            action={
              isFiltered ? (
                <Button onClick={() => void navigate({ search: {} })}>{gallery.clearFilters}</Button>
              ) : (
                <Button onClick={() => picker.current?.click()}>{gallery.upload}</Button>
              )
            }
          >
            {isFiltered ? gallery.nothingFound : gallery.empty}
          </EmptyState>
        )}
        {total !== undefined && total > 0 && (
          <GalleryGrid
            items={items}
            active={Math.min(active, total - 1)}
            onActive={setActive}
            selected={selection.chosen}
            onOpen={open}
            onSelect={select}
            onPages={setInSight}
          />
        )}
      </UploadArea>
      {selection.chosen.size > 0 && <SelectionBar selection={selection} onDelete={deleteAssets} />}
      {item !== undefined && (
        <Viewer
          id={item}
          items={items}
          index={active}
          isSelected={selection.chosen.has(item)}
          onMove={(index) => {
            const next = items[index];
            if (!next) return;
            setActive(index);
            // Back leads to the grid, not through every item viewed.
            show(next.id, true);
          }}
          onSelect={selection.toggle}
          onDelete={async (asset) => {
            if (await deleteAssets([asset])) show(undefined, true);
          }}
          onClose={() => show(undefined, true)}
          finalFocus={() => document.querySelector<HTMLElement>(`#${tileId(active)}`)}
        />
      )}
    </Page>
  );
}
