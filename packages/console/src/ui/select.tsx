import { Select as BaseSelect } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';

import { cx } from './class-names.ts';
import { CONTROL } from './text-input.tsx';

export interface SelectItem<T extends string> {
  readonly value: T;
  readonly label: ReactNode;
}

interface Props<T extends string> {
  readonly value: T;
  readonly onValue: (value: T) => void;
  readonly items: readonly SelectItem<T>[];
  /** Needed outside a `Field`. */
  readonly label?: string;
  readonly disabled?: boolean;
  readonly className?: string;
}

/** Selects one of several values. */
export function Select<T extends string>({ value, onValue, items, label, disabled, className }: Props<T>) {
  return (
    <BaseSelect.Root
      items={items}
      value={value}
      onValueChange={(next) => next !== null && onValue(next)}
      {...(disabled === undefined ? {} : { disabled })}
    >
      <BaseSelect.Trigger
        aria-label={label}
        className={cx(CONTROL, 'flex h-9 items-center justify-between gap-2 text-left', className)}
      >
        <BaseSelect.Value className="truncate" />
        <BaseSelect.Icon>
          <ChevronsUpDown size={14} aria-hidden className="text-muted" />
        </BaseSelect.Icon>
      </BaseSelect.Trigger>
      <BaseSelect.Portal>
        <BaseSelect.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
          <BaseSelect.Popup className="scroll-quiet max-h-80 min-w-(--anchor-width) overflow-y-auto rounded-md border border-line bg-raised py-1 shadow-float">
            {items.map((item) => (
              <BaseSelect.Item
                key={item.value}
                value={item.value}
                className="flex cursor-default items-center gap-2 px-2.5 py-1.5 text-14 select-none data-highlighted:bg-hover"
              >
                <BaseSelect.ItemIndicator keepMounted className="invisible data-selected:visible">
                  <Check size={14} aria-hidden />
                </BaseSelect.ItemIndicator>
                <BaseSelect.ItemText>{item.label}</BaseSelect.ItemText>
              </BaseSelect.Item>
            ))}
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  );
}
