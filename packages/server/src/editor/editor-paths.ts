/** The stock frontend calls the server below its own path when that is not the root. */
const CALLS = /^\/editor(\/(?:api|internal|templates)\/|\/ws(?:\?|$))/;

/** The URL of the route that such a call means; other URLs are unchanged. */
export function withoutEditorPath(url: string): string {
  return url.replace(CALLS, '$1');
}
