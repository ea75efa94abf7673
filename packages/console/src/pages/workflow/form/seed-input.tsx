import { Dices, Shuffle } from 'lucide-react';

import { useMessages } from '../../../i18n/i18n.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { fieldText } from '../document/json.ts';
import { randomSeed } from '../document/random-seed.ts';
import type { Widget } from '../document/workflow-nodes.ts';
import { useWorkflowModel } from '../workflow-model.ts';

interface Props {
  /** `nodeId.input`. */
  readonly id: string;
  readonly widget: Widget;
  readonly onValue: (value: unknown) => void;
}

/** A seed with a dice button. Seeds may have 64 bits, so it is a text field of digits. */
export function SeedInput({ id, widget, onValue }: Props) {
  const { workflow: texts } = useMessages();
  const model = useWorkflowModel();
  const isRandom = model.randomized.has(id);
  return (
    <div className="flex gap-1">
      <TextInput
        value={fieldText(widget.value)}
        inputMode="numeric"
        className="font-mono text-13 tabular-nums"
        onValue={(text) => {
          if (/^\d{1,20}$/.test(text)) onValue(toSeed(text));
          if (text === '') onValue(0);
        }}
      />
      <IconButton
        label={texts.randomize}
        icon={<Dices size={17} aria-hidden />}
        onClick={() => onValue(randomSeed(widget.input))}
      />
      <IconButton
        label={texts.randomizeAlways}
        icon={<Shuffle size={16} aria-hidden />}
        isPressed={isRandom}
        onClick={() => model.setRandomized(id, !isRandom)}
      />
    </div>
  );
}

function toSeed(digits: string): number | bigint {
  const seed = BigInt(digits);
  return seed <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(seed) : seed;
}
