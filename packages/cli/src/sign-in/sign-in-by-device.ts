import { setTimeout as sleep } from 'node:timers/promises';

import type { Context } from '../context.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { plainLine } from '../output/plain-text.ts';
import {
  type Answer,
  CLIENT_ID,
  type IssuedKey,
  postForm,
  readIssuedKey,
  SignInError,
  textOf,
} from './ask-server.ts';
import type { KeyRequest } from './sign-in-by-browser.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const SLOWER_S = 5;
const LONGEST_S = 60;

/** RFC 8628: the page is opened wherever there is a browser. */
export async function signInByDevice(
  { output, signal }: Context,
  { url, scope, deviceName }: KeyRequest,
): Promise<IssuedKey> {
  const asked = await postForm(
    `${url}/oauth/device_authorization`,
    { client_id: CLIENT_ID, device_name: deviceName, ...(scope !== undefined && { scope }) },
    signal,
  );
  const page = plainLine(textOf(asked, 'verification_uri'));
  const code = plainLine(textOf(asked, 'user_code'));
  output.stderr.write(
    `Open this page on any device, and enter the code:\n\n  ${page}\n  ${output.styledError('bold', code)}\n\n`,
  );
  const endsAt = performance.now() + seconds(asked, 'expires_in', 600) * 1000;
  let pause = seconds(asked, 'interval', 5);
  while (performance.now() < endsAt) {
    await sleep(pause * 1000, undefined, { signal });
    try {
      return readIssuedKey(await poll(url, textOf(asked, 'device_code'), signal));
    } catch (error) {
      signal.throwIfAborted();
      pause = Math.min(LONGEST_S, pause + slowerAfter(error));
    }
  }
  throw new CliError('The code has expired before anybody has entered it.', {
    exitCode: EXIT.cancelled,
    advice: 'Run it again for a new one.',
  });
}

async function poll(url: string, deviceCode: string, signal: AbortSignal): Promise<Answer> {
  return await postForm(
    `${url}/oauth/token`,
    { grant_type: GRANT, client_id: CLIENT_ID, device_code: deviceCode },
    signal,
  );
}

/** By how many seconds to wait longer after this; throws what waiting does not help with. */
function slowerAfter(error: unknown): number {
  if (error instanceof SignInError) {
    if (error.code === 'authorization_pending') return 0;
    if (error.code === 'slow_down') return SLOWER_S;
    if (error.code === 'access_denied')
      throw new CliError('Signing in was denied.', { exitCode: EXIT.refused });
    throw error;
  }
  // A server that restarts, or a network that was away, is asked again; the person may be at the page.
  if (error instanceof CliError && error.exitCode !== EXIT.unreachable) throw error;
  return SLOWER_S;
}

function seconds(answer: Answer, name: string, byDefault: number): number {
  const value = answer[name];
  return typeof value === 'number' && value > 0 && value <= 86_400 ? value : byDefault;
}
