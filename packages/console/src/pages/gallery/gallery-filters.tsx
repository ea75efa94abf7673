import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import type { GalleryFilter } from './use-gallery-items.ts';

const ALL = '';
const KINDS = ['picture', 'video', 'audio', 'other'] as const;
const SOURCES = ['output', 'input'] as const;
/** The folders are tags too; they have a filter of their own. */
const FOLDERS = new Set(['input', 'output', 'temp']);
const TYPING_MS = 250;

/** What is shown, by words of its name, kind, origin and tag. It is in the address. */
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
      <SearchBox value={filter.q ?? ''} onValue={(q) => set({ q }, true)} />
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

/** Searches when one pauses. */
function SearchBox({
  value,
  onValue,
}: {
  readonly value: string;
  readonly onValue: (value: string) => void;
}) {
  const { gallery } = useMessages();
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [sent, setSent] = useState(value);
  // Back changes it from outside; what comes from here must not undo what was typed since.
  if (known !== value) {
    setKnown(value);
    if (value !== sent) setTyped(value);
  }
  useEffect(() => {
    if (typed.trim() === value) return undefined;
    const timer = setTimeout(() => {
      setSent(typed.trim());
      onValue(typed.trim());
    }, TYPING_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only what is typed begins a search.
  }, [typed]);
  return (
    <div className="relative grow sm:w-48 sm:grow-0">
      <Search size={15} aria-hidden className="pointer-events-none absolute top-2.5 left-2.5 text-muted" />
      <TextInput
        type="search"
        value={typed}
        onValue={setTyped}
        placeholder={gallery.search}
        aria-label={gallery.search}
        maxLength={200}
        className="pl-8"
      />
    </div>
  );
}
