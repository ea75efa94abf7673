import { setTimeout as delay } from 'node:timers/promises';

import type { ComfyClient } from './comfyui-client.ts';
import { cancelPrompt, forgetPrompt, listPrompts } from './find-prompt.ts';

interface Parts {
  readonly client: ComfyClient;
  /** The mark on the prompts of the worker. */
  readonly owner: string;
  /** Whether one of its running jobs has this prompt id. */
  readonly isActive: (id: string) => boolean;
  readonly removeFiles: (folder: string) => Promise<void>;
  readonly signal: AbortSignal;
}

const LOOK_MS = 500;

/** Stops and removes the prompts that a worker left at ComfyUI when it ended or found ComfyUI hung. Their jobs run elsewhere by now. */
export async function removeLeft({ client, owner, isActive, removeFiles, signal }: Parts): Promise<void> {
  for (;;) {
    const all = await listPrompts(client);
    const left = all.filter(({ id, owner: whose }) => whose === owner && !isActive(id));
    for (const { id, hasEnded } of left) {
      if (hasEnded) {
        await removeFiles(`atelier/${id}`);
        await forgetPrompt(client, id);
      } else await cancelPrompt(client, id);
    }
    if (left.every(({ hasEnded }) => hasEnded)) return;
    await delay(LOOK_MS, undefined, { signal });
  }
}
