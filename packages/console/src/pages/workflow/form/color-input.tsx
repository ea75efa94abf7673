import { TextInput } from '../../../ui/text-input.tsx';
import { fieldText } from '../document/json.ts';

interface Props {
  readonly value: unknown;
  /** The node takes the color as a number, `0xrrggbb`. */
  readonly isNumber: boolean;
  readonly label: string;
  readonly onValue: (value: string | number) => void;
}

const HEX = /^#[0-9a-f]{6}$/i;

/** A color, from the browser's picker or as `#rrggbb`. */
export function ColorInput({ value, isNumber, label, onValue }: Props) {
  const hex = typeof value === 'number' ? `#${value.toString(16).padStart(6, '0')}` : fieldText(value);
  const set = (next: string) => {
    if (!isNumber) onValue(next);
    else if (HEX.test(next)) onValue(Number.parseInt(next.slice(1), 16));
  };
  return (
    <div className="flex gap-2">
      <input
        type="color"
        aria-label={label}
        value={HEX.test(hex) ? hex : '#000000'}
        onChange={(event) => set(event.currentTarget.value)}
        className="h-9 w-14 shrink-0 cursor-pointer rounded-md border border-edge/70 bg-surface p-1"
      />
      <TextInput
        key={hex}
        defaultValue={hex}
        className="font-mono text-13"
        onBlur={(event) => set(event.currentTarget.value.trim())}
        onKeyDown={(event) => event.key === 'Enter' && set(event.currentTarget.value.trim())}
      />
    </div>
  );
}
