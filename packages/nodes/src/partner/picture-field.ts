import { hash } from 'node:crypto';
import { isObject } from '@atelier/contracts/is-object';
import { FileExists, type FileRef, type NodeContext } from '@atelier/engine';
import { encodePng } from '../image/codecs/encode-png.ts';
import { type Image, picture } from '../values/image.ts';
import { refusal } from './refusal.ts';
import { type Deadline, requestWithRetry, unreachable } from './retry-request.ts';
import { malformedAnswer, type Service, Unanswered } from './service.ts';

/** A picture of a batch, ready to be sent. */
export interface EncodedPicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
}

const MEDIA_TYPE = 'image/png';
/** The file is read once, mostly on the same machine. */
const PNG_LEVEL = 1;
/** Larger pictures are uploaded, because a request is read as a whole and a file in pieces. The server limits files. */
const MAX_INLINE_BYTES = 4 * 2 ** 20;
const MAX_UPLOAD_ATTEMPTS = 3;
const UPLOAD_WAIT_MS = 1_000;

export async function encodePicture(
  image: Image,
  index: number,
  context: Pick<NodeContext, 'memory' | 'checkpoint'>,
): Promise<EncodedPicture> {
  const bytes = await encodePng(picture(image, index), image, { level: PNG_LEVEL }, context);
  return { bytes, sha256: hash('sha256', bytes, 'hex') };
}

export interface FieldOptions {
  readonly deadline: Deadline;
  readonly files: NodeContext['files'];
  /** Identifies the task and the field, so that the same is sent after a crash. */
  readonly key: string;
}

/** The value of a picture field: the bytes, or the link of an uploaded file. */
export async function toField(
  service: Service,
  encoded: EncodedPicture,
  options: FieldOptions,
): Promise<string> {
  const { bytes } = encoded;
  if (bytes.length > MAX_INLINE_BYTES) return await linkTo(service, encoded, options);
  const { buffer, byteOffset, length } = bytes;
  return `data:${MEDIA_TYPE};base64,${Buffer.from(buffer, byteOffset, length).toString('base64')}`;
}

/**
 * Every upload has another link, but a task is found by its key only if the request is the same. So the link is saved before
 * it is used, for a job that starts again.
 */
async function linkTo(
  service: Service,
  encoded: EncodedPicture,
  { deadline, files, key }: FieldOptions,
): Promise<string> {
  const note: FileRef = { folder: 'temp', subfolder: 'partner', name: `${hash('sha256', key, 'hex')}.link` };
  if (await files.exists(note)) return await noted(files, note);
  const link = await uploaded(service, encoded, deadline);
  try {
    await files.create(note, Buffer.from(link));
    return link;
  } catch (error) {
    if (error instanceof FileExists) return await noted(files, note);
    throw error;
  }
}

async function noted(files: NodeContext['files'], note: FileRef): Promise<string> {
  return Buffer.from(await files.read(note)).toString();
}

async function uploaded(
  service: Service,
  { bytes, sha256 }: EncodedPicture,
  deadline: Deadline,
): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const body = { file_name: `${sha256.slice(0, 16)}.png`, content_type: MEDIA_TYPE, file_hash: sha256 };
    const request = { method: 'POST', path: '/customers/storage', body } as const;
    const link = readLink(await requestWithRetry(service, request, { deadline, isIdempotent: true }));
    if (link.isThere) return link.downloadUrl;
    try {
      const answer = await service.upload(link.uploadUrl, bytes, MEDIA_TYPE);
      if (answer.status >= 200 && answer.status < 300) return link.downloadUrl;
      if (answer.status < 500 || attempt === MAX_UPLOAD_ATTEMPTS) throw refusal(service, answer);
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      if (attempt === MAX_UPLOAD_ATTEMPTS) throw unreachable(error);
    }
    await service.pause(UPLOAD_WAIT_MS * attempt);
  }
}

function readLink(body: unknown) {
  if (!isObject(body)) throw malformedAnswer();
  const { upload_url: uploadUrl, download_url: downloadUrl, existing_file: isThere } = body;
  if (typeof uploadUrl !== 'string' || typeof downloadUrl !== 'string') throw malformedAnswer();
  return { uploadUrl, downloadUrl, isThere: isThere === true };
}
