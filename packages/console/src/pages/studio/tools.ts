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

/** The state of a task in the words that jobs have. */
export const stateOf = ({ state }: Pick<ProxyTask, 'state'>) => STATES[state];

/** How its route is called; also the tool that made it. */
export function toolOf({ kind }: Pick<ProxyTask, 'kind'>): TaskKind {
  return kind.startsWith('skin') ? 'skin' : (kind as 'relight' | 'video');
}

/** For programs, or for few: folded away. */
const RARE = new Set([
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

export const isRare = ({ field, parent }: GenerationField) => parent !== undefined || RARE.has(field);
