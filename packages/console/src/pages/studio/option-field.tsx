import type { GenerationField } from '@atelier/sdk';
import { Dices } from 'lucide-react';

import { useMessages } from '../../i18n/i18n.tsx';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { Select } from '../../ui/select.tsx';
import { Slider } from '../../ui/slider.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextArea, TextInput } from '../../ui/text-input.tsx';
import { problemOf, type Values } from './build-request.ts';
import { PictureSlot } from './picture-slot.tsx';

interface Props {
  readonly field: GenerationField;
  readonly value: Values[string];
  readonly onValue: (value: Values[string]) => void;
}

/** Larger ranges do not fit a slider. */
const MAX_SLIDER = 1000;

/** One option with its bounds. Default values are not sent. */
export function OptionField({ field, value, onValue }: Props) {
  const { studio } = useMessages();
  const { label, hint } = studio.fields[field.field as keyof typeof studio.fields];
  const problem = problemOf(field, value);
  const around = {
    label,
    ...(hint !== '' && { hint }),
    ...(problem && { error: studio.invalid[problem] }),
  };
  const set = (next: Values[string]) => onValue(next === field.default ? undefined : next);

  if (field.type === 'switch') {
    return (
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <p className="text-13 font-medium">{label}</p>
          {hint !== '' && <p className="text-12 text-muted">{hint}</p>}
        </div>
        <Switch isOn={(value ?? field.default) === true} onValue={set} label={label} />
      </div>
    );
  }
  if (field.type === 'picture') {
    return (
      <Field {...around}>
        <PictureSlot
          value={value === undefined ? undefined : String(value)}
          onValue={onValue}
          label={label}
          invitation={studio.dropPicture}
        />
      </Field>
    );
  }
  if (field.choices) {
    return (
      <Field {...around}>
        <Select
          value={String(value ?? field.default ?? '')}
          onValue={set}
          items={field.choices.map((choice) => ({
            value: choice,
            label: Object.hasOwn(studio.choices, choice)
              ? studio.choices[choice as keyof typeof studio.choices]
              : choice,
          }))}
        />
      </Field>
    );
  }
  if (field.type === 'integer') return <NumberField {...{ field, value, around }} onValue={set} />;
  const isLong = field.field === 'prompt' || field.field === 'meta_data' || field.field === 'payload';
  const text = {
    value: String(value ?? ''),
    onValue: (next: string) => onValue(next === '' ? undefined : next),
  };
  return (
    <Field {...around}>
      {isLong ? (
        <TextArea
          {...text}
          maxLength={field.maxLength}
          className={field.field === 'prompt' ? 'min-h-24' : ''}
        />
      ) : (
        <TextInput
          {...text}
          maxLength={field.maxLength}
          inputMode={field.type === 'address' ? 'url' : 'text'}
        />
      )}
    </Field>
  );
}

function NumberField({
  field: { min = 0, max = Number.MAX_SAFE_INTEGER, default: fallback, field },
  value,
  onValue,
  around,
}: Props & { readonly around: { readonly label: string; readonly hint?: string; readonly error?: string } }) {
  const { studio } = useMessages();
  const isSlider = max - min <= MAX_SLIDER;
  const shown = typeof value === 'number' ? value : typeof fallback === 'number' ? fallback : null;
  const input = (
    <NumberInput
      value={shown}
      onValue={(next) => onValue(next ?? undefined)}
      min={min}
      max={max}
      isPlain={isSlider}
      className={isSlider ? 'w-18 shrink-0' : 'grow'}
    />
  );
  return (
    <Field {...around}>
      <div className="flex items-center gap-3">
        {isSlider && (
          <Slider value={shown ?? min} onValue={onValue} min={min} max={max} label={around.label} />
        )}
        {input}
        {field === 'seed' && (
          <IconButton
            label={studio.dice}
            icon={<Dices size={17} aria-hidden />}
            onClick={() => onValue(1 + Math.floor(Math.random() * (max - 1)))}
          />
        )}
      </div>
    </Field>
  );
}
