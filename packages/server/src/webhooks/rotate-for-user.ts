import { type Audit, userSubject } from '../platform/audit/audit.service.ts';
import { notFound } from '../platform/errors/app-error.ts';
import { type Actor, requireAdmin } from '../platform/http/actor.ts';
import type { SecretsService } from './secrets.service.ts';

interface Parts {
  readonly secrets: Pick<SecretsService, 'rotate'>;
  readonly audit: Pick<Audit, 'add'>;
  readonly findPeople: (ids: readonly string[]) => Promise<readonly object[]>;
}

export type RotateForUser = ReturnType<typeof createRotateForUser>;

/** An administrator replaces the secret of an account without seeing it. */
export function createRotateForUser({ secrets, audit, findPeople }: Parts) {
  return async (actor: Actor, userId: string, { endsAtOnce = false } = {}): Promise<void> => {
    if ((await findPeople([userId])).length === 0) throw notFound('user', userId);
    requireAdmin(actor);
    await secrets.rotate(userId, {
      endsAtOnce,
      note: async (tx) => await audit.add(tx, actor, 'user.webhook_secret', userSubject(userId)),
    });
  };
}
