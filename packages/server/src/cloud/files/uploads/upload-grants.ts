import { AppError } from '../../../platform/errors/app-error.ts';
import { createLinkSeal } from '../../../platform/files/link-seal.ts';
import { newId } from '../../../platform/ids.ts';
import type { Secret } from '../../../platform/secret.ts';
import type { ServiceParts } from '../../../platform/service-parts.ts';

const LIFE_SECONDS = 600;

interface Parts extends ServiceParts {
  readonly key: Secret<Uint8Array>;
}

export type UploadGrants = ReturnType<typeof createUploadGrants>;

/** Rights to upload one picture without another credential. Altered, expired and used grants all count as missing. */
export function createUploadGrants({ key, clock, db }: Parts) {
  const missing = () =>
    new AppError(
      'resource.not_found',
      'There is no upload at this address any more: it was used, or it has expired.',
    );
  const seal = createLinkSeal({ key, purpose: 'cloud-upload.1', clock, altered: missing, expired: missing });

  return {
    /** The last part of the address to upload to. */
    grant(userId: string, contentType: string) {
      const id = newId();
      const { expires, signature } = seal.sign([id, userId, contentType], clock() + LIFE_SECONDS * 1000);
      const type = Buffer.from(contentType).toString('base64url');
      return { token: [id, userId, type, expires, signature].join('.'), expiresIn: LIFE_SECONDS };
    },

    open(token: string) {
      const [id = '', userId = '', type = '', expires = '', signature = '', ...rest] = token.split('.');
      const contentType = Buffer.from(type, 'base64url').toString();
      if (rest.length > 0) throw missing();
      seal.verify([id, userId, contentType], { expires, signature });
      return { id, userId, contentType };
    },

    /** Uses up the grant while `work` runs; when the work fails, the grant can be used again. */
    async use<T>({ id }: { readonly id: string }, work: () => Promise<T>): Promise<T> {
      const mark = await db
        .insertInto('used_upload_grants')
        .values({ id, used_at: clock() })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!mark) throw missing();
      try {
        return await work();
      } catch (error) {
        await db.deleteFrom('used_upload_grants').where('id', '=', id).execute();
        throw error;
      }
    },

    async tidy(): Promise<void> {
      const before = clock() - 2 * LIFE_SECONDS * 1000;
      await db.deleteFrom('used_upload_grants').where('used_at', '<', before).execute();
    },
  };
}
