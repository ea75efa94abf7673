import { hostname } from 'node:os';

import type { Atelier } from '@atelier/sdk';

import { readSecret } from '../commands/read-secret.ts';
import type { Context } from '../context.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { plainLine } from '../output/plain-text.ts';
import { assertProfileName, editProfiles, withProfile } from '../profiles/edit-profiles.ts';
import { type Profile, profilePath, readProfiles } from '../profiles/profile-file.ts';
import { CLIENT_ID } from './client-id.ts';
import { endKey } from './end-key.ts';
import { hasBrowser } from './open-browser.ts';

interface SignInOptions {
  readonly device?: boolean;
  readonly browser?: boolean;
  readonly withKey?: boolean;
  readonly scope?: string;
}

const MAX_DEVICE_NAME = 64;

/** Signs in and makes the profile the current one. */
export async function signIn(context: Context, options: SignInOptions): Promise<void> {
  const { output, env, signal } = context;
  const { createAtelier } = await import('@atelier/sdk');
  const wanted = await chooseProfile(context);
  const allowInsecure = context.options.insecure;
  // Validates the address before prompting for anything.
  const stranger = createAtelier({ url: wanted.url, apiKey: '', allowInsecure });
  const { url } = stranger;
  await assertAtelier(stranger, signal);
  const name = wanted.name ?? new URL(url).host;
  assertProfileName(name);
  const key = await obtainKey(context, stranger, options);
  const { email, replaced } = await keep().catch(async (error: unknown) => {
    // Otherwise the key would stay valid although nobody has it.
    await endKey(context, { url, ...key });
    throw error;
  });
  // Otherwise unused keys would pile up on the server.
  if (replaced && replaced.apiKey !== key.apiKey) await endKey(context, replaced);
  const result = { profile: name, url, email, ...(key.scopes && { scopes: key.scopes }) };
  output.result(result, () =>
    output.isQuiet ? '' : `Signed in to ${url} as ${plainLine(email)} (profile ${name}).`,
  );
  for (const variable of ['ATELIER_URL', 'ATELIER_API_KEY', 'ATELIER_PROFILE'])
    if (env[variable]) output.warn(`${variable} is set and takes precedence over this profile.`);

  async function keep(): Promise<{ email: string; replaced: Profile | undefined }> {
    const { email: owner } = await createAtelier({ url, apiKey: key.apiKey, allowInsecure }).account.get({
      signal,
    });
    let before: Profile | undefined;
    await editProfiles(env, (profiles) => {
      before = profiles.profiles[name];
      return { ...withProfile(profiles, name, { url, ...key, email: owner }), current: name };
    });
    return { email: owner, replaced: before };
  }
}

async function assertAtelier({ server, url }: Atelier, signal: AbortSignal): Promise<void> {
  const { AtelierError } = await import('@atelier/sdk');
  const name = await server.version({ signal }).then(
    (version) => version?.name,
    (error: unknown) => {
      if (!(error instanceof AtelierError) || error.status !== 404) throw error;
    },
  );
  if (name === 'atelier') return;
  throw new CliError(`${url} is not an Atelier server, or it is too old.`, { exitCode: EXIT.unreachable });
}

async function chooseProfile({
  options,
  env,
  output,
  signal,
}: Context): Promise<{ url: string; name?: string }> {
  const { profiles, current } = await readProfiles(profilePath(env));
  const named = options.profile ?? env['ATELIER_PROFILE'];
  const known = named === undefined ? undefined : profiles[named];
  const url = options.url ?? known?.url ?? env['ATELIER_URL'] ?? profiles[current ?? '']?.url ?? '';
  if (url !== '') {
    const same = Object.keys(profiles).find((name) => profiles[name]?.url === url.replace(/\/+$/, ''));
    const name = named ?? same;
    return { url, ...(name !== undefined && { name }) };
  }
  if (!output.canAsk)
    throw new CliError('No server specified.', { advice: 'Run: atelier login --url https://…' });
  const { isCancel, text } = await import('@clack/prompts');
  const answer = await text({
    message: 'Address of the server',
    placeholder: 'https://atelier.example.com',
    input: output.stdin,
    output: output.stderr,
    signal,
  });
  if (isCancel(answer) || !answer) throw new CliError('No server specified.');
  return { url: answer.trim(), ...(named !== undefined && { name: named }) };
}

async function obtainKey(
  context: Context,
  server: Atelier,
  { device, browser, withKey, scope }: SignInOptions,
): Promise<Pick<Profile, 'isFromLogin' | 'scopes'> & { readonly apiKey: string }> {
  if (withKey || context.options.key !== undefined) {
    const apiKey = (context.options.key ?? (await readSecret(context, 'API key'))).trim();
    if (!/^[\x21-\x7e]{1,1000}$/.test(apiKey))
      throw new CliError('That is not a key.', {
        advice: 'A key is one line: atelier login --with-key < key.txt',
      });
    return { apiKey };
  }
  const deviceName = Array.from(plainLine(hostname())).slice(0, MAX_DEVICE_NAME).join('');
  const request = { clientId: CLIENT_ID, deviceName, scope: scope?.replaceAll(/[\s,]+/g, ' ').trim() };
  const usesDevice = device || (!browser && !hasBrowser(context.env));
  const key = usesDevice
    ? await (await import('./sign-in-by-device.ts')).signInByDevice(context, server, request)
    : await (await import('./sign-in-by-browser.ts')).signInByBrowser(context, server, request);
  return { ...key, isFromLogin: true };
}
