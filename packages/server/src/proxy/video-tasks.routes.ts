import { VideoCreations, VideoTaskRequest, VideoTaskResponse } from '@atelier/contracts';
import { Type } from 'typebox';

import { actorOf } from '../platform/http/actor.ts';
import type { Routes } from '../platform/http/route-config.ts';
import { withoutNulls } from '../platform/http/without-nulls.ts';
import { MOST_BODY_BYTES, TaskHeaders, vendorPaths } from './paths.ts';
import { readVideoRequest } from './requests/read-video-request.ts';
import { warnOfUnknownFields } from './requests/unknown-fields.ts';
import type { TaskKind } from './task-kinds.ts';
import type { TaskWire } from './task-wire.ts';
import { fingerprintOf, type TasksService } from './tasks.service.ts';

interface Parts {
  readonly tasks: TasksService;
  readonly wire: TaskWire;
  readonly acceptAliases: boolean;
}

const tags = ['generation'];
const VIDEO_KINDS: readonly TaskKind[] = ['video'];
const CREATES = [
  [
    'text2video',
    'Make a video of words, or of words and a start frame',
    'Only `clipq3-pro` and `clipq1` work without a start frame.',
  ],
  [
    'img2video',
    'Make a video of a start frame',
    'Needs exactly one image, which also sets the shape of the video.',
  ],
] as const;
const CREATING =
  'Answers before the video is made: ask `…/tasks/{taskId}/creations` until the state is `success` or `failed`, or give a `callback_url`. Its credits (`GET /proxy/prices`) are reserved now and come back if the task fails; more tasks than an account may have under way get 429.';

export const videoTaskRoutes: Routes<Parts> =
  ({ tasks, wire, acceptAliases }) =>
  async (app) => {
    for (const { path, name } of vendorPaths('videovendor', acceptAliases)) {
      for (const [route, summary, about] of CREATES) {
        app.post(
          `${path}/${route}`,
          {
            bodyLimit: MOST_BODY_BYTES,
            preValidation: withoutNulls,
            config: {
              operation: `${name}.${route}.create`,
              access: 'user',
              session: true,
              jobCredential: true,
              failures: [402, 409, 429],
            },
            schema: {
              summary,
              description: `${about} ${CREATING}`,
              tags,
              headers: TaskHeaders,
              body: VideoTaskRequest,
              response: { 200: VideoTaskResponse },
            },
          },
          async (request) => {
            const { task, files } = await tasks.create({
              userId: actorOf(request).userId,
              request: readVideoRequest(request.body, { route, acceptAliases }),
              idempotencyKey: request.headers['idempotency-key'],
              fingerprint: () => fingerprintOf(route, request.body),
            });
            return { ...(await wire.videoTask(task, files)), ...warnOfUnknownFields(request) };
          },
        );
      }
      app.get(
        `${path}/tasks/:taskId/creations`,
        {
          config: {
            operation: `${name}.creations`,
            access: 'user',
            session: true,
            jobCredential: true,
            failures: [404],
          },
          schema: {
            summary: 'How a task stands, with fresh links to its videos',
            description:
              '`creations` is empty until the state is `success`. Its links need no credential and last for 24 hours. A task of another account or kind gets 404.',
            tags,
            params: Type.Object({
              taskId: Type.String({ description: 'Id of the task, from its creation.' }),
            }),
            response: { 200: VideoCreations },
          },
        },
        async (request) => {
          const { userId } = actorOf(request);
          const { task, files } = await tasks.find(userId, request.params.taskId, VIDEO_KINDS);
          return await wire.creations(task, files);
        },
      );
    }
  };
