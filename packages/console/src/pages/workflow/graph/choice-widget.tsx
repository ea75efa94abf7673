import { ChevronDown } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';

import { ChoiceList } from './choice-list.tsx';
import { textOfValue, WIDGET_BOX, WidgetName } from './simple-widgets.tsx';
import { choicesOf } from './widget-kind.ts';
import type { WidgetProps } from './widget-row.tsx';

/** Selects one or several values. */
export function ChoiceWidget({ widget: { input, value }, label, onValue }: WidgetProps) {
  const isMultiple = input.kind === 'combo' && input.options.multiselect === true;
  return (
    <ChoiceBox
      label={label}
      shown={isMultiple && Array.isArray(value) ? value.map(textOfValue).join(', ') : textOfValue(value)}
      choices={choicesOf(input)}
      value={value}
      isMultiple={isMultiple}
      onValue={onValue}
    />
  );
}

interface Props {
  readonly label: string;
  readonly shown: string;
  readonly choices: readonly unknown[];
  readonly value: unknown;
  readonly isMultiple?: boolean;
  readonly onValue: (value: unknown) => void;
}

/** The list is rendered when opened, because a node may offer thousands of models. */
export function ChoiceBox({ label, shown, choices, value, isMultiple = false, onValue }: Props) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      return;
    }
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = choices[choices.indexOf(value) + step];
    if (step === 0 || isMultiple || next === undefined) return;
    event.preventDefault();
    onValue(next);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        title={shown}
        onClick={() => setOpen(true)}
        onKeyDown={press}
        className={WIDGET_BOX}
      >
        <WidgetName label={label} isRead /> <span className="min-w-0 grow truncate text-right">{shown}</span>
        <ChevronDown size={12} aria-hidden className="shrink-0 text-muted" />
      </button>
      {isOpen && (
        <ChoiceList
          anchor={button}
          label={label}
          choices={choices}
          value={value}
          isMultiple={isMultiple}
          onValue={onValue}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
