/** What the routes of the host application have in common. A failure looks the same through both doors. */
export const CLOUD = { errorShape: 'code' } as const;

/** The host application has its routes twice: bare, and under `/api`, where the public cloud has them too. */
export const HOST = {
  ...CLOUD,
  doors: [
    { prefix: '', area: 'host' },
    { prefix: '/api', area: 'cloud' },
  ],
} as const;
