import { type FileRef, type NodeContext, NodeError, valueError } from '@atelier/engine';
import { AV_DISPOSITION_ATTACHED_PIC, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { Codec, Dictionary, FormatContext, type Stream } from 'node-av/lib';
import { reason } from './ffmpeg.ts';

export interface Media extends Disposable {
  /** The name in messages. */
  readonly name: string;
  readonly format: FormatContext;
  readonly streams: readonly Stream[];
}

/** Only self-contained formats: play lists could make the server read other files or the network. */
const FORMATS = [
  'mov,mp4,m4a,3gp,3g2,mj2',
  'matroska,webm',
  'avi,asf,flv,mpeg,mpegts,mpegvideo,m4v,h264,hevc,ivf,obu,mjpeg,mxf,nut,rm,dv',
  'gif,apng',
  'wav,w64,aiff,au,caf,flac,mp3,aac,ac3,eac3,amr,ogg,wv,tta,ape',
].join(',');

export async function openFile(ref: FileRef, { files }: Pick<NodeContext, 'files'>): Promise<Media> {
  return openMedia(await files.localPath(ref), ref.name);
}

export function openMedia(path: string, name: string): Media {
  const format = new FormatContext();
  try {
    using options = Dictionary.fromObject({ protocol_whitelist: 'file', format_whitelist: FORMATS });
    const opened = format.openInputSync(`file:${path}`, null, options);
    if (opened < 0) throw unreadable(name, opened);
    const found = format.findStreamInfoSync();
    if (found < 0) throw unreadable(name, found);
    return {
      name,
      format,
      streams: format.streams,
      [Symbol.dispose]() {
        format.closeInputSync();
      },
    };
  } catch (error) {
    format.closeInputSync();
    throw error;
  }
}

function unreadable(name: string, code: number): NodeError {
  return new NodeError(
    'InvalidDataError',
    `${name} cannot be read as video or audio; it is damaged or something else (${reason(code)}).`,
  );
}

/** The first video stream that is no cover picture. */
export function findVideo({ streams }: Media): Stream | undefined {
  return streams.find(
    (stream) =>
      stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO && !stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC),
  );
}

export function videoOf(media: Media): Stream {
  const stream = findVideo(media);
  if (stream) return stream;
  throw valueError(`There is no video in ${media.name}.`);
}

/** The audio streams that can be decoded. */
export function audioStreams({ streams }: Media): readonly Stream[] {
  return streams.filter(
    ({ codecpar }) =>
      codecpar.codecType === AVMEDIA_TYPE_AUDIO && Codec.findDecoder(codecpar.codecId) !== null,
  );
}
