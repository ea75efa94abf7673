/** The host application has its routes twice: bare, and under `/api`, where the public cloud has them too. */
export const DOORS = [
  { prefix: '', area: 'host' },
  { prefix: '/api', area: 'cloud' },
] as const;

/** What every route here has in common. A failure looks the same through both doors. */
export function hostRoute(
  operation: string,
  { failures = [] }: { readonly failures?: readonly number[] } = {},
) {
  return { operation, access: 'user', session: true, errorShape: 'code', failures } as const;
}
