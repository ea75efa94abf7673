import type { PreviewData } from '@atelier/contracts';

/** A picture that ComfyUI sent for a node, not yet shrunk. */
export interface RawPreview {
  readonly about: Omit<PreviewData, 'image_type'>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const MIN_MS = 250;

/**
 * Decides which previews travel. A preview comes just before the progress that it belongs to, so it waits for that; those in
 * between two that are shown are dropped, the last one of a node is always shown.
 */
export function createPreviewThinner() {
  let shownAt = Number.NEGATIVE_INFINITY;
  let latest: RawPreview | undefined;

  function show(): RawPreview | undefined {
    const preview = latest;
    latest = undefined;
    if (preview) shownAt = performance.now();
    return preview;
  }

  return {
    add(preview: RawPreview): void {
      latest = preview;
    },
    /** What to show with this progress of a node. */
    withProgress(nodeId: string, isLastStep: boolean): RawPreview | undefined {
      if (latest?.about.node_id !== nodeId) return undefined;
      return isLastStep || performance.now() - shownAt >= MIN_MS ? show() : undefined;
    },
    /** The node is over: what to show of it, if it has not been shown. */
    atEnd: show,
  };
}
