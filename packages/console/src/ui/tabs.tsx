import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

import { cx } from './class-names.ts';

export interface Tab<T extends string> {
  readonly value: T;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

interface Props<T extends string> {
  readonly tabs: readonly Tab<T>[];
  readonly value?: T;
  readonly onValue?: (value: T) => void;
  /** The label of the tab list. */
  readonly label: string;
  readonly className?: string;
}

export function Tabs<T extends string>({ tabs, value, onValue, label, className }: Props<T>) {
  return (
    <BaseTabs.Root
      {...(value === undefined ? { defaultValue: tabs[0]?.value } : { value })}
      onValueChange={(next: T) => onValue?.(next)}
      className={cx('flex min-w-0 flex-col', className)}
    >
      <BaseTabs.List
        aria-label={label}
        className="scroll-quiet relative flex gap-1 overflow-x-auto border-b border-line"
      >
        {tabs.map((tab) => (
          <BaseTabs.Tab
            key={tab.value}
            value={tab.value}
            className="-mb-px h-9 shrink-0 border-b-2 border-transparent px-2.5 text-13 font-medium whitespace-nowrap text-muted hover:text-text data-active:border-accent data-active:text-text focus-visible:-outline-offset-2"
          >
            {tab.label}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      {tabs.map((tab) => (
        <BaseTabs.Panel key={tab.value} value={tab.value} className="min-w-0 pt-4">
          {tab.content}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  );
}
