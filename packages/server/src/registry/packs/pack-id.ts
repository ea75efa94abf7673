/** Ids are unique without regard to case. */
export function packIdKey(id: string): string {
  return id.toLowerCase();
}

/** The one spelling of a repository: no scheme, no user, no `.git`, no trailing slash, no case. */
export function repositoryKey(url: string | null | undefined): string | null {
  if (!url) return null;
  const key = url
    .trim()
    .toLowerCase()
    .replace(/^(?:git\+)?[a-z+]+:\/\/(?:[^@/]*@)?/, '')
    .replace(/^git@([^:]+):/, '$1/')
    .replace(/^www\./, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  return key === '' ? null : key;
}
