import type { CallOptions, Transport } from './http/transport.ts';

/** A job in the queue. */
export interface QueueEntry {
  readonly number: number;
  readonly id: string;
  readonly prompt: Readonly<Record<string, unknown>>;
  readonly extraData: Readonly<Record<string, unknown>>;
}

/** Your waiting and running jobs. */
export function createQueue(transport: Transport) {
  return {
    /** The running and the waiting jobs. */
    async get(options: CallOptions = {}): Promise<{ running: QueueEntry[]; pending: QueueEntry[] }> {
      const queue = await transport.get('Queue', '/api/queue', options);
      return { running: queue.queue_running.map(toEntry), pending: queue.queue_pending.map(toEntry) };
    },

    /** How many jobs are waiting and running. */
    async remaining(options: CallOptions = {}): Promise<number> {
      return (await transport.get('QueueRemaining', '/api/prompt', options)).exec_info.queue_remaining;
    },

    /** Cancels waiting or running jobs. Returns those that had not ended. */
    async delete(ids: readonly string[], options: CallOptions = {}): Promise<string[]> {
      const change = { ...options, body: { delete: ids }, isRepeatable: true };
      return (await transport.post('QueueChanged', '/api/queue', change)).deleted;
    },

    /** Cancels all waiting jobs. */
    clear: async (options: CallOptions = {}): Promise<void> => {
      await transport.post('nothing', '/api/queue', {
        ...options,
        body: { clear: true },
        isRepeatable: true,
      });
    },

    /** Cancels this job if it is running, or all your running jobs. */
    interrupt: async (id?: string, options: CallOptions = {}): Promise<void> => {
      const body = id === undefined ? {} : { prompt_id: id };
      await transport.post('nothing', '/api/interrupt', { ...options, body });
    },

    /** Clears the cache of results, so that the next job is computed from scratch. */
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
