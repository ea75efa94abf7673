/** What an API key may be limited to, as the page of consent describes it. */
export const SCOPE_MEANINGS = {
  workflows: 'Run workflows, and see and change your jobs, files and settings',
  generation: 'Generate pictures and videos, which costs credits',
  registry: 'Publish node packs and change what you have published',
  account: 'See your credits, and manage your API keys and webhooks',
  admin: 'Administer this server, if you are an administrator',
} as const;

export type Scope = keyof typeof SCOPE_MEANINGS;
export const SCOPES = Object.keys(SCOPE_MEANINGS) as readonly Scope[];

/** The known scopes in a space-separated text, in the order above, each once. */
export function parseScopes(text: string): readonly Scope[] {
  const words = new Set(text.split(' '));
  return SCOPES.filter((scope) => words.has(scope));
}
