import {
  ImageTaskResponse,
  RelightRequest,
  SkinCreativeRequest,
  SkinFaithfulRequest,
  SkinFlexibleRequest,
} from '@atelier/contracts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { actorOf } from '../platform/http/actor.ts';
import type { App, Routes } from '../platform/http/route-config.ts';
import { withoutNulls } from '../platform/http/without-nulls.ts';
import { MOST_BODY_BYTES, TaskHeaders, vendorPaths } from './paths.ts';
import { readRelightRequest } from './requests/read-relight-request.ts';
import { readSkinRequest } from './requests/read-skin-request.ts';
import type { TaskRequest } from './requests/task-request.ts';
import { warnOfUnknownFields } from './requests/unknown-fields.ts';
import type { TaskKind } from './task-kinds.ts';
import type { TaskWire } from './task-wire.ts';
import { fingerprintOf, type TasksService, type TaskWithFiles } from './tasks.service.ts';

/** In credits. */
export interface ImagePrices {
  readonly skin: number;
  readonly relight: number;
}

interface Parts {
  readonly tasks: TasksService;
  readonly wire: TaskWire;
  readonly prices: ImagePrices;
  readonly acceptAliases: boolean;
}

const tags = ['generation'];
const TaskParams = Type.Object({
  taskId: Type.String({ description: 'Id of the task, from its creation.' }),
});
const LIMITS =
  'Its credits are reserved now and come back if the task fails; more tasks than an account may have under way get 429.';
const SKIN_KINDS: readonly TaskKind[] = ['skin-creative', 'skin-faithful', 'skin-flexible'];
const RELIGHT_KINDS: readonly TaskKind[] = ['relight'];
const SKIN_RESULT =
  'Answers before the picture is made: ask `…/skin-enhancer/{taskId}` until the status is `COMPLETED` or `FAILED`, or give a `webhook_url`.';
const RELIGHT_ABOUT =
  'The light comes from the `prompt`, a reference image or a light map. Answers before the picture is made: ask `…/image-relight/{taskId}` until the status is `COMPLETED` or `FAILED`, or give a `webhook_url`.';
const CREATE_FAILURES = [402, 409, 429];

export const imageTaskRoutes: Routes<Parts> =
  ({ tasks, wire, prices, acceptAliases }) =>
  async (app) => {
    const answer = async ({ task, files }: TaskWithFiles): Promise<ImageTaskResponse> => ({
      data: await wire.imageTask(task, files),
    });
    const create = async (request: FastifyRequest, wanted: TaskRequest) => {
      const made = await tasks.create({
        userId: actorOf(request).userId,
        request: wanted,
        idempotencyKey: (request.headers as TaskHeaders)['idempotency-key'],
        fingerprint: () => fingerprintOf(wanted.kind, request.body),
      });
      return { ...(await answer(made)), ...warnOfUnknownFields(request) };
    };

    for (const { path, name } of vendorPaths('imagevendor', acceptAliases)) {
      const options = (operation: string, summary: string, about: string) => ({
        bodyLimit: MOST_BODY_BYTES,
        preValidation: withoutNulls,
        config: {
          operation: `${name}.${operation}`,
          access: 'user',
          session: true,
          jobCredential: true,
          failures: CREATE_FAILURES,
        } as const,
        schema: {
          summary,
          description: `${about} ${LIMITS}`,
          tags,
          headers: TaskHeaders,
          response: { 200: ImageTaskResponse },
        },
      });
      const faithful = options('skin.faithful.create', 'Enhance skin, true to the original', SKIN_RESULT);
      app.post(
        `${path}/v1/ai/skin-enhancer/faithful`,
        { ...faithful, schema: { ...faithful.schema, body: SkinFaithfulRequest } },
        async (request) =>
          await create(
            request,
            readSkinRequest({ mode: 'faithful', body: request.body }, { credits: prices.skin }),
          ),
      );
      const creative = options('skin.creative.create', 'Enhance skin, with more freedom', SKIN_RESULT);
      app.post(
        `${path}/v1/ai/skin-enhancer/creative`,
        { ...creative, schema: { ...creative.schema, body: SkinCreativeRequest } },
        async (request) =>
          await create(
            request,
            readSkinRequest({ mode: 'creative', body: request.body }, { credits: prices.skin }),
          ),
      );
      const flexible = options(
        'skin.flexible.create',
        'Enhance skin for a purpose',
        `\`optimized_for\` is the purpose. ${SKIN_RESULT}`,
      );
      app.post(
        `${path}/v1/ai/skin-enhancer/flexible`,
        { ...flexible, schema: { ...flexible.schema, body: SkinFlexibleRequest } },
        async (request) =>
          await create(
            request,
            readSkinRequest({ mode: 'flexible', body: request.body }, { credits: prices.skin }),
          ),
      );
      const relight = options('relight.create', 'Change the light of a picture', RELIGHT_ABOUT);
      app.post(
        `${path}/v1/ai/image-relight`,
        { ...relight, schema: { ...relight.schema, body: RelightRequest } },
        async (request) =>
          await create(request, readRelightRequest(request.body, { credits: prices.relight })),
      );
      addStatusRoute(app, {
        url: `${path}/v1/ai/skin-enhancer/:taskId`,
        operation: `${name}.skin.show`,
        find: async (userId, id) => await answer(await tasks.find(userId, id, SKIN_KINDS)),
      });
      addStatusRoute(app, {
        url: `${path}/v1/ai/image-relight/:taskId`,
        operation: `${name}.relight.show`,
        find: async (userId, id) => await answer(await tasks.find(userId, id, RELIGHT_KINDS)),
      });
    }
  };

interface StatusRoute {
  readonly url: string;
  readonly operation: string;
  readonly find: (userId: string, id: string) => Promise<ImageTaskResponse>;
}

function addStatusRoute(app: App, { url, operation, find }: StatusRoute): void {
  app.get(
    url,
    {
      config: { operation, access: 'user', session: true, jobCredential: true, failures: [404] },
      schema: {
        summary: 'How a task stands, with fresh links to its pictures',
        description:
          '`generated` is empty until the status is `COMPLETED`. Its links need no credential and last for 24 hours. A task of another account or kind gets 404.',
        tags,
        params: TaskParams,
        response: { 200: ImageTaskResponse },
      },
    },
    async (request) => await find(actorOf(request).userId, request.params.taskId),
  );
}
