import type { Msg, MsgCallback, Subscription } from '@nats-io/transport-node';

import { orAborted } from '../or-aborted.ts';
import { type Envelope, NO_USER } from './envelopes.ts';
import { createLink, type Link, type LinkEvents } from './link.ts';
import { ANSWER_MS, connectToNats, type NatsSettings, SUBJECTS } from './nats-connection.ts';
import { createEnvelopeReader, toPackets } from './pieces.ts';

const BATCH_BYTES = 64 * 1024;

interface Parts extends NatsSettings {
  /** Part of the subjects, because several installations may share a NATS. */
  readonly installation: string;
}

/** Each user has a subject, so that a server receives only the events it has listeners for. */
export function createNatsLink({ installation, ...settings }: Parts, events: LinkEvents): Link {
  const { onOpen, onEnvelope, onError } = events;
  const toAll = `${SUBJECTS}.${installation}.all`;
  const subjectOf = (userId: string): string =>
    userId === NO_USER ? toAll : `${SUBJECTS}.${installation}.user.${userId}`;

  return createLink({
    batchBytes: BATCH_BYTES,
    onOpen,
    onError,
    async connect({ lose, isCurrent }) {
      const reader = createEnvelopeReader();
      const nats = await connectToNats(settings);
      const callback: MsgCallback<Msg> = (error, { data }) => {
        if (error) lose(error);
        if (error || !isCurrent()) return;
        try {
          // A copy, because the client reuses its buffer.
          const envelope = reader.readPacket(Buffer.from(data));
          if (envelope) onEnvelope(envelope);
        } catch (failure) {
          onError(failure);
        }
      };
      const listening = new Map<string, Subscription>();
      nats.subscribe(toAll, { callback });
      const flush = async () => await orAborted(nats.flush(), AbortSignal.timeout(ANSWER_MS));
      const watch = async () => {
        for await (const status of nats.status()) if (status.type === 'error') lose(status.error);
        lose((await nats.closed()) ?? new Error('NATS closed the connection.'));
      };
      watch().catch(lose);
      try {
        await flush();
      } catch (error) {
        await nats.close();
        throw error;
      }
      return {
        async send(envelope) {
          for (const [subject, part] of addressed(envelope)) {
            for (const packet of toPackets(part, nats.info?.max_payload ?? BATCH_BYTES))
              nats.publish(subject, packet);
          }
          // Only the answer shows that NATS has it.
          await flush();
          return 'sent';
        },
        listen(userId) {
          if (!listening.has(userId)) listening.set(userId, nats.subscribe(subjectOf(userId), { callback }));
        },
        unlisten(userId) {
          listening.get(userId)?.unsubscribe();
          listening.delete(userId);
        },
        end: async () => await nats.close(),
      };
    },
  });

  /** Splits an envelope by user. Consecutive events of one user stay together, so that all keep their order. */
  function addressed(envelope: Envelope): readonly (readonly [subject: string, envelope: Envelope])[] {
    if (!('events' in envelope) || envelope.toAll || envelope.events.length === 0) return [[toAll, envelope]];
    const { from, number, events: all, bytes } = envelope;
    const parts: [string, Envelope][] = [];
    let start = 0;
    for (const [index, [userId]] of all.entries()) {
      if (all[index + 1]?.[0] === userId) continue;
      const own = { from, number: number - (all.length - 1 - index), events: all.slice(start, index + 1) };
      parts.push([subjectOf(userId), bytes ? { ...own, bytes } : own]);
      start = index + 1;
    }
    return parts;
  }
}
