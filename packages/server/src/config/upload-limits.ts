import type { Settings } from './settings.ts';

const MB = 1024 * 1024;

/** From the specification: a file of a user or a picture of a task, and the bodies that contain them. */
const MAX_INPUT_BYTES = 50 * MB;
const MAX_FORM_BYTES = 64 * MB;
const MAX_TASK_BODY_BYTES = 72 * MB;
const MAX_USER_DATA_BYTES = 10 * MB;

/** All limits on uploads: the smallest of `ATELIER_UPLOAD_MAX_MB`, the specification and other settings. */
export function toUploadLimits(settings: Pick<Settings, 'ATELIER_UPLOAD_MAX_MB' | 'ATELIER_PACK_MAX_MB'>) {
  const maxUploadBytes = settings.ATELIER_UPLOAD_MAX_MB * MB;
  const atMost = (bytes: number): number => Math.min(bytes, maxUploadBytes);
  return {
    /** `POST /customers/storage`. */
    maxUploadBytes,
    /** Pictures, masks, assets and pictures of tasks. */
    maxInputBytes: atMost(MAX_INPUT_BYTES),
    /** A form with one of them. */
    maxFormBytes: MAX_FORM_BYTES,
    /** A request for a generation, with its pictures. */
    maxTaskBodyBytes: MAX_TASK_BODY_BYTES,
    /** A file that the editor keeps for a user. */
    maxUserDataBytes: atMost(MAX_USER_DATA_BYTES),
    /** The archive of a node pack. */
    maxArchiveBytes: atMost(settings.ATELIER_PACK_MAX_MB * MB),
  } as const;
}
