import type { ServerKey } from '../platform/db/server-secrets.repo.ts';

interface Kind {
  /** What it is for. */
  readonly use: string;
  /** What happens when it is replaced. */
  readonly effect: string;
  /** Its signatures stay valid for three days, unless `--now` is given. */
  readonly keepsOld?: boolean;
}

const LINKS = 'links stay good until they expire; with --now they end at once, and clients ask for new ones';

/** Keys that servers share and read when they start, so all of them must be stopped. */
export const SERVER_KEYS: Readonly<Record<ServerKey, Kind>> = {
  'file-links': { use: 'links to files', effect: LINKS, keepsOld: true },
  'storage-links': { use: 'links to upload and download files for vendors', effect: LINKS, keepsOld: true },
  'pack-uploads': { use: 'links to upload archives of packs', effect: LINKS, keepsOld: true },
  'upload-grants': {
    use: 'upload addresses for pictures, and what workers fetch and send files with',
    effect: 'upload addresses stay good as links do; jobs that run on workers elsewhere begin again',
    keepsOld: true,
  },
  'vendor-callbacks': {
    use: 'addresses that vendors call when a task has changed',
    effect: 'they stay good as links do; with --now vendors are asked instead, which takes longer',
    keepsOld: true,
  },
  'webhook-secrets': {
    use: 'encrypts the webhook secrets of all accounts',
    effect: 'they are encrypted anew; nothing ends',
  },
  'partner-keys': {
    use: 'encrypts the credentials of jobs that have not ended',
    effect: 'they are encrypted anew; nothing ends',
  },
  'device-codes': {
    use: 'hashes the codes that people type to let a device in',
    effect: 'devices that wait to be let in ask for a new code',
  },
  'outside-sign-ins': {
    use: 'encrypts what a browser keeps while its user signs in elsewhere',
    effect: 'those who are just signing in begin again',
  },
  'sign-in-addresses': {
    use: 'hashes the addresses that people have signed in from',
    effect:
      'all count as new until the next sign-in, so wrong passwords from elsewhere can hold up their owners',
  },
  operators: { use: 'proves commands such as this one to a server', effect: 'nothing ends' },
};

/** Keys that are replaced while servers run. */
export const LIVE_KEYS: Readonly<Record<string, Kind>> = {
  'signing-keys': {
    use: 'signs bearer tokens',
    effect:
      'tokens of the old key stay good until they expire; with --now they end at once, and servers must be stopped',
  },
  'webhook-secret': {
    use: 'signs the webhooks of the account that --user names',
    effect: 'for 24 hours messages are signed with the old one too; with --now it ends at once',
  },
};

export function isServerKey(name: string): name is ServerKey {
  return Object.hasOwn(SERVER_KEYS, name);
}
