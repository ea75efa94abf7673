import type { PictureField, TaskPicture } from '../requests/task-request.ts';
import { MOST_PICTURE_BYTES, problemOfPicture } from './check-picture.ts';
import type { PictureSources } from './picture-sources.ts';
import { readPicture } from './read-picture.ts';
import type { TaskContents } from './task-contents.ts';

/** A picture as a task keeps it: bytes in the store, or an address they are fetched from later. */
export interface AcceptedPicture {
  readonly field: PictureField;
  readonly url: string | null;
  readonly hash: string | null;
  readonly media_type: string | null;
  readonly size: number | null;
}

/** A picture that was found good. */
export interface JudgedPicture {
  readonly field: PictureField;
  /** Where it came from, or will. */
  readonly url: string | null;
  /** `undefined` where it is still to be fetched. */
  readonly bytes: Uint8Array | undefined;
}

export interface AcceptPictures {
  /** Each problem is a sentence without its full stop that begins with the field. */
  judge(pictures: readonly TaskPicture[]): Promise<{ pictures: JudgedPicture[]; problems: string[] }>;
  /** Puts those that came with the request into the store. */
  store(pictures: readonly JudgedPicture[]): Promise<AcceptedPicture[]>;
}

interface Parts {
  readonly contents: TaskContents;
  readonly sources: PictureSources;
}

/** Pictures of requests: read, judged, and stored once the request is found good in all other ways. */
export function createAcceptPictures({ contents, sources }: Parts): AcceptPictures {
  const judgeUrl = async (field: PictureField, url: string): Promise<JudgedPicture | string> => {
    const own = await sources.readOwn(url);
    if (typeof own === 'string') return own;
    if (!own) return (await sources.problemOfUrl(url)) ?? { field, url, bytes: undefined };
    return (await problemOfPicture(own, { isFrame: field === 'images' })) ?? { field, url, bytes: own };
  };

  const judgeOne = async ({ field, value }: TaskPicture): Promise<JudgedPicture | string> => {
    const given = readPicture(value);
    if (typeof given === 'string') return given;
    if (given.kind === 'url') return await judgeUrl(field, given.url);
    const { announced, bytes } = given;
    if (bytes.length > MOST_PICTURE_BYTES) return `must have at most ${MOST_PICTURE_BYTES} bytes`;
    const problem = await problemOfPicture(bytes, { isFrame: field === 'images', announced });
    return problem ?? { field, url: null, bytes };
  };

  return {
    async judge(given) {
      const pictures: JudgedPicture[] = [];
      const problems: string[] = [];
      for (const picture of given) {
        const judged = await judgeOne(picture);
        if (typeof judged === 'string') problems.push(`${picture.field} ${judged}`);
        else pictures.push(judged);
      }
      return { pictures, problems };
    },

    async store(pictures) {
      const accepted: AcceptedPicture[] = [];
      try {
        for (const { field, url, bytes } of pictures) {
          const file = bytes && (await contents.putBytes(bytes));
          accepted.push({
            field,
            url,
            hash: file?.hash ?? null,
            media_type: file?.mediaType ?? null,
            size: file?.size ?? null,
          });
        }
        return accepted;
      } catch (error) {
        await contents.sweep(accepted.flatMap(({ hash }) => hash ?? []));
        throw error;
      }
    },
  };
}
