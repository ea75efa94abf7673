import { type Static, Type } from 'typebox';

import { schema, Timestamp, User } from './fields.ts';
import { WebhookEndpoint } from './webhooks.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const QueueHistory = schema(
  'QueueHistory',
  {
    step_ms: Type.Integer({ description: 'From one point to the next.' }),
    points: Type.Array(
      Type.Object({
        at: Timestamp,
        waiting: Count('Jobs that waited then, of all servers.'),
        running: Count('Jobs that ran then, of all servers.'),
        started: Count('Jobs that this server started in the step before.'),
        completed: Count('Jobs that this server completed in the step before.'),
        failed: Count('Jobs that failed on this server in the step before.'),
        cancelled: Count('Jobs that were cancelled on this server in the step before.'),
        mean_wait_ms: Type.Optional(Count('How long the started jobs had waited.')),
        max_wait_ms: Type.Optional(Count('The longest of them.')),
      }),
      { description: 'Oldest first; since the start of this server, at most six hours.' },
    ),
  },
  {
    example: {
      step_ms: 10_000,
      points: [
        {
          at: '2026-01-31T12:00:00.000Z',
          waiting: 3,
          running: 2,
          started: 4,
          completed: 3,
          failed: 1,
          cancelled: 0,
          mean_wait_ms: 350,
          max_wait_ms: 900,
        },
      ],
    },
  },
);
export type QueueHistory = Static<typeof QueueHistory>;

export const StorageReport = schema(
  'StorageReport',
  {
    used_bytes: Count('The size of the files and job results of all users.'),
    quota_bytes: Count('The limit for each user.'),
    users: Type.Array(
      Type.Object({
        user: User,
        used_bytes: Count('What counts against the quota.'),
        files: Count('Uploads, outputs and files of tasks.'),
      }),
      { description: 'The users with the most, at most 100.' },
    ),
  },
  {
    example: {
      used_bytes: 1_500_000,
      quota_bytes: 10_737_418_240,
      users: [
        {
          user: { id: '0198c0de-0000-7000-8000-000000000001', email: 'ada@example.com' },
          used_bytes: 1_500_000,
          files: 12,
        },
      ],
    },
  },
);
export type StorageReport = Static<typeof StorageReport>;

export const FailingEndpoints = schema('FailingEndpoints', {
  endpoints: Type.Array(Type.Object({ ...WebhookEndpoint.properties, user: User })),
});
export type FailingEndpoints = Static<typeof FailingEndpoints>;

export const ServerSettings = schema(
  'ServerSettings',
  {
    settings: Type.Array(
      Type.Object({
        name: Type.String(),
        description: Type.String(),
        is_set: Type.Boolean({ description: 'False when the server uses the default.' }),
        is_secret: Type.Boolean(),
        value: Type.Optional(
          Type.String({
            description: 'Absent for a secret, and when there is neither a value nor a default.',
          }),
        ),
      }),
    ),
  },
  {
    example: {
      settings: [
        {
          name: 'ATELIER_PORT',
          description: 'TCP port to listen on.',
          is_set: false,
          is_secret: false,
          value: '8080',
        },
      ],
    },
  },
);
export type ServerSettings = Static<typeof ServerSettings>;
