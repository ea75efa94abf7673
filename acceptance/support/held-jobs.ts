import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningServer } from '@atelier/testing';

import { type Submitted, submit, untilStatus } from './cloud.ts';
import type { Client } from './http-client.ts';

/** Settings of a server on which jobs can be held. */
export const HOLDING = {
  ATELIER_NODE_PACKS: join(import.meta.dirname, 'hold-pack'),
  ATELIER_RUNNERS: '4',
};

export interface HeldJob extends Submitted {
  /** Lets it end well. */
  letGo(): Promise<void>;
}

/** A job that shows a text and then neither ends nor works until it is let go or cancelled. */
export async function submitHeld(
  server: RunningServer,
  api: Client,
  others: Readonly<Record<string, unknown>> = {},
): Promise<HeldJob> {
  const path = join(server.dataFolder, `let-go-${randomUUID()}`);
  const job = await submit(
    api,
    {
      '1': { class_type: 'PrimitiveString', inputs: { value: path } },
      '2': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
      '3': { class_type: 'TestHold', inputs: { until: path, source: ['2', 0] } },
    },
    others,
  );
  return { ...job, letGo: async () => await writeFile(path, '') };
}

/** The same, from when it runs on. */
export async function runHeld(server: RunningServer, api: Client): Promise<HeldJob> {
  const job = await submitHeld(server, api);
  await untilStatus(api, job.prompt_id, ['in_progress']);
  return job;
}
