import type { PreviewData, V2Output, V2Progress, V2Status } from '@atelier/contracts';

import type { AppError } from '../../platform/errors/app-error.ts';
import { renderError } from '../../platform/http/error-shapes.ts';
import type { MessageEvent } from '../events/user-event.ts';

/** Frames of a stream of the Comfy API v2. Replaceable ones may be left out for a slow reader. */
type Frame = Omit<MessageEvent, 'id'>;

export function statusFrame(jobId: string, status: V2Status, queuePosition: number | null): Frame {
  return frame('status', jobId, { status, queue_position: queuePosition });
}

export function progressFrame(jobId: string, progress: V2Progress): Frame {
  return { ...frame('progress', jobId, progress), replaceable: true };
}

export function outputFrame(jobId: string, output: V2Output): Frame {
  return frame('output', jobId, output);
}

export function previewFrame(
  jobId: string,
  { about, bytes }: { readonly about: PreviewData; readonly bytes: Uint8Array },
): Frame {
  const picture = {
    node_id: about.display_node_id,
    content_type: about.image_type,
    data_base64: bytes.toBase64(),
  };
  return { ...frame('preview', jobId, picture), replaceable: true };
}

export function errorFrame(jobId: string, error: AppError): Frame {
  return frame('error', jobId, renderError(error, 'envelope'));
}

function frame(type: string, jobId: string, data: unknown): Frame {
  return { kind: 'message', type, jobId, data: JSON.stringify(data), replaceable: false };
}
