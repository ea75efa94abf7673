import {
  PRICE_SETTINGS,
  type PriceSetting,
  VENDOR_NAMES,
  VENDORS,
  type VendorSetting,
} from '@atelier/contracts';
import { type Static, type TInteger, type TOptional, type TString, Type } from 'typebox';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const HTTP_URL = '^https?://[^\\s/?#]+\\S*$';

/**
 * Every environment variable Atelier reads. `description` and `expects` make the table in
 * docs/configuration.md, .env.example and the sentences about mistakes. `secret` values are never printed.
 */
export const Settings = Type.Object({
  ATELIER_HOST: Type.String({
    default: '127.0.0.1',
    pattern: '^[A-Za-z0-9.:_-]+$',
    description: 'Address to listen on. `0.0.0.0` or `::` listens on every interface.',
    expects: 'an IP address or a host name',
  }),
  ATELIER_PORT: Type.Integer({
    default: 8080,
    minimum: 0,
    maximum: 65_535,
    description: 'TCP port to listen on. 0 takes any free port and prints it.',
    expects: 'a whole number from 0 to 65535',
  }),
  ATELIER_PUBLIC_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s/?#@]+/?$',
      description:
        'Address under which clients reach the server, when it stands behind a proxy. Signed links start with it; with `https` the session cookie is sent over TLS only.',
      expects: 'a URL such as https://atelier.example.com, without a path',
    }),
  ),
  ATELIER_TRUST_PROXY: Type.Optional(
    Type.String({
      description:
        'Addresses or CIDR ranges of reverse proxies, comma-separated, whose `X-Forwarded-For` is believed. Sign-in limits count by client address, so set it behind a proxy.',
      expects: 'a comma-separated list of addresses or CIDR ranges',
    }),
  ),
  ATELIER_DATA_DIR: Type.String({
    default: './data',
    description:
      'Folder for the SQLite database, stored files and `bootstrap.json`. Made when absent. One server at a time.',
    expects: 'a folder path',
  }),
  ATELIER_DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://\\S+$',
      secret: true,
      description: 'PostgreSQL connection string. Absent: an SQLite file in the data folder.',
      expects: 'a URL that starts with postgres:// or postgresql://',
    }),
  ),
  ATELIER_DATABASE_POOL: Type.Integer({
    default: 10,
    minimum: 2,
    maximum: 500,
    description: 'Most PostgreSQL connections held by this server. No effect on SQLite.',
    expects: 'a whole number from 2 to 500',
  }),
  ATELIER_LOG_LEVEL: Type.Enum(LOG_LEVELS, {
    default: 'info',
    description: 'Least serious log line that is written. Logs are JSON on standard output.',
    expects: `one of ${LOG_LEVELS.join(', ')}`,
  }),
  ATELIER_STOP_SECONDS: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 3600,
    description: 'How long requests in flight may take to finish after SIGTERM or SIGINT.',
    expects: 'a whole number of seconds from 1 to 3600',
  }),
  ATELIER_TOKEN_MINUTES: Type.Integer({
    default: 60,
    minimum: 1,
    maximum: 1440,
    description: 'Life of a bearer token from `POST /auth/token`.',
    expects: 'a whole number of minutes from 1 to 1440',
  }),
  ATELIER_SESSION_HOURS: Type.Integer({
    default: 168,
    minimum: 1,
    maximum: 8760,
    description: "Life of the console's session cookie.",
    expects: 'a whole number of hours from 1 to 8760',
  }),
  ATELIER_SIGNING_KEY_DAYS: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 3650,
    description: 'Age at which the key that signs bearer tokens is replaced by a new one.',
    expects: 'a whole number of days from 1 to 3650',
  }),
  ATELIER_OIDC_ISSUER: Type.Optional(
    Type.String({
      pattern: HTTP_URL,
      description:
        'Issuer of an outside OpenID Connect provider whose tokens are accepted. Needs the next two as well.',
      expects: 'a URL, exactly as in the `iss` claim',
    }),
  ),
  ATELIER_OIDC_AUDIENCE: Type.Optional(
    Type.String({
      description: 'Audience that tokens of that issuer must carry.',
      expects: 'the text of the `aud` claim',
    }),
  ),
  ATELIER_OIDC_JWKS_URL: Type.Optional(
    Type.String({
      pattern: HTTP_URL,
      description: 'Where that issuer publishes its public keys.',
      expects: 'a URL',
    }),
  ),
  ATELIER_PACK_MAX_MB: Type.Integer({
    default: 100,
    minimum: 1,
    maximum: 2000,
    description:
      'Largest node pack archive that the registry takes, in megabytes (1 MB is 1048576 bytes). `ATELIER_UPLOAD_MAX_MB` counts where it is smaller.',
    expects: 'a whole number from 1 to 2000',
  }),
  ATELIER_UPLOAD_MAX_MB: Type.Integer({
    default: 100,
    minimum: 1,
    maximum: 2000,
    description:
      'Largest file that any upload may have, in megabytes (1 MB is 1048576 bytes). Where a route has a smaller number of its own, that one counts: 50 MB for files of workflows and pictures of tasks, 10 MB for user data.',
    expects: 'a whole number from 1 to 2000',
  }),
  ATELIER_UPLOAD_ACCOUNT_MB: Type.Integer({
    default: 10_240,
    minimum: 1,
    maximum: 10_000_000,
    description:
      'How much one account may have behind links of `POST /customers/storage` at once, in megabytes. A file goes a day after it was announced.',
    expects: 'a whole number from 1 to 10000000',
  }),
  ATELIER_NODE_PACKS: Type.Optional(
    Type.String({
      description:
        'Folders of node packs of your own, comma-separated, each with an `index.ts` or `index.js` that exports a `pack`. Their code runs with the rights of the server.',
      expects: 'a comma-separated list of folders',
    }),
  ),
  ATELIER_RUNNERS: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 64,
      description:
        'How many jobs this server runs at once, each in a thread of its own. Absent: one for each processor, at most 4. 0 takes and answers requests only, for a server beside others on one PostgreSQL.',
      expects: 'a whole number from 0 to 64',
    }),
  ),
  ATELIER_RUNNER_MEMORY_MB: Type.Integer({
    default: 2048,
    minimum: 64,
    maximum: 1_000_000,
    description: 'What the pictures, videos and cached results of one runner may take, in megabytes.',
    expects: 'a whole number from 64 to 1000000',
  }),
  ATELIER_JOB_MINUTES: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 1440,
    description: 'How long a job may run before it fails.',
    expects: 'a whole number of minutes from 1 to 1440',
  }),
  ATELIER_FAIR_SECONDS: Type.Integer({
    default: 20,
    minimum: 1,
    maximum: 86_400,
    description:
      'How long an account may wait while another one has all runners of a server, or two more than it. Then a job of the other one that has run for so long is put back into the queue.',
    expects: 'a whole number of seconds from 1 to 86400',
  }),
  ATELIER_CLOUD_STORAGE_MB: Type.Integer({
    default: 51_200,
    minimum: 1,
    maximum: 100_000_000,
    description:
      'What the uploads, outputs, files of tasks and job results of one account may take, in megabytes (1 MB is 1048576 bytes).',
    expects: 'a whole number from 1 to 100000000',
  }),
  ATELIER_OUTPUT_DAYS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 36_500,
    description: 'How long outputs and finished jobs are kept. 0 keeps them until they are deleted.',
    expects: 'a whole number of days from 0 to 36500',
  }),
  ATELIER_TEMP_HOURS: Type.Integer({
    default: 24,
    minimum: 1,
    maximum: 8760,
    description: 'How long previews and other temporary files are kept.',
    expects: 'a whole number of hours from 1 to 8760',
  }),
  ATELIER_STREAMS_PER_USER: Type.Integer({
    default: 100,
    minimum: 1,
    maximum: 100_000,
    description: 'How many WebSockets and event streams one account may have open on this server.',
    expects: 'a whole number from 1 to 100000',
  }),
  ...vendorSettings(),
  ATELIER_VENDOR_ALIASES: Type.Enum(['on', 'off'], {
    default: 'on',
    description:
      'Whether paths and models also take the names of the public vendors, so that their clients work: ' +
      `${VENDOR_NAMES.map((name) => `\`${VENDORS[name].alias}\``).join(', ')}.`,
    expects: 'on or off',
  }),
  ATELIER_RENDERERS: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 64,
      description:
        'How many pictures and how many videos this server renders at once, each in a thread of its own. Absent: half as many as processors. 0 leaves them to other servers on the same PostgreSQL.',
      expects: 'a whole number from 0 to 64',
    }),
  ),
  ATELIER_TASKS_PER_USER: Type.Integer({
    default: 5,
    minimum: 1,
    maximum: 1000,
    description: 'How many tasks one account may have under way, of all vendors together.',
    expects: 'a whole number from 1 to 1000',
  }),
  ATELIER_TASK_MINUTES: Type.Integer({
    default: 120,
    minimum: 1,
    maximum: 1440,
    description:
      'How long a task may take, waiting included, before it fails and its credits come back. Off-peak tasks have 48 hours.',
    expects: 'a whole number of minutes from 1 to 1440',
  }),
  ATELIER_TASK_DAYS: Type.Integer({
    default: 30,
    minimum: 0,
    maximum: 36_500,
    description: 'How long ended tasks and their files are kept. 0 keeps them for ever.',
    expects: 'a whole number of days from 0 to 36500',
  }),
  ...priceSettings(),
  ATELIER_LOCAL_RENDERING_FREE: Type.Enum(['on', 'off'], {
    default: 'off',
    description:
      'Whether tasks that the local stand-ins render cost nothing. Tasks of outside vendors cost what they cost.',
    expects: 'on or off',
  }),
  ATELIER_LOCAL_REFUSE_UNKNOWN_PROMPTS: Type.Enum(['on', 'off'], {
    default: 'off',
    description:
      'Whether the local stand-ins refuse a prompt of which they understand no word, instead of rendering something else.',
    expects: 'on or off',
  }),
  ATELIER_OUTBOUND_ALLOW: Type.Optional(
    Type.String({
      description:
        'Exceptions to the rule that the server never calls loopback, private or other special addresses: comma-separated addresses, CIDR ranges or host names, each with an optional port. Meant for development.',
      expects: 'a comma-separated list such as 127.0.0.1:9000, 10.0.0.0/8, hooks.internal',
    }),
  ),
});

export type Settings = Static<typeof Settings>;

type VendorSettings = {
  readonly [Name in VendorSetting as `ATELIER_${Name}_VENDOR_KEY`]: TOptional<TString>;
} & {
  readonly [Name in VendorSetting as `ATELIER_${Name}_VENDOR_URL`]: TString;
};
type PriceSettings = { readonly [Name in PriceSetting as `ATELIER_${Name}_CREDITS`]: TInteger };

/** The key and the address of each vendor in the table. */
function vendorSettings(): VendorSettings {
  const settings = VENDOR_NAMES.flatMap((vendor) => {
    const { setting, url, makes } = VENDORS[vendor];
    const called = `the ${setting.toLowerCase()} vendor`;
    const key = Type.Optional(
      Type.String({
        secret: true,
        description: `API key at ${called}. With it ${makes} are made there; without it this server renders them itself.`,
        expects: 'the key as the vendor gave it',
      }),
    );
    const address = Type.String({
      default: url,
      pattern: HTTP_URL,
      description: `Where ${called} is reached.`,
      expects: 'a URL',
    });
    return [
      [`ATELIER_${setting}_VENDOR_KEY`, key],
      [`ATELIER_${setting}_VENDOR_URL`, address],
    ] as const;
  });
  return Object.fromEntries(settings) as unknown as VendorSettings;
}

/** The flat prices of generations. */
function priceSettings(): PriceSettings {
  const settings = Object.entries(PRICE_SETTINGS).map(([name, setting]) => [
    `ATELIER_${setting}_CREDITS`,
    Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 1_000_000,
      description: `What a ${name} task costs, in credits.`,
      expects: 'a whole number from 0 to 1000000',
    }),
  ]);
  return Object.fromEntries(settings) as PriceSettings;
}
