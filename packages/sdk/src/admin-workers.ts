import { path } from './http/server-address.ts';
import type { CallOptions, Transport } from './http/transport.ts';
import type {
  ChangeWorkerToken,
  NewWorkerToken,
  Worker,
  WorkerDemand,
  WorkerModels,
  WorkerToken,
} from './wire.ts';

/** The workers that run jobs. */
export function createAdminWorkers(transport: Transport) {
  const change = async (id: string, action: string, options: CallOptions, body?: object): Promise<void> =>
    await transport.post('nothing', path`/admin/workers/${id}/${action}`, {
      ...options,
      body,
      isRepeatable: true,
    });
  return {
    /** The connected workers. */
    list: async (options: CallOptions = {}): Promise<Worker[]> =>
      (await transport.get('WorkerList', '/admin/workers', options)).workers,
    /** What is waiting for workers, by label: one number to scale by. */
    demand: async (options: CallOptions = {}): Promise<WorkerDemand['labels']> =>
      (await transport.get('WorkerDemand', '/admin/workers/demand', options)).labels,
    /** The model files of a worker, by folder. */
    models: async (id: string, options: CallOptions = {}): Promise<WorkerModels['models']> =>
      (await transport.get('WorkerModels', path`/admin/workers/${id}/models`, options)).models,
    /** Node types that workers define differently. */
    conflicts: async (options: CallOptions = {}) =>
      await transport.get('WorkerConflicts', '/admin/workers/conflicts', options),
    /** Lets a worker finish its jobs and gives it no more. */
    drain: async (id: string, options: CallOptions = {}) => await change(id, 'drain', options),
    /** Gives a worker no more jobs. The reason is shown. */
    quarantine: async (id: string, reason: string, options: CallOptions = {}) =>
      await change(id, 'quarantine', options, { reason }),
    /** Gives a worker jobs again. */
    release: async (id: string, options: CallOptions = {}) => await change(id, 'release', options),
  };
}

/** Tokens that workers connect with. */
export function createAdminWorkerTokens(transport: Transport) {
  return {
    /** The tokens, without their values. */
    list: async (options: CallOptions = {}): Promise<WorkerToken[]> =>
      (await transport.get('WorkerTokenList', '/admin/worker-tokens', options)).worker_tokens,
    /** Creates a token. `token` is its value, shown only once. */
    create: async (token: NewWorkerToken, options: CallOptions = {}) =>
      await transport.post('CreatedWorkerToken', '/admin/worker-tokens', { ...options, body: token }),
    /** Renames a token or changes its labels. */
    update: async (id: string, changes: ChangeWorkerToken, options: CallOptions = {}) =>
      await transport.patch('WorkerToken', path`/admin/worker-tokens/${id}`, {
        ...options,
        body: changes,
        isRepeatable: true,
      }),
    /** Revokes a token. Workers that use it are disconnected. */
    delete: async (id: string, options: CallOptions = {}) =>
      await transport.delete('nothing', path`/admin/worker-tokens/${id}`, options),
  };
}
