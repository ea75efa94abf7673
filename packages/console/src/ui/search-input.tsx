import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';

import { cx } from './class-names.ts';
import { TextInput } from './text-input.tsx';

interface Props {
  readonly value: string;
  /** Called with the text when typing pauses. */
  readonly onValue: (value: string) => void;
  readonly label: string;
  readonly placeholder?: string;
  readonly className?: string;
  readonly autoFocus?: boolean;
}

/** Long enough to search once per word, not once per letter. */
const DEBOUNCE_MS = 200;
const MAX_LENGTH = 200;

export function SearchInput({ value, onValue, label, placeholder = label, className, autoFocus }: Props) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [sent, setSent] = useState(value);
  // Browser Back changes the value from outside; an own change must not undo what was typed since.
  if (known !== value) {
    setKnown(value);
    if (value !== sent) setTyped(value);
  }
  const send = useEffectEvent((words: string) => {
    if (words === value) return;
    setSent(words);
    onValue(words);
  });
  useEffect(() => {
    const timer = setTimeout(() => send(typed.trim()), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <div className={cx('relative', className)}>
      <Search size={15} aria-hidden className="pointer-events-none absolute top-2.5 left-2.5 text-muted" />
      <TextInput
        type="search"
        value={typed}
        onValue={setTyped}
        placeholder={placeholder}
        aria-label={label}
        maxLength={MAX_LENGTH}
        className="pl-8"
        {...(autoFocus && { autoFocus })}
      />
    </div>
  );
}
