import type { PictureField, TaskPicture } from '../requests/task-request.ts';
import type { TaskFile } from '../tasks.repo.ts';
import type { PictureSources } from './picture-sources.ts';
import { readPicture } from './read-picture.ts';
import type { TaskContents } from './task-contents.ts';
import { validatePicture } from './validate-picture.ts';

/** A picture of a new task: bytes in the store, or a URL that is fetched later. */
export type AcceptedPicture = Pick<TaskFile, 'url' | 'hash' | 'media_type' | 'size'> & {
  readonly field: PictureField;
};

export interface CheckedPicture {
  readonly field: PictureField;
  readonly url: string | null;
  /** `undefined` when it is fetched later. */
  readonly bytes: Uint8Array | undefined;
}

export type AcceptPictures = ReturnType<typeof createAcceptPictures>;

interface Parts {
  readonly contents: TaskContents;
  readonly sources: PictureSources;
}

/** Checks the pictures of requests, and stores them once the whole request is valid. */
export function createAcceptPictures({ contents, sources }: Parts) {
  const checkUrl = async (field: PictureField, url: string): Promise<CheckedPicture | string> => {
    const own = await sources.readOwn(url);
    if (typeof own === 'string') return own;
    if (!own) return (await sources.validateUrl(url)) ?? { field, url, bytes: undefined };
    return (await validatePicture(own, { isFrame: field === 'images' })) ?? { field, url, bytes: own };
  };

  const checkOne = async ({ field, value }: TaskPicture): Promise<CheckedPicture | string> => {
    const given = readPicture(value);
    if (typeof given === 'string') return given;
    if (given.kind === 'url') return await checkUrl(field, given.url);
    const { announced, bytes } = given;
    if (bytes.length > sources.maxBytes) return `must have at most ${sources.maxBytes} bytes`;
    const problem = await validatePicture(bytes, { isFrame: field === 'images', announced });
    return problem ?? { field, url: null, bytes };
  };

  return {
    /** Each problem is a sentence without a full stop that begins with the field. */
    async check(given: readonly TaskPicture[]): Promise<{ pictures: CheckedPicture[]; problems: string[] }> {
      const pictures: CheckedPicture[] = [];
      const problems: string[] = [];
      for (const picture of given) {
        const checked = await checkOne(picture);
        if (typeof checked === 'string') problems.push(`${picture.field} ${checked}`);
        else pictures.push(checked);
      }
      return { pictures, problems };
    },

    /** Stores the bytes of pictures that are not fetched later. */
    async store(pictures: readonly CheckedPicture[]): Promise<AcceptedPicture[]> {
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
