import type { Command } from 'commander';

import type { Context } from '../context.ts';
import { CliError } from '../exit-codes.ts';
import type { WithContext } from '../program.ts';

export function addProfileCommands(program: Command, withContext: WithContext): void {
  const profiles = program
    .command('profiles')
    .summary('list, choose, rename and remove the servers you have signed in to')
    .description('Servers you have signed in to. Commands use the current one unless told otherwise.');
  profiles.command('list', { isDefault: true }).description('Lists them.').action(withContext(list));
  profiles
    .command('use')
    .description('Makes a profile the current one.')
    .argument('<name>')
    .action(withContext(use));
  profiles
    .command('rename')
    .description('Renames a profile.')
    .argument('<name>')
    .argument('<new-name>')
    .action(withContext(rename));
  profiles
    .command('remove')
    .description('Removes a profile. A key created by "login" is revoked too.')
    .argument('<name>')
    .action(withContext(remove));
}

async function list({ output, env }: Context): Promise<void> {
  const { profilePath, readProfiles } = await import('../profiles/profile-file.ts');
  const { current, profiles } = await readProfiles(profilePath(env));
  // Keys are not shown.
  const all = Object.entries(profiles).map(([name, { url, email, scopes, apiKey }]) => ({
    name,
    url,
    email,
    scopes,
    signed_in: apiKey !== undefined,
    current: name === current,
  }));
  output.result({ profiles: all }, () =>
    all.length === 0
      ? 'No profiles. Make one with "atelier login --url URL".'
      : output.table(all, [
          { title: 'NAME', text: (one) => `${one.current ? '* ' : '  '}${one.name}` },
          { title: 'SERVER', text: ({ url }) => url },
          { title: 'ACCOUNT', text: (one) => (one.signed_in ? (one.email ?? 'with a key') : 'signed out') },
          { title: 'SCOPES', text: ({ scopes }) => scopes?.join(' ') ?? '' },
        ]),
  );
}

async function use({ output, env }: Context, name: string): Promise<void> {
  const { editProfiles, requireProfile } = await import('../profiles/edit-profiles.ts');
  const { profiles } = await editProfiles(env, (all) => {
    requireProfile(all, name);
    return { ...all, current: name };
  });
  const url = profiles[name]?.url;
  output.result({ current: name, url }, () => `Commands now go to ${url} (profile ${name}).`);
}

async function rename({ output, env }: Context, name: string, newName: string): Promise<void> {
  const edit = await import('../profiles/edit-profiles.ts');
  edit.assertProfileName(newName);
  await edit.editProfiles(env, (all) => {
    const profile = edit.requireProfile(all, name);
    if (Object.hasOwn(all.profiles, newName))
      throw new CliError(`The profile ${newName} already exists.`, {
        advice: 'Remove it first, or choose another name.',
      });
    const changed = edit.withProfile(edit.withoutProfile(all, name), newName, profile);
    return all.current === name ? { ...changed, current: newName } : changed;
  });
  output.result({ profile: newName }, () => `${name} is now called ${newName}.`);
}

async function remove(context: Context, name: string): Promise<void> {
  const { profilePath, readProfiles } = await import('../profiles/profile-file.ts');
  const { editProfiles, requireProfile, withoutProfile } = await import('../profiles/edit-profiles.ts');
  const { endKey } = await import('../sign-in/end-key.ts');
  const profile = requireProfile(await readProfiles(profilePath(context.env)), name);
  const isRevoked = await endKey(context, profile);
  await editProfiles(context.env, (all) => withoutProfile(all, name));
  context.output.result({ removed: name, revoked: isRevoked }, () => `The profile ${name} is removed.`);
}
