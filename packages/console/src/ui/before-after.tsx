import { MoveHorizontal } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, type SyntheticEvent, useRef, useState } from 'react';

interface Side {
  readonly src: string;
  /** The label in its corner and for screen readers. */
  readonly label: string;
}

interface Props {
  readonly before: Side;
  readonly after: Side;
  /** The label of the slider, for screen readers. */
  readonly label: string;
  /** The maximum height, as a CSS length. */
  readonly maxHeight?: string;
}

const STEP = 2;
const LARGE_STEP = 10;
const TAG =
  'pointer-events-none absolute top-2 max-w-[45%] truncate rounded-sm bg-black/65 px-1.5 py-0.5 text-12 text-white';
const PICTURE = 'pointer-events-none absolute inset-0 size-full object-contain select-none';

/** Two overlaid pictures with a divider that is moved by pointer, touch or arrow keys. */
export function BeforeAfter({ before, after, label, maxHeight = '70dvh' }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [percent, setPercent] = useState(50);
  const [ratio, setRatio] = useState(1);
  const moveTo = ({ clientX, buttons, pointerId, type }: PointerEvent<HTMLDivElement>) => {
    const box = frame.current?.getBoundingClientRect();
    if (!box || buttons === 0) return;
    // The pointer may leave the picture while dragging the divider.
    if (type === 'pointerdown') frame.current?.setPointerCapture(pointerId);
    setPercent(within(((clientX - box.left) / box.width) * 100));
  };
  const press = (event: KeyboardEvent) => {
    const step = event.shiftKey ? LARGE_STEP : STEP;
    const next = {
      ArrowLeft: percent - step,
      ArrowDown: percent - step,
      ArrowRight: percent + step,
      ArrowUp: percent + step,
      PageDown: percent - LARGE_STEP,
      PageUp: percent + LARGE_STEP,
      Home: 0,
      End: 100,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setPercent(within(next));
  };
  const measure = ({ currentTarget: { naturalWidth, naturalHeight } }: SyntheticEvent<HTMLImageElement>) => {
    if (naturalHeight > 0) setRatio(naturalWidth / naturalHeight);
  };
  return (
    <div
      ref={frame}
      onPointerDown={moveTo}
      onPointerMove={moveTo}
      className="relative mx-auto touch-pan-y cursor-ew-resize overflow-hidden rounded-md bg-hover"
      style={{ aspectRatio: ratio, width: `min(100%, calc(${maxHeight} * ${ratio}))` }}
    >
      <img src={before.src} alt={before.label} draggable={false} onLoad={measure} className={PICTURE} />
      <img
        src={after.src}
        alt={after.label}
        draggable={false}
        className={PICTURE}
        style={{ clipPath: `inset(0 0 0 ${percent}%)` }}
      />
      <span aria-hidden className={`${TAG} left-2`}>
        {before.label}
      </span>
      <span aria-hidden className={`${TAG} right-2`}>
        {after.label}
      </span>
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(percent)}
        onKeyDown={press}
        className="group absolute inset-y-0 w-0.5 -translate-x-1/2 bg-white shadow-float focus-visible:outline-none"
        style={{ left: `${percent}%` }}
      >
        <span className="absolute top-1/2 left-1/2 flex size-9 -translate-1/2 items-center justify-center rounded-full border border-black/20 bg-white text-black shadow-float group-focus-visible:outline-3 group-focus-visible:outline-accent">
          <MoveHorizontal size={18} aria-hidden />
        </span>
      </div>
    </div>
  );
}

function within(percent: number): number {
  return Math.min(100, Math.max(0, percent));
}
