/** What the routes of ComfyUI have in common. Errors have the same shape at both mounts. */
export const CLOUD_DEFAULTS = { errorShape: 'code' } as const;

/** ComfyUI has its routes twice: bare, and under `/api`, where the public cloud has them too. */
export const HOST_DEFAULTS = {
  ...CLOUD_DEFAULTS,
  mounts: [
    { prefix: '', area: 'host' },
    { prefix: '/api', area: 'cloud' },
  ],
} as const;
