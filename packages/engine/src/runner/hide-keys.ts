const HIDDEN = '[REDACTED]';
/** Code that a job left behind may still print its key, so the keys of the last jobs are remembered. */
const MAX_KEYS = 100;

const CREDENTIALS = ['api_key_comfy_org', 'auth_token_comfy_org'];

/**
 * Removes the keys of jobs from everything written to these streams. Call the returned function with the extra data of each
 * job before it begins. A key that is split over several writes is not found.
 */
export function hideKeys(
  streams: readonly NodeJS.WritableStream[],
): (extraData: Readonly<Record<string, unknown>>) => void {
  const keys = new Set<string>();

  const cleanText = (text: string): string =>
    [...keys].reduce((left, key) => left.replaceAll(key, HIDDEN), text);
  // Keys are ASCII, and in Latin-1 all other bytes stay the same.
  const clean = (chunk: string | Uint8Array): string | Uint8Array =>
    typeof chunk === 'string'
      ? cleanText(chunk)
      : Buffer.from(cleanText(Buffer.from(chunk).toString('latin1')), 'latin1');

  for (const stream of streams) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => write(clean(chunk), ...rest);
  }

  return (extraData) => {
    for (const name of CREDENTIALS) {
      const key = extraData[name];
      if (typeof key !== 'string' || key === '') continue;
      keys.delete(key);
      keys.add(key);
    }
    for (const key of keys) {
      if (keys.size <= MAX_KEYS) break;
      keys.delete(key);
    }
  };
}
