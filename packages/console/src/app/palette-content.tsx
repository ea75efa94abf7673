import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useState } from 'react';

import { useMessages } from '../i18n/i18n.tsx';
import { setPaletteOpen } from './palette-state.ts';
import { type PaletteEntry, usePaletteEntries } from './use-palette-entries.tsx';

export function PaletteContent() {
  const { shell } = useMessages();
  const [query, setQuery] = useState('');
  const entries = usePaletteEntries(query);
  const choose = (entry: PaletteEntry) => {
    setPaletteOpen(false);
    entry.onSelect();
  };
  return (
    <Autocomplete.Root
      open
      inline
      items={entries}
      value={query}
      onValueChange={setQuery}
      itemToStringValue={(entry: PaletteEntry) => entry.label}
      autoHighlight="always"
      keepHighlight
    >
      <Dialog.Title className="sr-only">{shell.palette}</Dialog.Title>
      <Autocomplete.Input
        autoFocus
        placeholder={shell.palette}
        aria-label={shell.palette}
        className="h-12 border-b border-line bg-transparent px-4 text-16 focus:outline-none focus-visible:outline-none"
      />
      <Autocomplete.Empty className="px-4 py-8 text-center text-muted empty:hidden">
        {shell.noResults}
      </Autocomplete.Empty>
      <Autocomplete.List className="scroll-quiet min-h-0 overflow-y-auto p-1.5 empty:p-0">
        {(entry: PaletteEntry) => (
          <Autocomplete.Item
            key={entry.id}
            value={entry}
            onClick={() => choose(entry)}
            className="flex h-10 cursor-default items-center gap-3 rounded-md px-2.5 select-none data-highlighted:bg-hover"
          >
            <span className="text-muted">{entry.icon}</span>
            <span className="truncate">{entry.label}</span>
            <span className="ml-auto truncate pl-3 text-12 text-muted">{entry.detail}</span>
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}
