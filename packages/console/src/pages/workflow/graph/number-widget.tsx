import { Dices } from 'lucide-react';
import type { KeyboardEvent } from 'react';

import { useMessages } from '../../../i18n/i18n.tsx';
import { cx } from '../../../ui/class-names.ts';
import { randomSeed } from '../document/random-seed.ts';
import { type NumberInput, parseNumber, stepBy } from './number-values.ts';
import { WIDGET_BOX, WIDGET_INPUT, WidgetName } from './simple-widgets.tsx';
import { useDraft } from './use-draft.ts';
import { isSeed } from './widget-kind.ts';
import type { WidgetProps } from './widget-row.tsx';

const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

/** A number of any size within its bounds. Arrow keys step; a seed has a dice button. */
export function NumberWidget({ widget, label, onValue }: WidgetProps) {
  const { graph } = useMessages();
  const input = widget.input as NumberInput;
  const saved = String((widget.value as number | bigint | undefined) ?? '');
  const { text, isTyping, setDraft, endDraft } = useDraft(saved);
  const isWrong = isTyping && parseNumber(text, input) === undefined;
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') endDraft();
    const steps = STEPS[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    endDraft();
    onValue(stepBy(widget.value, steps, input));
  };
  return (
    <label className={WIDGET_BOX}>
      <WidgetName label={label} />
      <input
        type="text"
        role="spinbutton"
        inputMode={input.kind === 'int' ? 'numeric' : 'decimal'}
        aria-label={label}
        aria-valuenow={Number(widget.value ?? 0)}
        aria-valuetext={text}
        {...(input.options.min !== undefined && { 'aria-valuemin': Number(input.options.min) })}
        {...(input.options.max !== undefined && { 'aria-valuemax': Number(input.options.max) })}
        aria-invalid={isWrong}
        value={text}
        onChange={({ currentTarget }) => {
          const number = parseNumber(currentTarget.value, input);
          setDraft(currentTarget.value, number === undefined ? saved : String(number));
          if (number !== undefined) onValue(number);
        }}
        onBlur={endDraft}
        onKeyDown={press}
        className={cx(WIDGET_INPUT, 'tabular-nums', isWrong && 'text-failed')}
      />
      {isSeed(widget.name, input) && (
        <button
          type="button"
          aria-label={graph.newSeed}
          title={graph.newSeed}
          onClick={() => onValue(randomSeed(input))}
          className="flex size-5 shrink-0 items-center justify-center rounded-sm text-muted hover:bg-hover hover:text-text"
        >
          <Dices size={14} aria-hidden />
        </button>
      )}
    </label>
  );
}
