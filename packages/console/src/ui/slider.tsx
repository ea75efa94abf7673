import { Slider as BaseSlider } from '@base-ui/react/slider';

interface Props {
  readonly value: number;
  readonly onValue: (value: number) => void;
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  readonly disabled?: boolean;
  readonly label: string;
}

export function Slider({ label, onValue, disabled = false, step = 1, ...props }: Props) {
  return (
    <BaseSlider.Root {...props} step={step} disabled={disabled} onValueChange={onValue} className="w-full">
      <BaseSlider.Control className="flex h-9 touch-none items-center select-none">
        <BaseSlider.Track className="h-1 w-full rounded-full bg-edge/40">
          <BaseSlider.Indicator className="rounded-full bg-accent" />
          <BaseSlider.Thumb
            aria-label={label}
            className="size-4 rounded-full border-2 border-accent bg-surface focus-visible:outline-2 focus-visible:outline-accent"
          />
        </BaseSlider.Track>
      </BaseSlider.Control>
    </BaseSlider.Root>
  );
}
