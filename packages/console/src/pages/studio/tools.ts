import type { GenerationField, ProxyTask, TaskKind } from '@atelier/sdk';

export const TOOLS = ['skin', 'relight', 'video'] as const;
export type Tool = (typeof TOOLS)[number];

const STATES = {
  CREATED: 'pending',
  created: 'pending',
  queueing: 'pending',
  IN_PROGRESS: 'in_progress',
  processing: 'in_progress',
  COMPLETED: 'completed',
  success: 'completed',
  FAILED: 'failed',
  failed: 'failed',
} as const satisfies Readonly<Record<ProxyTask['state'], unknown>>;

/** The state of a task in the terms of jobs. */
export const stateOf = ({ state }: Pick<ProxyTask, 'state'>) => STATES[state];

/** The last part of its route; also the tool that made it. */
export function toolOf({ kind }: Pick<ProxyTask, 'kind'>): TaskKind {
  return kind.startsWith('skin') ? 'skin' : (kind as 'relight' | 'video');
}

/** For programs or experts: collapsed. */
const ADVANCED = new Set([
  'webhook_url',
  'callback_url',
  'meta_data',
  'payload',
  'enhance',
  'priority',
  'wm_position',
  'wm_url',
  'voice_id',
  'audio_type',
  'transfer_light_from_lightmap',
]);

export const isAdvanced = ({ field, parent }: GenerationField) => parent !== undefined || ADVANCED.has(field);
