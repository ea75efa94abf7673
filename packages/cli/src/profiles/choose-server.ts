import { CliError } from '../exit-codes.ts';
import { type Profile, profilePath, readProfiles } from './profile-file.ts';

/** The server options of every command. */
export interface ServerOptions {
  readonly url?: string;
  readonly key?: string;
  readonly profile?: string;
}

export interface ChosenServer extends Profile {
  /** The source of the address, for `atelier doctor` and for errors. */
  readonly from: string;
  /** The source of the key. */
  readonly keyFrom?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Order of precedence: options, a named profile, environment variables, the current profile. */
export async function chooseServer(options: ServerOptions, env: Environment): Promise<ChosenServer> {
  const named = options.profile ?? env['ATELIER_PROFILE'];
  const { profiles, current } = needsProfiles(options, env)
    ? await readProfiles(profilePath(env))
    : { profiles: {} as Record<string, Profile>, current: undefined };
  if (named !== undefined && !Object.hasOwn(profiles, named)) {
    const known = Object.keys(profiles).join(', ') || 'none';
    throw new CliError(`There is no profile ${named}. Known: ${known}.`, {
      advice: `Create it with "atelier login --profile ${named} --url URL".`,
    });
  }
  const profile = named === undefined ? undefined : profiles[named];
  const fallback = current === undefined ? undefined : profiles[current];
  const variableUrl = env['ATELIER_URL'] || undefined;
  const url = options.url ?? profile?.url ?? variableUrl ?? fallback?.url;
  if (url === undefined) {
    throw new CliError('No server specified.', {
      advice: 'Sign in with "atelier login --url URL", or set ATELIER_URL and ATELIER_API_KEY.',
    });
  }
  // A key is sent only to the server it was created for.
  const isSame = (other: string | undefined): boolean => other !== undefined && bare(other) === bare(url);
  const sameServer = [profile, fallback].find((one) => isSame(one?.url));
  const isForVariableKey = !profile && (variableUrl === undefined || isSame(variableUrl));
  const variableKey = isForVariableKey ? env['ATELIER_API_KEY'] || undefined : undefined;
  const apiKey = options.key ?? variableKey ?? sameServer?.apiKey;
  const keyFrom =
    options.key !== undefined ? '--key' : apiKey === variableKey ? 'ATELIER_API_KEY' : 'the profile';
  const own = apiKey !== undefined && apiKey === sameServer?.apiKey ? sameServer : undefined;
  const from =
    options.url !== undefined
      ? '--url'
      : profile
        ? `profile ${named}`
        : variableUrl !== undefined
          ? 'ATELIER_URL'
          : `profile ${current}`;
  return {
    url,
    from,
    ...(apiKey !== undefined && { apiKey, keyFrom }),
    ...(own?.email !== undefined && { email: own.email }),
    ...(own?.scopes !== undefined && { scopes: own.scopes }),
  };
}

/** If not needed, the file is not read, so a damaged one does no harm. */
function needsProfiles({ url, key, profile }: ServerOptions, env: Environment): boolean {
  if (profile ?? env['ATELIER_PROFILE']) return true;
  const variable = env['ATELIER_URL'] || undefined;
  const server = url ?? variable;
  if (server === undefined) return true;
  const isForKey = variable === undefined || bare(variable) === bare(server);
  return key === undefined && !(isForKey && env['ATELIER_API_KEY']);
}

function bare(url: string): string {
  return url.replace(/\/+$/, '');
}
