import type { FailingEndpoints, WebhookEndpoint } from '@atelier/contracts';
import { present } from '@atelier/contracts/present';

import { toIso } from '../platform/clock.ts';
import { withTransaction } from '../platform/db/database.ts';
import type { WebhookEndpointRow } from '../platform/db/schema/webhooks.ts';
import { notFound } from '../platform/errors/app-error.ts';
import { type Actor, requireAdmin } from '../platform/http/actor.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import { resumeDeliveries } from './deliveries.repo.ts';
import * as repo from './endpoints.repo.ts';

const MAX_LISTED = 200;

export type FindPeople = (
  ids: readonly string[],
) => Promise<readonly { readonly id: string; readonly email: string }[]>;

interface Parts extends ServiceParts {
  readonly wake: () => void;
  readonly findPeople: FindPeople;
}

export type EndpointsService = ReturnType<typeof createEndpointsService>;

export function createEndpointsService({ db, clock, wake, findPeople }: Parts) {
  return {
    async list(userId: string): Promise<WebhookEndpoint[]> {
      return (await repo.listEndpoints(db, { userId, limit: MAX_LISTED })).map(toEndpoint);
    },
    async listAll(actor: Actor): Promise<FailingEndpoints> {
      requireAdmin(actor);
      const rows = await repo.listEndpoints(db, { limit: MAX_LISTED });
      const people = await findPeople([...new Set(rows.map((row) => row.user_id))]);
      const emails = new Map(people.map(({ id, email }) => [id, email]));
      return {
        endpoints: rows.map((row) => ({
          ...toEndpoint(row),
          user: { id: row.user_id, ...present({ email: emails.get(row.user_id) }) },
        })),
      };
    },
    async resume(userId: string, id: string): Promise<void> {
      if (!(await repo.findEndpoint(db, userId, id))) throw notFound('endpoint', id);
      await withTransaction(db, async (tx) => {
        const now = clock();
        if (await repo.resumeEndpoint(tx, userId, id, now)) await resumeDeliveries(tx, id, now);
      });
      wake();
    },
  };
}

function toEndpoint(row: WebhookEndpointRow): WebhookEndpoint {
  const { id, url, paused_at: pausedAt } = row;
  return {
    id,
    url,
    status: pausedAt === null ? 'failing' : 'paused',
    failing_since: toIso(row.failing_since),
    last_failed_at: toIso(row.last_failed_at),
    last_error: row.last_error,
    ...(pausedAt !== null && { paused_at: toIso(pausedAt) }),
  };
}
