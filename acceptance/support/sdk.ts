import { type Atelier, type AtelierOptions, createAtelier } from '@atelier/sdk';
import { PATIENCE_MS, type RunningServer } from '@atelier/testing';

import { newSubmitter, type Tier } from './cloud.ts';

/** The client of somebody who may run workflows. */
export async function newClient(
  server: RunningServer,
  options: AtelierOptions & { readonly tier?: Tier } = {},
): Promise<Atelier & { readonly userId: string; readonly key: string }> {
  const { id, key } = await newSubmitter(server, options.tier);
  return { ...createAtelier({ url: server.url, apiKey: key, ...options }), userId: id, key };
}

export function adminClient(server: RunningServer, options: AtelierOptions = {}): Atelier {
  return createAtelier({ url: server.url, apiKey: server.admin.api_key, ...options });
}

/** So that no test waits forever. */
export function patience(): AbortSignal {
  return AbortSignal.timeout(PATIENCE_MS);
}

export async function rejection(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it was to be refused');
}
