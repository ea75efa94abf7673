const ANYWHERE = 'http://own.invalid';

/** A path of this server as a browser reads it; `undefined` for what would lead to another one. */
export function ownPath(path: string): string | undefined {
  if (!path.startsWith('/') || !URL.canParse(path, ANYWHERE)) return undefined;
  const { origin, pathname, search, hash } = new URL(path, ANYWHERE);
  // "/.//elsewhere" has become "//elsewhere", which browsers take for another server.
  return origin === ANYWHERE && !pathname.startsWith('//') ? pathname + search + hash : undefined;
}
