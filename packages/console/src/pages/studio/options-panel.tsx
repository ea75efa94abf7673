import { GENERATION_FIELDS, type GenerationField, SKIN_MODES } from '@atelier/sdk';
import { ChevronRight } from 'lucide-react';

import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { Slider } from '../../ui/slider.tsx';
import type { Values } from './build-request.ts';
import { OptionField } from './option-field.tsx';
import { isAdvanced, type Tool } from './tools.ts';
import type { VideoOptions } from './video-options.ts';

interface Props {
  readonly tool: Tool;
  readonly values: Values;
  readonly onValues: (values: Values) => void;
  readonly videoOptions: VideoOptions | undefined;
}

export type SkinMode = (typeof SKIN_MODES)[number];
/** Fields that have their own place in the form. */
const OWN = new Set(['model', 'duration', 'resolution', 'images']);

export const modeOf = (values: Values): SkinMode =>
  SKIN_MODES.find((mode) => mode === values['mode']) ?? 'faithful';

/** The request fields of this tool. */
export function fieldsOf(tool: Tool, values: Values): readonly GenerationField[] {
  const mode = modeOf(values);
  return GENERATION_FIELDS[tool].filter((field) => field.mode === undefined || field.mode === mode);
}

/** Every option of a tool; rarely needed ones are collapsed. */
export function OptionsPanel({ tool, values, onValues, videoOptions }: Props) {
  const { studio } = useMessages();
  const fields = fieldsOf(tool, values).filter(({ field }) => !OWN.has(field));
  const show = (field: GenerationField) => (
    <OptionField
      key={`${tool} ${field.field}`}
      field={withModel(field, videoOptions)}
      value={values[field.field]}
      onValue={(value) => onValues({ ...values, [field.field]: value })}
    />
  );
  const advanced = fields.filter(isAdvanced);
  return (
    <div className="flex flex-col gap-4">
      {tool === 'skin' && (
        <Field label={studio.mode} hint={studio.modeHints[modeOf(values)]}>
          <Select
            value={modeOf(values)}
            onValue={(mode) => onValues({ ...values, mode })}
            items={SKIN_MODES.map((mode) => ({ value: mode, label: studio.modes[mode] }))}
          />
        </Field>
      )}
      {fields.filter(({ field }) => field === 'prompt').map(show)}
      {videoOptions && <VideoFields values={values} onValues={onValues} videoOptions={videoOptions} />}
      {fields.filter((field) => !isAdvanced(field) && field.field !== 'prompt').map(show)}
      {advanced.length > 0 && (
        <details className="group">
          <summary className="flex h-9 cursor-pointer list-none items-center gap-1.5 rounded-md text-13 font-medium text-muted hover:text-text">
            <ChevronRight size={15} aria-hidden className="group-open:rotate-90" />
            {studio.advanced}
          </summary>
          <div className="flex flex-col gap-4 pt-2">{advanced.map(show)}</div>
        </details>
      )}
      <Button look="quiet" size="sm" className="self-start" onClick={() => onValues({})}>
        {studio.reset}
      </Button>
    </div>
  );
}

/** Sound is on by default only with the newest model. */
function withModel(field: GenerationField, videoOptions: VideoOptions | undefined): GenerationField {
  if (field.field !== 'audio' || !videoOptions) return field;
  return { ...field, default: videoOptions.model.includes('q3') };
}

function VideoFields({
  values,
  onValues,
  videoOptions,
}: Pick<Props, 'values' | 'onValues'> & { readonly videoOptions: VideoOptions }) {
  const { studio } = useMessages();
  const { durations, duration = 0 } = videoOptions;
  const [shortest = 0] = durations;
  const longest = durations.at(-1) ?? 0;
  const isRange = durations.length > 2 && durations.length === longest - shortest + 1;
  return (
    <>
      <Field label={studio.fields.model.label}>
        <Select
          value={videoOptions.model}
          onValue={(model) => onValues({ ...values, model })}
          items={videoOptions.models.map((model) => ({ value: model, label: model }))}
        />
      </Field>
      <Field
        label={studio.fields.duration.label}
        action={<span className="text-12 text-muted">{studio.seconds(duration)}</span>}
      >
        {isRange ? (
          <Slider
            value={duration}
            onValue={(next) => onValues({ ...values, duration: next })}
            min={shortest}
            max={longest}
            label={studio.fields.duration.label}
          />
        ) : (
          <Select
            value={String(duration)}
            onValue={(next) => onValues({ ...values, duration: Number(next) })}
            disabled={durations.length === 1}
            items={durations.map((one) => ({ value: String(one), label: studio.seconds(one) }))}
          />
        )}
      </Field>
      <Field label={studio.fields.resolution.label}>
        <Select
          value={videoOptions.resolution ?? ''}
          onValue={(resolution) => onValues({ ...values, resolution })}
          disabled={videoOptions.resolutions.length === 1}
          items={videoOptions.resolutions.map((one) => ({ value: one, label: one }))}
        />
      </Field>
    </>
  );
}
