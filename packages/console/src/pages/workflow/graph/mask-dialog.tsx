import { useMutation } from '@tanstack/react-query';
import { Brush, Eraser, Redo2, Trash2, Undo2 } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

import { atelier } from '../../../atelier.ts';
import { useMessages } from '../../../i18n/i18n.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Slider } from '../../../ui/slider.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { showErrorToast } from '../../../ui/toasts.tsx';
import { type FilePlace, fileUrl } from './file-values.ts';
import type { Point } from './graph.ts';
import { drawStrokes, maskToPng, type Stroke } from './mask-canvas.ts';

interface Props {
  readonly picture: FilePlace;
  readonly onClose: () => void;
  /** The name of the new picture, as nodes take it. */
  readonly onSaved: (name: string) => void;
}

/** A dialog to draw a mask on a picture: brush, eraser, size, undo. */
export function MaskDialog({ picture, onClose, onSaved }: Props) {
  const { graph, common } = useMessages();
  const [size, setSize] = useState<{ readonly width: number; readonly height: number }>();
  const [strokes, setStrokes] = useState<readonly Stroke[]>([]);
  const [undone, setUndone] = useState<readonly Stroke[]>([]);
  const [isErasing, setErasing] = useState(false);
  const [brush, setBrush] = useState(10);
  const change = (next: readonly Stroke[]) => {
    setStrokes(next);
    setUndone([]);
  };
  const undo = () => {
    setUndone([...undone, ...strokes.slice(-1)]);
    setStrokes(strokes.slice(0, -1));
  };
  const redo = () => {
    setStrokes([...strokes, ...undone.slice(-1)]);
    setUndone(undone.slice(0, -1));
  };
  const save = useMutation({
    mutationFn: async () => {
      if (!size) throw new Error(graph.pictureLoads);
      const png = await maskToPng(size, strokes);
      return await atelier.files.uploadMask(new File([png], 'mask.png', { type: 'image/png' }), {
        of: picture,
      });
    },
    onSuccess: ({ name }) => onSaved(name),
    onError: showErrorToast,
  });
  const press = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) redo();
    else undo();
  };
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={graph.drawMask}
      description={graph.maskHint}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            look="primary"
            disabled={!size || strokes.length === 0}
            isBusy={save.isPending}
            onClick={() => save.mutate()}
          >
            {graph.useMask}
          </Button>
        </>
      }
    >
      <div role="group" aria-label={graph.drawMask} className="flex flex-wrap items-center gap-1">
        <IconButton
          label={graph.brush}
          icon={<Brush size={16} aria-hidden />}
          isPressed={!isErasing}
          onClick={() => setErasing(false)}
        />
        <IconButton
          label={graph.eraser}
          icon={<Eraser size={16} aria-hidden />}
          isPressed={isErasing}
          onClick={() => setErasing(true)}
        />
        <div className="mx-2 w-40">
          <Slider label={graph.brushSize} value={brush} onValue={setBrush} min={1} max={40} />
        </div>
        <IconButton
          label={graph.undo}
          icon={<Undo2 size={16} aria-hidden />}
          disabled={strokes.length === 0}
          onClick={undo}
        />
        <IconButton
          label={graph.redo}
          icon={<Redo2 size={16} aria-hidden />}
          disabled={undone.length === 0}
          onClick={redo}
        />
        <IconButton
          label={graph.clearMask}
          icon={<Trash2 size={16} aria-hidden />}
          disabled={strokes.length === 0}
          onClick={() => change([])}
        />
      </div>
      <div className="relative flex min-h-40 justify-center overflow-hidden rounded-md bg-canvas">
        {!size && <Skeleton className="absolute inset-0" />}
        <img
          src={fileUrl(picture)}
          alt={picture.filename}
          className="max-h-[60dvh] max-w-full object-contain select-none"
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
            setSize({ width, height })
          }
          onError={() => showErrorToast(new Error(graph.noPicture(picture.filename)))}
        />
        {size && (
          <MaskSurface
            {...size}
            strokes={strokes}
            isErasing={isErasing}
            // The brush size is a fraction of the picture, so that it suits every picture.
            brush={Math.max(1, (brush / 200) * Math.max(size.width, size.height))}
            onStroke={(stroke) => change([...strokes, stroke])}
            onKey={press}
          />
        )}
      </div>
    </Dialog>
  );
}

interface SurfaceProps {
  readonly width: number;
  readonly height: number;
  readonly strokes: readonly Stroke[];
  readonly isErasing: boolean;
  readonly brush: number;
  readonly onStroke: (stroke: Stroke) => void;
  /** Keys that do not draw. */
  readonly onKey: (event: KeyboardEvent) => void;
}

/** Keys move the cursor by this fraction of the picture. */
const KEY_STEP = 0.02;
const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** A canvas over the picture that is painted on with the pointer or the arrow keys. */
function MaskSurface({ width, height, strokes, isErasing, brush, onStroke, onKey }: SurfaceProps) {
  const { graph } = useMessages();
  const canvas = useRef<HTMLCanvasElement>(null);
  const stroke = useRef<Point[] | undefined>(undefined);
  const [cursor, setCursor] = useState<Point>();
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, width, height);
    context.strokeStyle = '#e5484d';
    drawStrokes(context, strokes);
  }, [strokes, width, height]);
  const pointOf = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLCanvasElement>): Point => {
    const bounds = currentTarget.getBoundingClientRect();
    return {
      x: ((clientX - bounds.left) / bounds.width) * width,
      y: ((clientY - bounds.top) / bounds.height) * height,
    };
  };
  const draw = (points: readonly Point[]) => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.strokeStyle = '#e5484d';
    drawStrokes(context, [{ isErasing, size: brush, points }]);
  };
  const end = () => {
    if (stroke.current) onStroke({ isErasing, size: brush, points: stroke.current });
    stroke.current = undefined;
  };
  const press = (event: KeyboardEvent) => {
    const at = cursor ?? { x: width / 2, y: height / 2 };
    const [dx, dy] = KEYS[event.key] ?? [];
    if (dx === undefined || dy === undefined) {
      if (event.key !== ' ' && event.key !== 'Enter') {
        onKey(event);
        return;
      }
      event.preventDefault();
      onStroke({ isErasing, size: brush, points: [at] });
      return;
    }
    event.preventDefault();
    const step = KEY_STEP * Math.max(width, height);
    const to = {
      x: Math.min(width, Math.max(0, at.x + dx * step)),
      y: Math.min(height, Math.max(0, at.y + dy * step)),
    };
    setCursor(to);
    if (event.shiftKey) onStroke({ isErasing, size: brush, points: [at, to] });
  };
  return (
    // The picture is centered and keeps its aspect ratio; the canvas has the same limits, so it covers it exactly.
    <div className="absolute inset-0 flex justify-center">
      <div className="relative h-full" style={{ aspectRatio: `${width} / ${height}` }}>
        <canvas
          ref={canvas}
          width={width}
          height={height}
          tabIndex={0}
          // oxlint-disable-next-line jsx-a11y/no-interactive-element-to-noninteractive-role -- it handles its own keys.
          role="application"
          aria-label={graph.maskSurface}
          className="absolute inset-0 size-full cursor-crosshair touch-none opacity-60 focus-visible:-outline-offset-2"
          onPointerDown={(event) => {
            if (event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            stroke.current = [pointOf(event)];
            draw(stroke.current);
          }}
          onPointerMove={(event) => {
            if (!stroke.current) return;
            const point = pointOf(event);
            draw([...stroke.current.slice(-1), point]);
            stroke.current.push(point);
          }}
          onPointerUp={end}
          onPointerCancel={end}
          onKeyDown={press}
        />
        {cursor && (
          <span
            aria-hidden
            className="pointer-events-none absolute aspect-square -translate-1/2 rounded-full border-2 border-accent"
            style={{
              left: `${(cursor.x / width) * 100}%`,
              top: `${(cursor.y / height) * 100}%`,
              width: `${(brush / width) * 100}%`,
            }}
          />
        )}
      </div>
    </div>
  );
}
