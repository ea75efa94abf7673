import { readFile, rm, stat } from 'node:fs/promises';
import type { FileRef, NodeContext } from '@atelier/engine';
import { type SavedFile, saveNumbered } from '../files/save-path.ts';
import { decodePicture } from '../image/codecs/decode-picture.ts';
import { toImage } from '../image/codecs/decoded-floats.ts';
import { loadMediaWork } from '../load-media-work.ts';
import type { Image } from '../values/image.ts';
import type { FileVideo } from '../values/video.ts';
import { unreachable } from './retry-request.ts';
import type { ResultLink } from './run-task.ts';
import { type Service, Unanswered } from './service.ts';

const MAX_PICTURE_BYTES = 512 * 2 ** 20;
const MAX_VIDEO_BYTES = 2 * 2 ** 30;
const MAX_ATTEMPTS = 4;
const FIRST_WAIT_MS = 500;

export async function fetchPicture(service: Service, link: ResultLink, context: NodeContext): Promise<Image> {
  const path = await context.files.scratchPath('picture');
  try {
    await downloadWithRetry(service, link, path, MAX_PICTURE_BYTES);
    return toImage(await decodePicture(RESULT, withResult(context, path)), context);
  } finally {
    await rm(path, { force: true });
  }
}

/** Saves the video in the `temp` folder. */
export async function fetchVideo(
  service: Service,
  link: ResultLink,
  prefix: string,
  context: NodeContext,
): Promise<{ readonly video: FileVideo; readonly saved: SavedFile }> {
  const localPath = await context.files.scratchPath('mp4');
  await downloadWithRetry(service, link, localPath, MAX_VIDEO_BYTES);
  context.checkpoint();
  const { describeVideo } = await loadMediaWork();
  // A file that is no video fails here, and not in the node that reads its frames.
  const { width, height } = await describeVideo(toVideo(RESULT), withResult(context, localPath));
  const options = { ending: '_.mp4', folder: 'temp', width, height } as const;
  const [saved] = await saveNumbered(prefix, [{ localPath }], options, context);
  if (!saved) throw new Error('The video was not saved.');
  return { video: toVideo({ folder: 'temp', subfolder: saved.subfolder, name: saved.filename }), saved };
}

function toVideo(ref: FileRef): FileVideo {
  return { kind: 'file', ref, window: null };
}

/** The name in errors of file readers. */
const RESULT: FileRef = { folder: 'temp', subfolder: '', name: 'The result' };

/** A context in which every file is the result. */
function withResult(context: NodeContext, path: string): NodeContext {
  return {
    ...context,
    files: {
      ...context.files,
      sizeBytes: async () => (await stat(path)).size,
      read: async () => await readFile(path),
      localPath: async () => await Promise.resolve(path),
    },
  };
}

async function downloadWithRetry(
  service: Service,
  link: ResultLink,
  path: string,
  maxBytes: number,
): Promise<void> {
  let { url } = link;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await service.download(url, path, { maxBytes });
      return;
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      if (attempt === MAX_ATTEMPTS) throw unreachable(error);
      await service.pause(FIRST_WAIT_MS * 2 ** (attempt - 1));
      url = await link.refresh();
    }
  }
}
