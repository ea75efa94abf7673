import { Combobox } from '@base-ui/react/combobox';
import { Check } from 'lucide-react';
import type { RefObject } from 'react';

import { useMessages } from '../../../i18n/i18n.tsx';

interface Props {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly label: string;
  readonly choices: readonly unknown[];
  readonly value: unknown;
  readonly isMultiple?: boolean;
  readonly onValue: (value: unknown) => void;
  readonly onClose: () => void;
}

/** More than anyone reads; typing finds the rest. */
const MAX_SHOWN = 200;

/** A list that is filtered by typing. Choices may be numbers, so they are identified by index. */
export function ChoiceList({ anchor, label, choices, value, isMultiple = false, onValue, onClose }: Props) {
  const { graph } = useMessages();
  const items = choices.map((choice, index) => ({ value: String(index), label: String(choice) }));
  const close = (isOpen: boolean) => !isOpen && onClose();
  const shared = {
    items,
    defaultOpen: true,
    limit: MAX_SHOWN,
    onOpenChange: close,
    autoHighlight: true,
  } as const;
  const content = (
    <Combobox.Portal>
      <Combobox.Positioner anchor={anchor} align="end" sideOffset={4} className="z-50">
        <Combobox.Popup
          aria-label={label}
          finalFocus={anchor}
          className="flex max-h-80 max-w-[min(28rem,90vw)] min-w-56 flex-col rounded-md border border-line bg-raised shadow-float"
        >
          <Combobox.Input
            placeholder={graph.search}
            aria-label={label}
            className="h-9 w-full border-b border-line bg-transparent px-3 text-13 focus:outline-none focus-visible:outline-none"
          />
          <Combobox.Empty className="px-3 py-4 text-13 text-muted empty:hidden">
            {graph.nothingFound}
          </Combobox.Empty>
          <Combobox.List className="scroll-quiet min-h-0 overflow-y-auto py-1 empty:p-0">
            {(item: (typeof items)[number]) => (
              <Combobox.Item
                key={item.value}
                value={item}
                className="flex cursor-default items-center gap-2 px-2.5 py-1 text-13 select-none data-highlighted:bg-hover"
              >
                <Combobox.ItemIndicator keepMounted className="invisible data-selected:visible">
                  <Check size={14} aria-hidden />
                </Combobox.ItemIndicator>
                <span className="min-w-0 wrap-anywhere">{item.label}</span>
              </Combobox.Item>
            )}
          </Combobox.List>
        </Combobox.Popup>
      </Combobox.Positioner>
    </Combobox.Portal>
  );
  const chosen = (isMultiple && Array.isArray(value) ? (value as unknown[]) : [value]).flatMap(
    (each) => items[choices.indexOf(each)] ?? [],
  );
  const at = (item: (typeof items)[number]) => choices[Number(item.value)];
  return isMultiple ? (
    <Combobox.Root {...shared} multiple value={chosen} onValueChange={(next) => onValue(next.map(at))}>
      {content}
    </Combobox.Root>
  ) : (
    <Combobox.Root {...shared} value={chosen[0] ?? null} onValueChange={(next) => next && onValue(at(next))}>
      {content}
    </Combobox.Root>
  );
}
