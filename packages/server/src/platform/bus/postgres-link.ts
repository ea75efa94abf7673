import pg from 'pg';

import type { Secret } from '../secret.ts';

/** How PostgreSQL shows the connection. */
export const EVENTS_CONNECTION = 'atelier events';

const ANSWER_MS = 5000;
const FIRST_WAIT_MS = 100;
/** Revoked credentials travel here too, so nobody waits for long. */
const MAX_RETRY_MS = 1000;

interface Parts {
  readonly url: Secret;
  readonly channel: string;
  readonly onOpen: () => void;
  readonly onPayload: (payload: string) => void;
  readonly onError: (error: unknown) => void;
}

/** A connection of its own that listens on a channel, and is made again when it is lost. */
export function createPostgresLink(parts: Parts) {
  const { url, channel, onError } = parts;
  let current: { readonly client: pg.Client; readonly lose: (error: unknown) => void } | undefined;
  let opening: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let waitMs = FIRST_WAIT_MS;
  let isClosed = false;

  async function open(): Promise<void> {
    const client = new pg.Client({
      connectionString: url.reveal(),
      application_name: EVENTS_CONNECTION,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
    });
    let isLost = false;
    const lose = (cause: unknown): void => {
      if (isLost) return;
      isLost = true;
      if (current?.client === client) current = undefined;
      client.end().catch(() => undefined);
      if (isClosed) return;
      onError(new Error('The connection for messages between servers is lost.', { cause }));
      retry = setTimeout(() => {
        opening = open();
      }, waitMs).unref();
      waitMs = Math.min(waitMs * 2, MAX_RETRY_MS);
    };
    client.on('error', lose);
    client.on('end', () => lose(new Error('PostgreSQL ended it.')));
    client.on('notification', ({ payload }) => {
      if (current?.client === client && payload !== undefined) parts.onPayload(payload);
    });
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
    } catch (error) {
      lose(error);
      return;
    }
    if (isLost) return;
    if (isClosed) {
      await client.end().catch(() => undefined);
      return;
    }
    current = { client, lose };
    waitMs = FIRST_WAIT_MS;
    parts.onOpen();
  }

  return {
    /** Returns after the first attempt, whether it came about or not. */
    async start(): Promise<void> {
      opening = open();
      await opening;
    },
    /** `lost` when it may or may not have got out, `refused` when PostgreSQL does not take this one. */
    async notify(payload: string): Promise<'sent' | 'refused' | 'lost'> {
      const used = current;
      if (!used) return 'lost';
      try {
        await used.client.query('select pg_notify($1, $2)', [channel, payload]);
        return 'sent';
      } catch (error) {
        // Class 22: what was said is wrong, and would be wrong again.
        const isRefused = error instanceof pg.DatabaseError && error.code?.startsWith('22') === true;
        if (isRefused) onError(error);
        else used.lose(error);
        return isRefused ? 'refused' : 'lost';
      }
    },
    isOpen: (): boolean => current !== undefined,
    /** Begins anew: what has arrived and was not read is left. */
    reconnect: (): void => current?.lose(new Error('This server stood still and missed messages.')),
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(retry);
      await opening;
      await current?.client.end().catch(() => undefined);
      current = undefined;
    },
  };
}
