import { useState } from 'react';

import { useMessages } from '../../../i18n/i18n.tsx';
import { cx } from '../../../ui/class-names.ts';
import { useDraft } from './use-draft.ts';
import type { WidgetProps } from './widget-row.tsx';

/** The box of a one-line widget: its name at the start, its value at the end. */
export const WIDGET_BOX =
  'nopan flex size-full min-w-0 items-center gap-2 rounded-sm border border-edge/50 bg-canvas pr-1 pl-2 text-12 hover:border-edge focus-within:border-accent focus-within:ring-1 focus-within:ring-accent';
export const WIDGET_INPUT =
  'min-w-0 grow bg-transparent px-1 text-right text-12 text-text focus:outline-none focus-visible:outline-none';

/** The label for screen readers if the control has none of its own. */
export function WidgetName({ label, isRead = false }: { readonly label: string; readonly isRead?: boolean }) {
  return (
    <span aria-hidden={!isRead} className="max-w-3/5 shrink-0 truncate text-muted">
      {label}
    </span>
  );
}

export function TextWidget({ widget: { value }, label, onValue }: WidgetProps) {
  const { text, setDraft, endDraft } = useDraft(textOfValue(value));
  return (
    <label className={WIDGET_BOX}>
      <WidgetName label={label} />
      <input
        type="text"
        aria-label={label}
        value={text}
        onChange={({ currentTarget }) => {
          setDraft(currentTarget.value, currentTarget.value);
          onValue(currentTarget.value);
        }}
        onBlur={endDraft}
        className={WIDGET_INPUT}
      />
    </label>
  );
}

export function TextAreaWidget({ widget: { value, input }, label, onValue }: WidgetProps) {
  const { text, setDraft, endDraft } = useDraft(textOfValue(value));
  const placeholder = input.kind === 'string' ? input.options.placeholder : undefined;
  return (
    <textarea
      aria-label={label}
      placeholder={placeholder ?? label}
      value={text}
      onChange={({ currentTarget }) => {
        setDraft(currentTarget.value, currentTarget.value);
        onValue(currentTarget.value);
      }}
      onBlur={endDraft}
      className="nopan nowheel scroll-quiet my-px size-full resize-none rounded-sm border border-edge/50 bg-canvas px-2 py-1 text-12 leading-snug hover:border-edge focus:border-accent focus:outline-none focus-visible:outline-none focus:ring-1 focus:ring-accent"
    />
  );
}

export function BooleanWidget({ widget: { value, input }, label, onValue }: WidgetProps) {
  const { graph } = useMessages();
  const isOn = value === true;
  const { label_on: on = graph.on, label_off: off = graph.off } =
    input.kind === 'boolean' ? input.options : {};
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      onClick={() => onValue(!isOn)}
      className={WIDGET_BOX}
    >
      <WidgetName label={label} />
      <span className="grow truncate text-right">{isOn ? on : off}</span>
      <span
        aria-hidden
        className={cx(
          'flex h-3.5 w-6 shrink-0 rounded-full p-0.5',
          isOn ? 'justify-end bg-accent' : 'bg-edge',
        )}
      >
        <span className="size-2.5 rounded-full bg-surface" />
      </span>
    </button>
  );
}

/** Colors are strings, or numbers if the node takes one. */
export function ColorWidget({ widget: { value, input }, label, onValue }: WidgetProps) {
  const isNumber = input.kind === 'int' || input.kind === 'float';
  const hex = isNumber
    ? `#${Math.max(0, Math.min(0xff_ff_ff, Number(value ?? 0)))
        .toString(16)
        .padStart(6, '0')}`
    : textOfValue(value);
  const isColor = /^#[\da-f]{6}$/i.test(hex);
  return (
    <label className={WIDGET_BOX}>
      <WidgetName label={label} />
      <span aria-hidden className="grow text-right font-mono">
        {hex}
      </span>
      <input
        type="color"
        aria-label={label}
        value={isColor ? hex : '#000000'}
        onChange={({ currentTarget }) =>
          onValue(isNumber ? Number.parseInt(currentTarget.value.slice(1), 16) : currentTarget.value)
        }
        className="h-4 w-7 shrink-0 cursor-pointer border-0 bg-transparent p-0"
      />
    </label>
  );
}

/** Values without a widget here, such as curves, as they are in the file. */
export function JsonWidget({ widget: { value }, label, onValue }: WidgetProps) {
  const saved = JSON.stringify(value) ?? '';
  const { text, setDraft, endDraft } = useDraft(saved);
  const [isWrong, setWrong] = useState(false);
  return (
    <label className={WIDGET_BOX}>
      <WidgetName label={label} />
      <input
        type="text"
        aria-label={label}
        aria-invalid={isWrong}
        value={text}
        onChange={({ currentTarget }) => {
          const read = readJson(currentTarget.value);
          setDraft(currentTarget.value, read === undefined ? saved : JSON.stringify(read));
          setWrong(read === undefined);
          if (read !== undefined) onValue(read);
        }}
        onBlur={() => {
          setWrong(false);
          endDraft();
        }}
        className={cx(WIDGET_INPUT, 'font-mono', isWrong && 'text-failed')}
      />
    </label>
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A value formatted for people. */
export function textOfValue(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
    ? String(value)
    : value === undefined || value === null
      ? ''
      : JSON.stringify(value);
}
