import { type Static, Type } from 'typebox';

import { JOB_STATUSES } from './cloud-jobs.ts';
import { oneOf, optional, schema } from './fields.ts';

const Ms = (description: string) => Type.Integer({ minimum: 0, description });
const sinceStart = 'in ms after `started_at`.';

/** When each node of a job ran, in its last attempt. */
export const JobTimeline = schema(
  'JobTimeline',
  {
    job_id: Type.String(),
    status: oneOf(JOB_STATUSES),
    attempt: Type.Integer({
      description: 'How often the job was started. The nodes are those of the last attempt.',
    }),
    waiting_ms: Ms('From its submission to the start of the last attempt, to its end, or until now.'),
    ...optional({
      started_at: Type.Integer({ description: 'When the last attempt began. Unix time in ms.' }),
      running_ms: Ms('From that start to the end, or until now.'),
      worker: Type.String({ description: 'The name of the worker that ran it.' }),
    }),
    nodes: Type.Array(
      Type.Object({
        node_id: Type.String(),
        state: oneOf(['cached', 'running', 'finished', 'failed', 'stopped'], {
          description: '`stopped`: the job ended while the node ran.',
        }),
        started_ms: Ms(`When it began, ${sinceStart}`),
        ...optional({
          ended_ms: Ms(`When it ended, ${sinceStart} Absent unless it has finished or was cached.`),
          class_type: Type.String({ description: 'Absent for a node that is not in the workflow.' }),
          title: Type.String({ description: 'What the workflow calls it.' }),
          display_node_id: Type.String({
            description: 'The node of the workflow that expanded into this one.',
          }),
        }),
      }),
      { description: 'In the order of their start; the first 2000.' },
    ),
    nodes_left_out: Type.Integer({ description: 'How many more there were.' }),
    log: Type.Array(
      Type.Object({
        ms: Ms(`When, ${sinceStart}`),
        node_id: Type.Optional(Type.String()),
        text: Type.String({ description: 'At most 1000 characters.' }),
      }),
      { description: 'Output of the nodes, oldest first; the last 200 lines.' },
    ),
    log_lines_left_out: Type.Integer({ description: 'How many lines there were before.' }),
  },
  {
    example: {
      job_id: '0198c0de-0000-7000-8000-000000000000',
      status: 'completed',
      attempt: 1,
      waiting_ms: 120,
      started_at: 1_769_860_800_120,
      running_ms: 900,
      worker: 'built-in',
      nodes: [
        {
          node_id: '1',
          state: 'finished',
          started_ms: 4,
          ended_ms: 880,
          class_type: 'EmptyImage',
          title: 'Canvas',
        },
      ],
      nodes_left_out: 0,
      log: [{ ms: 500, node_id: '1', text: 'Half of it is painted.' }],
      log_lines_left_out: 0,
    },
  },
);
export type JobTimeline = Static<typeof JobTimeline>;
