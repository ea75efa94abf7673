import { type Db, withTransaction } from '../platform/db/database.ts';
import { lockByName } from '../platform/db/lock-by-name.ts';
import { AppError, invalid } from '../platform/errors/app-error.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import * as repo from './settings.repo.ts';

const MAX_BYTES = 1024 * 1024;
/** JSON.stringify can write this much on any stack. */
const MAX_DEPTH = 100;

export type SettingsService = ReturnType<typeof createSettingsService>;

/** Settings of the editor: any JSON values by id, which the server does not interpret. */
export function createSettingsService({ db, clock }: ServiceParts) {
  const read = async (tx: Db, userId: string) => (await repo.findSettings(tx, userId)) ?? '{}';

  return {
    /** All of them, as JSON. */
    read: async (userId: string) => await read(db, userId),

    /** One of them; `null` when it was never set. */
    async readOne(userId: string, id: string): Promise<unknown> {
      const settings = JSON.parse(await read(db, userId)) as Record<string, unknown>;
      return Object.hasOwn(settings, id) ? settings[id] : null;
    },

    /** Sets some and leaves the others. Returns all of them, as JSON. */
    async merge(userId: string, changes: Readonly<Record<string, unknown>>): Promise<string> {
      if (Object.hasOwn(changes, '__proto__')) throw invalid('No setting has the id "__proto__".');
      if (!isShallow(changes, MAX_DEPTH))
        throw invalid(`A setting is nested deeper than ${MAX_DEPTH} levels.`);
      return await withTransaction(db, async (tx) => {
        // Editors send several requests at once, each of which reads and writes all settings.
        await lockByName(tx, `user-settings:${userId}`);
        const settings = JSON.stringify({ ...JSON.parse(await read(tx, userId)), ...changes });
        if (Buffer.byteLength(settings) > MAX_BYTES) {
          throw new AppError(
            'request.too_large',
            `All settings of a user together take at most ${MAX_BYTES} bytes.`,
          );
        }
        await repo.putSettings(tx, { user_id: userId, settings, updated_at: clock() });
        return settings;
      });
    },
  };
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1));
}
