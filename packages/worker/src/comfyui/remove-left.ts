import { setTimeout as delay } from 'node:timers/promises';

import type { ComfyClient } from './comfyui-client.ts';
import { cancelPrompt, forgetPrompt, listPrompts } from './find-prompt.ts';

interface Parts {
  readonly client: ComfyClient;
  /** The mark of the worker. */
  readonly owner: string;
  /** Whether one of its jobs runs under this id. */
  readonly isActive: (id: string) => boolean;
  readonly removeFiles: (folder: string) => Promise<void>;
  readonly signal: AbortSignal;
}

const LOOK_MS = 500;

/** Stops what a worker has left at ComfyUI when it ended, or when it took ComfyUI to hang. Those jobs run elsewhere by now. */
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
