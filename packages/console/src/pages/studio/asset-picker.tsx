import type { Asset } from '@atelier/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onPick: (asset: Asset) => void;
}

const PAGE_SIZE = 40;

/** A picture of the gallery. */
export function AssetPicker({ isOpen, onClose, onPick }: Props) {
  const { studio } = useMessages();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={studio.fromGallery} isWide>
      {isOpen && (
        <Pictures
          onPick={(asset) => {
            onPick(asset);
            onClose();
          }}
        />
      )}
    </Dialog>
  );
}

function Pictures({ onPick }: { readonly onPick: (asset: Asset) => void }) {
  const { studio, gallery, common } = useMessages();
  const [words, setWords] = useState('');
  const query = useInfiniteQuery({
    queryKey: ['assets', 'picker', words],
    queryFn: async ({ pageParam, signal }) => {
      const list = atelier.assets.list({
        kind: 'picture',
        pageSize: PAGE_SIZE,
        ...(words !== '' && { nameContains: words }),
        signal,
      });
      const { items, next } = await list.page(pageParam);
      return { items, next };
    },
    initialPageParam: undefined as string | number | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: (before) => before,
  });
  const assets = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const shown = assets.filter(({ thumbnail_url: url }) => url !== undefined);
  return (
    <>
      <SearchInput value={words} onValue={setWords} label={gallery.search} autoFocus />
      {query.error && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && shown.length === 0 && (
        <EmptyState>{words === '' ? studio.noPictures : gallery.nothingFound}</EmptyState>
      )}
      <div className="grid grid-cols-[repeat(auto-fill,minmax(112px,1fr))] gap-1.5">
        {query.isPending &&
          Array.from({ length: 10 }, (_, place) => <Skeleton key={place} className="aspect-square" />)}
        {shown.map((asset) => (
          <button
            key={asset.id}
            type="button"
            title={asset.name}
            aria-label={studio.picked(asset.name)}
            onClick={() => onPick(asset)}
            className="aspect-square overflow-hidden rounded-sm bg-hover hover:outline-2 hover:outline-accent"
          >
            <img
              src={atelier.assets.previewUrl(asset.id, 256)}
              alt=""
              loading="lazy"
              className="size-full object-contain"
            />
          </button>
        ))}
      </div>
      {query.hasNextPage && (
        <Button
          className="self-center"
          isBusy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {common.loadMore}
        </Button>
      )}
    </>
  );
}
