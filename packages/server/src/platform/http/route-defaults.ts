/** Errors have the same shape at both mounts of ComfyUI's routes. */
export const CLOUD_DEFAULTS = { errorShape: 'code' } as const;

/** ComfyUI serves its routes twice: at the root, and under `/api`, like the public cloud. */
export const HOST_DEFAULTS = {
  ...CLOUD_DEFAULTS,
  mounts: [
    { prefix: '', area: 'host' },
    { prefix: '/api', area: 'cloud' },
  ],
} as const;
