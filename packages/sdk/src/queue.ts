import type { CallOptions, Transport } from './http/transport.ts';

/** A job in the queue. */
export interface QueueEntry {
  readonly number: number;
  readonly id: string;
  readonly prompt: Readonly<Record<string, unknown>>;
  readonly extraData: Readonly<Record<string, unknown>>;
}

/** Your jobs that wait and run. */
export function createQueue(transport: Transport) {
  return {
    /** What runs and what waits. */
    async get(options: CallOptions = {}): Promise<{ running: QueueEntry[]; pending: QueueEntry[] }> {
      const queue = await transport.get('Queue', '/api/queue', options);
      return { running: queue.queue_running.map(toEntry), pending: queue.queue_pending.map(toEntry) };
    },

    /** How many wait and run. */
    async remaining(options: CallOptions = {}): Promise<number> {
      return (await transport.get('QueueRemaining', '/api/prompt', options)).exec_info.queue_remaining;
    },

    /** Cancels these, whether they wait or run. Gives those that had not ended. */
    async delete(ids: readonly string[], options: CallOptions = {}): Promise<string[]> {
      const change = { ...options, body: { delete: ids }, isRepeatable: true };
      return (await transport.post('QueueChanged', '/api/queue', change)).deleted;
    },

    /** Cancels everything that waits. */
    clear: async (options: CallOptions = {}): Promise<void> => {
      await transport.post('nothing', '/api/queue', {
        ...options,
        body: { clear: true },
        isRepeatable: true,
      });
    },

    /** Cancels this job if it runs, or everything of yours that runs. */
    interrupt: async (id?: string, options: CallOptions = {}): Promise<void> => {
      const body = id === undefined ? {} : { prompt_id: id };
      await transport.post('nothing', '/api/interrupt', { ...options, body });
    },

    /** Forgets kept results, so that the next job is computed anew. */
    free: async (options: CallOptions = {}): Promise<void> => {
      await transport.post('nothing', '/api/free', {
        ...options,
        body: { free_memory: true },
        isRepeatable: true,
      });
    },
  };
}

function toEntry(item: readonly unknown[]): QueueEntry {
  const [number, id, prompt, extraData] = item as [number, string, Record<string, unknown>, object];
  return { number, id, prompt, extraData: { ...extraData } };
}
