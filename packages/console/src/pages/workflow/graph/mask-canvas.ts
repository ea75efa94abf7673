import type { Point } from './graph.ts';

export interface Stroke {
  readonly isErasing: boolean;
  /** The brush size, in pixels of the picture. */
  readonly size: number;
  readonly points: readonly Point[];
}

/** Draws strokes, each as one line with round ends. */
export function drawStrokes(
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  strokes: readonly Stroke[],
): void {
  context.lineCap = 'round';
  context.lineJoin = 'round';
  for (const { isErasing, size, points } of strokes) {
    const [first, ...rest] = points;
    if (!first) continue;
    context.globalCompositeOperation = isErasing ? 'destination-out' : 'source-over';
    context.lineWidth = size;
    context.beginPath();
    context.moveTo(first.x, first.y);
    // A line to its own start is a dot.
    for (const { x, y } of rest.length > 0 ? rest : [first]) context.lineTo(x, y);
    context.stroke();
  }
  context.globalCompositeOperation = 'source-over';
}

/** A PNG that is transparent where the mask is, which nodes that load pictures read as the mask. */
export async function maskToPng(
  { width, height }: { readonly width: number; readonly height: number },
  strokes: readonly Stroke[],
): Promise<Blob> {
  const mask = new OffscreenCanvas(width, height);
  const painted = mask.getContext('2d');
  const result = new OffscreenCanvas(width, height);
  const context = result.getContext('2d');
  if (!painted || !context) throw new Error('This browser cannot draw.');
  painted.strokeStyle = '#000';
  drawStrokes(painted, strokes);
  context.fillRect(0, 0, width, height);
  context.globalCompositeOperation = 'destination-out';
  context.drawImage(mask, 0, 0);
  return await result.convertToBlob({ type: 'image/png' });
}
