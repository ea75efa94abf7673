import type { Clock } from '../platform/clock.ts';
import { type Db, withTransaction } from '../platform/db/database.ts';
import { lockByName } from '../platform/db/lock-by-name.ts';
import { AppError, invalid } from '../platform/errors/app-error.ts';
import * as repo from './settings.repo.ts';

const MAX_BYTES = 1024 * 1024;
/** What JSON.stringify can write on any stack, with much room. */
const MAX_DEPTH = 100;

export type SettingsService = ReturnType<typeof createSettingsService>;

/** What users set in the editor: values by id, any JSON, of which the server understands nothing. */
export function createSettingsService({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  const read = async (tx: Db, userId: string) => (await repo.findSettings(tx, userId)) ?? '{}';

  return {
    /** All of them, as JSON. */
    read: async (userId: string) => await read(db, userId),

    /** One of them; `null` when it was never set. */
    async readOne(userId: string, id: string): Promise<unknown> {
      const settings = JSON.parse(await read(db, userId)) as Record<string, unknown>;
      return Object.hasOwn(settings, id) ? settings[id] : null;
    },

    /** Sets those that are named and leaves the others; returns all of them, as JSON. */
    async merge(userId: string, changes: Readonly<Record<string, unknown>>): Promise<string> {
      if (Object.hasOwn(changes, '__proto__')) {
        throw invalid('No setting has the id "__proto__".');
      }
      if (!isShallow(changes, MAX_DEPTH)) {
        throw invalid(`A setting is nested deeper than ${MAX_DEPTH} levels.`);
      }
      return await withTransaction(db, async (tx) => {
        // Editors send several at once, each of which reads all and writes all.
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
