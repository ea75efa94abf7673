import { refuseBody } from '../requests/refuse-body.ts';
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

export type AcceptPictures = (pictures: readonly TaskPicture[]) => Promise<AcceptedPicture[]>;

interface Parts {
  readonly contents: TaskContents;
  readonly sources: PictureSources;
}

/** Reads and judges the pictures of a request, and stores those that came with it. Refuses all that are wrong together. */
export function createAcceptPictures({ contents, sources }: Parts): AcceptPictures {
  const judge = async ({ field, value }: TaskPicture) => {
    const given = readPicture(value);
    if (typeof given === 'string') return given;
    const url = given.kind === 'url' ? given.url : null;
    if (given.kind === 'url') {
      const own = await sources.readOwn(given.url);
      if (typeof own === 'string') return own;
      if (!own) return (await sources.problemOfUrl(given.url)) ?? { field, url, bytes: undefined };
      return (await problemOfPicture(own, { isFrame: field === 'images' })) ?? { field, url, bytes: own };
    }
    const { announced, bytes } = given;
    if (bytes.length > MOST_PICTURE_BYTES) return `must have at most ${MOST_PICTURE_BYTES} bytes`;
    const problem = await problemOfPicture(bytes, { isFrame: field === 'images', announced });
    return problem ?? { field, url, bytes };
  };

  return async (pictures) => {
    const problems: string[] = [];
    const good: Exclude<Awaited<ReturnType<typeof judge>>, string>[] = [];
    for (const picture of pictures) {
      const judged = await judge(picture);
      if (typeof judged === 'string') problems.push(`${picture.field} ${judged}`);
      else good.push(judged);
    }
    refuseBody(problems);
    const accepted: AcceptedPicture[] = [];
    try {
      for (const { field, url, bytes } of good) {
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
  };
}
