/** Ids differ by more than case: this form is unique. */
export function packIdKey(id: string): string {
  return id.toLowerCase();
}

/** 1 to 100 ASCII letters, digits, `_`, `-` and `.`, with a letter or digit at both ends. */
export const PACK_ID_PATTERN = '^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9])?$';

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
