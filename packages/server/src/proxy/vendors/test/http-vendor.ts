import type { TestContext } from 'node:test';
import { type ScriptedVendor, startScriptedVendor } from '@atelier/testing';

import { startOutbound } from '../../../platform/net/test/loopback-server.ts';
import { Secret } from '../../../platform/secret.ts';
import { createHttpAdapter } from '../http-adapter.ts';
import { HTTP_IMAGE_VENDOR } from '../http-image.ts';
import { HTTP_VIDEO_VENDOR } from '../http-video.ts';
import {
  type VendorAdapter,
  type VendorContext,
  type VendorInput,
  type VendorTask,
  type VendorTaskStatus,
  VendorTrouble,
} from '../vendor.ts';
import type { HttpVendorOptions } from '../vendor-http.ts';

export const KEY = 'fpk-3f9a1c77e2b84d05-sEcReT';
export const TASK_ID = '046b6c7f-0b8a-43b9-b35d-6489e6daee91';

const ALIKE: Pick<VendorTask, 'id' | 'seed' | 'folder'> = { id: 'task-1', seed: 7, folder: '/nowhere' };

interface Case {
  readonly create: (options: HttpVendorOptions) => VendorAdapter;
  readonly task: VendorTask;
  /** Routes of the vendor for this task. */
  readonly begins: string;
  readonly looks: string;
  /** Bodies that are fine. */
  readonly begun: object;
  readonly going: object;
  toBody(state: string): object;
}

/** The two adapters, and a task for each that needs no file. */
export const CASES: Readonly<Record<'image' | 'video', Case>> = {
  image: {
    create: (options) => createHttpAdapter('imagevendor', HTTP_IMAGE_VENDOR, options),
    task: {
      ...ALIKE,
      kind: 'skin-faithful',
      settings: { sharpen: 0, smart_grain: 2, skin_detail: 80 },
      inputs: { image: pictureAt('https://files.example/in.png') },
    },
    begins: 'POST /v1/ai/skin-enhancer/faithful',
    looks: 'GET /v1/ai/skin-enhancer/:id',
    begun: { data: { task_id: TASK_ID, status: 'CREATED', generated: [] } },
    going: { data: { task_id: TASK_ID, status: 'IN_PROGRESS', generated: [] } },
    toBody: (status) => ({ data: { task_id: TASK_ID, status, generated: [] } }),
  },
  video: {
    create: (options) => createHttpAdapter('videovendor', HTTP_VIDEO_VENDOR, options),
    task: {
      ...ALIKE,
      kind: 'video',
      settings: { model: 'clipq3-pro', prompt: 'A lake at dawn', duration: 5, resolution: '720p', seed: 7 },
      inputs: {},
    },
    begins: 'POST /ent/v2/text2video',
    looks: 'GET /ent/v2/tasks/:id/creations',
    begun: { task_id: TASK_ID, state: 'created', credits: 100 },
    going: { id: TASK_ID, state: 'processing', err_code: '', creations: [] },
    toBody: (state) => ({ id: TASK_ID, state, creations: [] }),
  },
};

export interface Setting {
  readonly script: ScriptedVendor;
  readonly adapter: VendorAdapter;
  begin(task?: VendorTask, context?: Partial<VendorContext>): Promise<VendorTaskStatus>;
  check(task?: VendorTask, context?: Partial<VendorContext>): Promise<VendorTaskStatus>;
}

/** An adapter and the vendor it talks to. */
export async function set(
  t: TestContext,
  which: keyof typeof CASES,
  options: Partial<HttpVendorOptions> = {},
): Promise<Setting> {
  const script = await startScriptedVendor();
  t.after(async () => await script.close());
  const { create, task: usual } = CASES[which];
  const adapter = create({
    baseUrl: script.origin,
    key: new Secret(KEY),
    outbound: startOutbound(t, { allow: ['127.0.0.1'] }),
    ...options,
  });
  const usually: VendorContext = {
    signal: new AbortController().signal,
    onProgress: () => {},
    callbackUrl: undefined,
  };
  return {
    script,
    adapter,
    begin: async (task = usual, context = {}) => await adapter.begin(task, { ...usually, ...context }),
    check: async (task = usual, context = {}) =>
      await adapter.check(TASK_ID, task, { ...usually, ...context }),
  };
}

/** A picture that the vendor fetches. */
export function pictureAt(url: string): VendorInput {
  return { path: '/nowhere/in.png', mediaType: 'image/png', url };
}

/** The trouble that work ends in; anything else fails the test. */
export async function troubleOf(work: Promise<unknown>): Promise<VendorTrouble> {
  try {
    const result = await work;
    throw new Error(`expected trouble, not ${JSON.stringify(result)}`);
  } catch (error) {
    if (error instanceof VendorTrouble) return error;
    throw error;
  }
}
