/** What the stock frontend asks of the server below its own address, when that is not the root. */
const CALLS = /^\/editor(\/(?:api|internal|templates)\/|\/ws(?:\?|$))/;

/** The address of the route that such a call means; any other address as it is. */
export function withoutEditorPath(url: string): string {
  return url.replace(CALLS, '$1');
}
