import type { Hop, OpenAnswer } from './exchange.ts';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const CREDENTIALS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
]);

/** The request that follows a redirect; `undefined` for any other answer. */
export function nextHop(
  hop: Hop,
  from: URL,
  { status, headers }: Pick<OpenAnswer, 'status' | 'headers'>,
): Hop | undefined {
  const location = headers.location;
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  const url = URL.parse(location, from);
  // `resolveTarget` refuses what is not a URL.
  if (!url) return { ...hop, url: location };
  const isSameOrigin = url.origin === from.origin;
  const becomesGet = status === 303 ? hop.method !== 'HEAD' : status < 303 && hop.method === 'POST';
  return {
    url: url.href,
    method: becomesGet ? 'GET' : hop.method,
    body: becomesGet ? undefined : hop.body,
    headers: Object.fromEntries(
      Object.entries(hop.headers).filter(
        ([name]) => (isSameOrigin || !CREDENTIALS.has(name)) && !(becomesGet && name.startsWith('content-')),
      ),
    ),
  };
}
