import { boolean, combo, int, optional, string } from '@atelier/engine';

/**
 * The hidden inputs of ComfyUI's partner nodes. `unique_id` distinguishes two equal nodes of a graph, because each is a
 * purchase.
 */
export const HIDDEN = {
  auth_token_comfy_org: 'AUTH_TOKEN_COMFY_ORG',
  api_key_comfy_org: 'API_KEY_COMFY_ORG',
  unique_id: 'UNIQUE_ID',
} as const;

export const MAX_SEED = 2_147_483_647;

export function percent(fallback: number, tooltip: string) {
  return optional(int({ default: fallback, min: 0, max: 100, display: 'slider', tooltip }));
}

export function choice<const Value extends string>(
  values: readonly Value[],
  fallback: Value,
  tooltip: string,
  options: { readonly advanced?: true } = {},
) {
  return optional(combo(values, { default: fallback, ...options, tooltip }));
}

export function flag(fallback: boolean, tooltip: string, options: { readonly advanced?: true } = {}) {
  return optional(boolean({ default: fallback, ...options, tooltip }));
}

/** An advanced text that is left out if empty. */
export function text(tooltip: string) {
  return optional(string({ default: '', advanced: true, tooltip }));
}

export function prompt(tooltip: string) {
  return optional(string({ multiline: true, default: '', dynamicPrompts: true, tooltip }));
}

export const webhook = text('A URL that is called at every change of a task. The node itself needs none.');
