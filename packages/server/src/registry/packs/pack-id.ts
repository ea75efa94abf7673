/** Ids differ by more than case: this form is unique. */
export function packIdKey(id: string): string {
  return id.toLowerCase();
}

/** One repository has one spelling: no scheme, no user, no `.git`, no trailing slash, no case. */
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
