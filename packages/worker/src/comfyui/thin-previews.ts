import type { PreviewData } from '@atelier/contracts';

/** A picture that ComfyUI sent for a node, at its original size. */
export interface RawPreview {
  readonly about: Omit<PreviewData, 'image_type'>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const MIN_MS = 250;

/**
 * Decides which previews are sent. A preview waits for its progress message, which comes just after it. At most four a second are sent,
 * but always the last one of a node.
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
    /** The preview to show with this progress of a node. */
    withProgress(nodeId: string, isLastStep: boolean): RawPreview | undefined {
      if (latest?.about.node_id !== nodeId) return undefined;
      return isLastStep || performance.now() - shownAt >= MIN_MS ? show() : undefined;
    },
    /** The last preview of a node that has ended, if it has not been shown. */
    atEnd: show,
  };
}
