import pg from 'pg';

import type { Secret } from '../secret.ts';
import { createLink, type Link, type LinkEvents } from './link.ts';
import { createEnvelopeReader, isFrom, TEXT_BYTES, toTexts } from './pieces.ts';

/** `application_name` of the connection. */
export const EVENTS_CONNECTION = 'atelier events';
const CHANNEL = 'atelier_events';
const ANSWER_MS = 5000;

/** A dedicated connection that listens on a channel of PostgreSQL. Every server receives every envelope. */
export function createPostgresLink(url: Secret, { own, onOpen, onEnvelope, onError }: LinkEvents): Link {
  return createLink({
    batchBytes: TEXT_BYTES,
    onOpen,
    onError,
    async connect({ lose, isCurrent }) {
      const reader = createEnvelopeReader();
      const client = new pg.Client({
        connectionString: url.reveal(),
        application_name: EVENTS_CONNECTION,
        connectionTimeoutMillis: ANSWER_MS,
        query_timeout: ANSWER_MS,
        keepAlive: true,
      });
      const end = async () => await client.end();
      client.on('error', lose);
      client.on('end', () => lose(new Error('PostgreSQL closed the connection.')));
      client.on('notification', ({ payload }) => {
        if (!isCurrent() || payload === undefined || isFrom(own, payload)) return;
        try {
          const envelope = reader.readText(payload);
          if (envelope) onEnvelope(envelope);
        } catch (error) {
          onError(error);
        }
      });
      try {
        await client.connect();
        await client.query(`listen ${client.escapeIdentifier(CHANNEL)}`);
      } catch (error) {
        await end().catch(() => undefined);
        throw error;
      }
      return {
        async send(envelope) {
          try {
            for (const text of toTexts(envelope))
              await client.query('select pg_notify($1, $2)', [CHANNEL, text]);
            return 'sent';
          } catch (error) {
            // Class 22, data exception: sending it again would fail too.
            if (!(error instanceof pg.DatabaseError) || error.code?.startsWith('22') !== true) throw error;
            onError(error);
            return 'refused';
          }
        },
        end,
      };
    },
  });
}
