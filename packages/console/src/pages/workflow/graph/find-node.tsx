import { Autocomplete } from '@base-ui/react/autocomplete';
import { useState } from 'react';

import { useMessages } from '../../../i18n/i18n.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

export interface FoundNode {
  readonly id: string;
  readonly title: string;
  readonly type: string;
}

interface Props {
  readonly nodes: readonly FoundNode[];
  readonly onChoose: (id: string) => void;
  readonly onClose: () => void;
}

/** Finds every node by name, including those outside the view. */
export function FindNode({ nodes, onChoose, onClose }: Props) {
  const { graph } = useMessages();
  const [query, setQuery] = useState('');
  return (
    <Dialog isOpen onClose={onClose} title={graph.findNode}>
      <Autocomplete.Root
        open
        inline
        items={nodes}
        limit={100}
        value={query}
        onValueChange={setQuery}
        itemToStringValue={({ title, type, id }: FoundNode) => `${title} ${type} ${id}`}
        autoHighlight="always"
        keepHighlight
      >
        <Autocomplete.Input
          placeholder={graph.search}
          aria-label={graph.findNode}
          className="h-9 rounded-md border border-edge/70 bg-surface px-2.5 focus:border-accent focus:outline-none focus-visible:outline-none"
        />
        <Autocomplete.Empty className="py-6 text-center text-13 text-muted empty:hidden">
          {graph.nothingFound}
        </Autocomplete.Empty>
        <Autocomplete.List className="scroll-quiet h-72 overflow-y-auto empty:hidden">
          {(node: FoundNode) => (
            <Autocomplete.Item
              key={node.id}
              value={node}
              onClick={() => onChoose(node.id)}
              className="flex h-9 cursor-default items-center gap-3 rounded-md px-2.5 text-13 select-none data-highlighted:bg-hover"
            >
              <span className="truncate">{node.title}</span>
              <span className="ml-auto shrink-0 truncate pl-3 text-12 text-muted">
                {node.type} · {node.id}
              </span>
            </Autocomplete.Item>
          )}
        </Autocomplete.List>
      </Autocomplete.Root>
    </Dialog>
  );
}
