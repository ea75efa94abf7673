import type { Secret } from '../secret.ts';
import type { LinkEvents, OpenLink } from './link.ts';
import type { NatsSettings } from './nats-connection.ts';
import { createNatsLink } from './nats-link.ts';
import { createPostgresLink } from './postgres-link.ts';

const COMPLAIN_MS = 60_000;

interface Parts {
  readonly databaseUrl: Secret | undefined;
  readonly nats: NatsSettings | undefined;
  readonly installation: string;
}

/** How servers exchange messages. With SQLite there is only one server. */
export function linkFor({ databaseUrl, nats, installation }: Parts): OpenLink | undefined {
  if (!databaseUrl) return undefined;
  if (!nats) return (events) => createPostgresLink(databaseUrl, events);
  return (events) => {
    const link = createNatsLink({ ...nats, installation }, events);
    const presence = createPresence(databaseUrl, events);
    return {
      ...link,
      async start() {
        await presence.start();
        await link.start();
      },
      async close() {
        await link.close();
        await presence.close();
      },
    };
  };
}

/** Shows PostgreSQL that this server runs, and notices servers that do not use NATS. */
function createPresence(databaseUrl: Secret, { onError }: LinkEvents) {
  let complainedAt = Number.NEGATIVE_INFINITY;
  return createPostgresLink(databaseUrl, {
    own: '',
    onOpen: () => undefined,
    onEnvelope() {
      if (performance.now() - complainedAt < COMPLAIN_MS) return;
      complainedAt = performance.now();
      onError(
        new Error(
          'Another server on this database has no ATELIER_NATS_URL, so the two cannot exchange events. Set it for all servers or for none.',
        ),
      );
    },
    onError,
  });
}
