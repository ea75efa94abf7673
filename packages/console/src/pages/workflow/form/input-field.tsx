import type { ReactNode } from 'react';

import { Field } from '../../../ui/field.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Select } from '../../../ui/select.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { TextArea, TextInput } from '../../../ui/text-input.tsx';
import type { FormInput } from '../document/form-inputs.ts';
import { fieldText } from '../document/json.ts';
import { useWorkflowModel } from '../workflow-model.ts';
import { ColorInput } from './color-input.tsx';
import { JsonInput } from './json-input.tsx';
import { MediaInput } from './media-input.tsx';
import { SeedInput } from './seed-input.tsx';

interface Props {
  readonly input: FormInput;
}

/** One input of the workflow as a field, with its problems. */
export function InputField({ input }: Props) {
  const model = useWorkflowModel();
  const { node, widget, label, detail, kind } = input;
  const [problem] = model.problemsOf(node.id, widget.name);
  const error = problem?.kind === 'missing-model' ? undefined : problem?.text;
  const hint = widget.input.options.tooltip;
  const words = { ...(hint !== undefined && { hint }), ...(error !== undefined && { error }) };
  const name = detail === undefined ? label : `${label}, ${detail}`;
  const caption = (
    <>
      {label}
      {detail !== undefined && <span className="font-normal text-muted"> · {detail}</span>}
    </>
  );
  if (kind === 'switch') {
    return (
      <Field label={caption} {...words} action={<ControlOf input={input} name={name} />}>
        {null}
      </Field>
    );
  }
  return (
    <Field label={caption} {...words}>
      <ControlOf input={input} name={name} />
    </Field>
  );
}

function ControlOf({ input: { node, widget, kind }, name }: Props & { readonly name: string }): ReactNode {
  const model = useWorkflowModel();
  const { input, value } = widget;
  const set = (next: unknown) => model.setValue(node.id, widget.name, next);
  switch (kind) {
    case 'prompt':
      return <TextArea value={fieldText(value)} onValue={set} className="min-h-21" />;
    case 'text':
      return <TextInput value={fieldText(value)} onValue={set} />;
    case 'number': {
      const { min, max, step } = input.kind === 'int' || input.kind === 'float' ? input.options : {};
      return (
        <NumberInput
          value={value === null || value === undefined ? null : Number(value)}
          onValue={(next) => next !== null && set(next)}
          min={min === undefined ? undefined : Number(min)}
          max={max === undefined ? undefined : Number(max)}
          step={step ?? (input.kind === 'int' ? 1 : 0.1)}
        />
      );
    }
    case 'seed':
      return <SeedInput id={`${node.id}.${widget.name}`} widget={widget} onValue={set} />;
    case 'color':
      return <ColorInput value={value} isNumber={input.kind === 'int'} label={name} onValue={set} />;
    case 'switch':
      return <Switch isOn={value === true} onValue={set} />;
    case 'choice':
      return <Choice widget={widget} onValue={set} />;
    case 'picture':
    case 'video':
    case 'audio':
      return <MediaInput kind={kind} value={value} label={name} onValue={set} />;
    case 'other':
      return <JsonInput value={value} onValue={set} />;
  }
}

/** Choices may be numbers; the list shows them as text. */
function Choice({
  widget,
  onValue,
}: Pick<FormInput, 'widget'> & { readonly onValue: (value: unknown) => void }) {
  const { input, value } = widget;
  const choices =
    input.kind === 'dynamicCombo'
      ? Object.keys(input.choices)
      : input.kind === 'combo' && Array.isArray(input.choices)
        ? (input.choices as readonly unknown[])
        : [];
  // A file that this server does not have stays listed until another is chosen.
  const all = choices.includes(value) || value === undefined ? choices : [value, ...choices];
  return (
    <Select
      value={fieldText(value)}
      onValue={(next) => onValue(all.find((choice) => String(choice) === next))}
      items={all.map((choice) => ({ value: String(choice), label: String(choice) }))}
    />
  );
}
