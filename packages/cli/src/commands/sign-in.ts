import type { Command } from 'commander';

import type { Context } from '../context.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { WithContext } from '../program.ts';

interface LoginOptions {
  readonly device?: boolean;
  readonly browser?: boolean;
  readonly withKey?: boolean;
  readonly scope?: string;
}

const EXAMPLES = `
Examples:
  $ atelier login --url https://atelier.example.com
  $ atelier login --device --scope "workflows generation"
  $ atelier login --with-key < key.txt
  $ atelier login --profile studio --url http://studio.local:8188

Scopes: workflows, generation, registry, account, admin. Without --scope they are all but admin.`;

export function addSignInCommands(program: Command, withContext: WithContext): void {
  program
    .command('login')
    .summary('sign in to a server')
    .description(
      'Signs in to a server and keeps a key for it in a profile. Opens your browser, or shows a code if there is none.',
    )
    .option('--device', 'show a code to enter on another device')
    .option('--browser', 'open the browser, even where none seems to be')
    .option('--with-key', 'take an API key from standard input, or ask for it')
    .option('--scope <scopes>', 'what the key may do, separated by spaces')
    .addHelpText('after', EXAMPLES)
    .action(withContext(login));
  program
    .command('logout')
    .summary('sign out')
    .description('Removes the key of a profile. A key created by "login" is revoked too.')
    .action(withContext(logout));
  program
    .command('whoami')
    .summary('show who you are signed in as')
    .description('Shows your account, your plan and your credits.')
    .action(withContext(whoami));
}

async function login(context: Context, options: LoginOptions): Promise<void> {
  if ([options.device, options.browser, options.withKey].filter(Boolean).length > 1)
    throw new CliError('--device, --browser and --with-key exclude each other.');
  if (options.withKey && options.scope !== undefined)
    throw new CliError(
      '--scope is for keys that login creates. A key given with --with-key has its scopes already.',
    );
  const { signIn } = await import('../sign-in/sign-in.ts');
  await signIn(context, options);
}

async function logout(context: Context): Promise<void> {
  const { output, env, options } = context;
  const { profilePath, readProfiles } = await import('../profiles/profile-file.ts');
  const { editProfiles, requireProfile, withoutSignIn, withProfile } = await import(
    '../profiles/edit-profiles.ts'
  );
  const { endKey } = await import('../sign-in/end-key.ts');
  const all = await readProfiles(profilePath(env));
  const byUrl = Object.keys(all.profiles).find(
    (name) => all.profiles[name]?.url === options.url?.replace(/\/+$/, ''),
  );
  const name = options.url === undefined ? (options.profile ?? env['ATELIER_PROFILE'] ?? all.current) : byUrl;
  if (name === undefined)
    throw new CliError('You are not signed in.', { advice: 'See "atelier profiles" for where you are.' });
  const profile = requireProfile(all, name);
  const isRevoked = await endKey(context, profile);
  await editProfiles(env, (profiles) => withProfile(profiles, name, withoutSignIn(profile)));
  const { url } = profile;
  output.result({ profile: name, url, revoked: isRevoked }, () =>
    profile.apiKey === undefined ? `You were not signed in at ${url}.` : `You are signed out at ${url}.`,
  );
}

async function whoami({ atelier, server, output, signal }: Context): Promise<void> {
  const { url, from, apiKey, scopes } = await server();
  if (apiKey === undefined)
    throw new CliError(`You are not signed in to ${url}.`, {
      exitCode: EXIT.refused,
      advice: `Sign in with "atelier login --url ${url}".`,
    });
  const account = await (await atelier()).account.get({ signal });
  const { renderFacts } = await import('../output/render-facts.ts');
  const { email, name, role, subscription, credits } = account;
  output.result({ url, ...account, ...(scopes && { scopes }) }, () =>
    renderFacts([
      ['account', email],
      ['name', name],
      ['role', role],
      ['plan', subscription.status === 'active' ? subscription.tier : `${subscription.tier}, not active`],
      ['jobs at once', subscription.concurrent_jobs],
      ['credits', credits],
      ['scopes', scopes?.join(' ')],
      ['server', `${url} (${from})`],
    ]),
  );
}
