import { useState } from 'react';

import { useMessages } from '../../../i18n/i18n.tsx';
import { TextArea } from '../../../ui/text-input.tsx';

interface Props {
  readonly value: unknown;
  readonly onValue: (value: unknown) => void;
}

/** A value of a type without its own field, such as a curve, as JSON. */
export function JsonInput({ value, onValue }: Props) {
  const { workflow: texts } = useMessages();
  const [text, setText] = useState<string>();
  const [isWrong, setWrong] = useState(false);
  const set = (next: string) => {
    setText(next);
    try {
      onValue(JSON.parse(next));
      setWrong(false);
    } catch {
      setWrong(true);
    }
  };
  return (
    <>
      <TextArea
        value={text ?? JSON.stringify(value ?? null)}
        onValue={set}
        rows={2}
        spellCheck={false}
        className="font-mono text-12"
        aria-invalid={isWrong || undefined}
      />
      {isWrong && <p className="text-12 text-failed">{texts.notJson}</p>}
    </>
  );
}
