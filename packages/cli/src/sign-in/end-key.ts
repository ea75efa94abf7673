import type { Context } from '../context.ts';
import type { Profile } from '../profiles/profile-file.ts';
import { revokeKey } from './ask-server.ts';

/** Ends a key that was made by signing in. Others belong to somebody else too. Says so where the server cannot be told. */
export async function endKey(
  { output, signal }: Pick<Context, 'output' | 'signal'>,
  { url, apiKey, isFromLogin }: Profile,
): Promise<boolean> {
  if (apiKey === undefined || isFromLogin !== true) return false;
  try {
    await revokeKey(url, apiKey, signal);
    return true;
  } catch {
    signal.throwIfAborted();
    output.warn(
      `${url} could not be told, so the key ${apiKey.slice(0, 16)}… stays good there. Delete it with "atelier keys" or on its page.`,
    );
    return false;
  }
}
