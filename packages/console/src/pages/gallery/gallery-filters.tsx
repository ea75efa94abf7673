import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Select } from '../../ui/select.tsx';
import type { GalleryFilter } from './use-gallery-items.ts';

const ALL = '';
const KINDS = ['picture', 'video', 'audio', 'other'] as const;
const SOURCES = ['output', 'input'] as const;
/** The folders are tags too; they have a filter of their own. */
const FOLDERS = new Set(['input', 'output', 'temp']);

/** The filters of the gallery: words of the name, kind, source and tag. They are kept in the address. */
export function GalleryFilters({ filter }: { readonly filter: GalleryFilter }) {
  const { gallery } = useMessages();
  const navigate = useNavigate({ from: '/gallery' });
  const { data: counts = {} } = useQuery({
    queryKey: ['assets', 'tags'],
    queryFn: async ({ signal }) => await atelier.assets.countTags({ limit: 100, signal }),
  });
  const set = (change: Partial<Record<keyof GalleryFilter, string>>, isReplaced = false) =>
    void navigate({
      search: (before) => {
        const next = Object.entries({ ...before, ...change }).filter(([, value]) => value !== ALL);
        return Object.fromEntries(next);
      },
      replace: isReplaced,
    });
  const tags = Object.keys(counts).filter((tag) => !FOLDERS.has(tag));
  if (filter.tag !== undefined && !tags.includes(filter.tag)) tags.push(filter.tag);
  return (
    <search className="flex w-full flex-wrap items-center gap-2 max-sm:order-last md:w-auto">
      <SearchInput
        value={filter.q ?? ''}
        onValue={(q) => set({ q }, true)}
        label={gallery.search}
        className="grow sm:w-48 sm:grow-0"
      />
      <div className="grid grow grid-cols-3 gap-2 sm:flex sm:grow-0">
        <Select
          label={gallery.kind}
          value={filter.kind ?? ALL}
          onValue={(kind) => set({ kind })}
          className="sm:w-32"
          items={[
            { value: ALL, label: gallery.allKinds },
            ...KINDS.map((value) => ({ value, label: gallery.kinds[value] })),
          ]}
        />
        <Select
          label={gallery.from}
          value={filter.from ?? ALL}
          onValue={(from) => set({ from })}
          className="sm:w-32"
          items={[
            { value: ALL, label: gallery.allSources },
            ...SOURCES.map((value) => ({ value, label: gallery.sources[value] })),
          ]}
        />
        <Select
          label={gallery.tag}
          value={filter.tag ?? ALL}
          onValue={(tag) => set({ tag })}
          className="sm:w-32"
          items={[
            { value: ALL, label: gallery.allTags },
            ...tags.map((value) => ({
              value,
              label: <span className="block max-w-60 truncate">{value}</span>,
            })),
          ]}
        />
      </div>
    </search>
  );
}
