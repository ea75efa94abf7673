import {
  ChangeWorkerToken,
  CreatedWorkerToken,
  NewWorkerToken,
  QuarantineWorker,
  type WorkerConflict,
  WorkerConflicts,
  WorkerDemand,
  WorkerList,
  WorkerModels,
  WorkerToken,
  WorkerTokenList,
} from '@atelier/contracts';
import { type Actor, requireAdmin } from '../../platform/http/actor.ts';
import { createRouteDefiner, done } from '../../platform/http/define-route.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import type { WorkerTokensService } from './worker-tokens.service.ts';
import type { WorkersService } from './workers.service.ts';

interface Parts {
  readonly tokens: WorkerTokensService;
  readonly service: WorkersService;
  readonly demand: (actor: Actor) => Promise<WorkerDemand>;
  readonly conflicts: () => Promise<readonly WorkerConflict[]>;
}

const MAX_CONFLICTS = 1000;

export const workersRoutes: Routes<Parts> =
  ({ tokens, service, demand, conflicts }) =>
  async (app) => {
    const parameters = { tokenId: 'Id of the worker token.', workerId: 'Id of the worker.' };
    const route = createRouteDefiner(app, { tag: 'administration', parameters });

    route('GET', '/admin/workers', {
      operation: 'admin.workers.list',
      summary: 'The workers that are connected',
      description:
        'To any of the servers, with what they can run, what they run now and what went wrong last. For administrators.',
      response: { 200: WorkerList },
      handle: async ({ actor }) => ({ workers: await service.list(actor) }),
    });

    route('GET', '/admin/workers/demand', {
      operation: 'admin.workers.demand',
      summary: 'How much work waits for workers, by label',
      description:
        'For autoscalers: start workers with a label while its `waiting_seconds` are above what you want users to wait. For administrators.',
      response: { 200: WorkerDemand },
      handle: async ({ actor }) => await demand(actor),
    });

    route('GET', '/admin/workers/:workerId/models', {
      operation: 'admin.workers.models',
      failures: [404],
      summary: 'The model files of a worker',
      description: 'Their names, by folder. For administrators.',
      response: { 200: WorkerModels },
      handle: async ({ actor, params }) => ({ models: await service.models(actor, params.workerId) }),
    });

    route('GET', '/admin/workers/conflicts', {
      operation: 'admin.workers.conflicts',
      summary: 'Node types on which workers contradict each other',
      description:
        'Two workers have a type of the same name with other inputs or outputs, such as two versions of a node pack. Workflows are checked against the type of the `used` workers. For administrators.',
      response: { 200: WorkerConflicts },
      async handle({ actor }) {
        requireAdmin(actor);
        const all = await conflicts();
        return { total: all.length, conflicts: all.slice(0, MAX_CONFLICTS) };
      },
    });

    route('POST', '/admin/workers/:workerId/drain', {
      operation: 'admin.workers.drain',
      failures: [404],
      summary: 'Let a worker finish what it runs and take nothing new',
      description: 'Until it is released or starts again. For administrators.',
      response: done('It takes nothing new.'),
      handle: async ({ actor, params }) => await service.want(actor, params.workerId, { drain: true }),
    });

    route('POST', '/admin/workers/:workerId/quarantine', {
      operation: 'admin.workers.quarantine',
      failures: [404],
      summary: 'Give a worker no more jobs, and say why',
      description:
        'Until it is released: a worker that starts again with the same token and name is still in quarantine. One that the server starts itself is so until the server starts again. For administrators.',
      body: QuarantineWorker,
      response: done('It gets no more jobs.'),
      handle: async ({ actor, params, body }) =>
        await service.want(actor, params.workerId, { quarantine: body.reason }),
    });

    route('POST', '/admin/workers/:workerId/release', {
      operation: 'admin.workers.release',
      failures: [404],
      summary: 'Give a worker jobs again',
      description: 'Ends a drain or a quarantine. For administrators.',
      response: done('It takes jobs again.'),
      handle: async ({ actor, params }) => await service.want(actor, params.workerId, { drain: false }),
    });

    route('GET', '/admin/worker-tokens', {
      operation: 'admin.worker_tokens.list',
      summary: 'The worker tokens',
      description: 'Newest first, without the secrets. For administrators.',
      response: { 200: WorkerTokenList },
      handle: async ({ actor }) => ({ worker_tokens: await tokens.list(actor) }),
    });

    route('POST', '/admin/worker-tokens', {
      operation: 'admin.worker_tokens.create',
      summary: 'Create a worker token',
      description:
        'Lets a worker connect, and opens nothing else. The token is in this answer only. With `labels` its workers may have these and no others. For administrators.',
      body: NewWorkerToken,
      response: { 201: CreatedWorkerToken },
      handle: async ({ actor, body }) => await tokens.create(actor, body),
    });

    route('PATCH', '/admin/worker-tokens/:tokenId', {
      operation: 'admin.worker_tokens.change',
      failures: [404],
      summary: 'Rename a worker token or change its labels',
      description:
        'Connected workers with a label that is no longer allowed are disconnected. `null` allows any label. For administrators.',
      body: ChangeWorkerToken,
      response: { 200: WorkerToken },
      handle: async ({ actor, params, body }) => await tokens.change(actor, params.tokenId, body),
    });

    route('DELETE', '/admin/worker-tokens/:tokenId', {
      operation: 'admin.worker_tokens.revoke',
      failures: [404],
      summary: 'Revoke a worker token',
      description:
        'Its workers are disconnected within seconds, and their jobs run elsewhere. For administrators.',
      response: done('Revoked.'),
      handle: async ({ actor, params }) => await tokens.revoke(actor, params.tokenId),
    });
  };
