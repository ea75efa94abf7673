import {
  DEFAULT_PACK_MAX_MB,
  PRICE_SETTINGS,
  type PriceSetting,
  VENDOR_NAMES,
  VENDORS,
  type VendorSetting,
} from '@atelier/contracts';
import { present } from '@atelier/contracts/present';
import { type Static, type TInteger, type TOptional, type TString, type TStringOptions, Type } from 'typebox';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
/** The formats are those of `load-config.ts`: a pattern alone lets ports and hosts pass that no URL has. */
const HTTP_URL = { pattern: '^https?://[^\\s/?#]+\\S*$', format: 'url' } as const;
const HTTP_ORIGIN = { pattern: '^https?://[^\\s/?#@]+/?$', format: 'url' } as const;

interface Range {
  readonly default?: number;
  readonly from: number;
  readonly to: number;
  readonly unit?: string;
}

interface TextOptions extends TStringOptions {
  readonly description: string;
  readonly expects: string;
}

const whole = ({ from, to, unit, ...rest }: Range, description: string) =>
  Type.Integer({
    ...rest,
    minimum: from,
    maximum: to,
    description,
    expects: `a whole number ${unit === undefined ? '' : `of ${unit} `}from ${from} to ${to}`,
  });
const onOff = (fallback: 'on' | 'off' | undefined, description: string) =>
  Type.Enum(['on', 'off'], { ...present({ default: fallback }), description, expects: 'on or off' });

const optionalText = (options: TextOptions) => Type.Optional(Type.String(options));

/**
 * Every environment variable of Atelier. docs/configuration.md, .env.example and error messages are made from `description` and
 * `expects`. `secret` values are never printed.
 */
export const Settings = Type.Object({
  ATELIER_HOST: Type.String({
    default: '127.0.0.1',
    pattern: '^[A-Za-z0-9.:_-]+$',
    description: 'Address to listen on. `0.0.0.0` or `::` listens on every interface.',
    expects: 'an IP address or a host name',
  }),
  ATELIER_PORT: whole(
    { default: 8080, from: 0, to: 65_535 },
    'TCP port to listen on. 0 takes any free port and prints it.',
  ),
  ATELIER_PUBLIC_URL: optionalText({
    ...HTTP_ORIGIN,
    description:
      'Address under which clients reach the server, when it stands behind a proxy. Signed links start with it; with `https` the session cookie is sent over TLS only.',
    expects: 'a URL such as https://atelier.example.com, without a path',
  }),
  ATELIER_CONSOLE: onOff(
    'on',
    'Whether the web console is served at `/console/`. After an update it is built at the first start, which takes some seconds beside the work.',
  ),
  ATELIER_TRUST_PROXY: optionalText({
    description:
      'Addresses or CIDR ranges of reverse proxies, comma-separated, whose `X-Forwarded-For` is believed. Sign-in limits count by client address, so set it behind a proxy.',
    expects: 'a comma-separated list of addresses or CIDR ranges',
  }),
  ATELIER_DATA_DIR: Type.String({
    default: './data',
    description:
      'Folder for the SQLite database, stored files and `bootstrap.json`. Made when absent. One server at a time.',
    expects: 'a folder path',
  }),
  ATELIER_MIN_FREE_MB: whole(
    { default: 512, from: 0, to: 10_000_000 },
    'With less room on the disk of the data folder, in megabytes (1 MB is 1048576 bytes), no new work and no files are accepted (507), so that what was accepted can be finished. 0 turns this off.',
  ),
  ATELIER_S3_BUCKET: optionalText({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$',
    description:
      'Bucket of an S3-compatible store for all files. Several servers then need no folder in common. Absent: files are in the data folder.',
    expects: 'the name of a bucket',
  }),
  ATELIER_S3_REGION: optionalText({
    pattern: '^[a-z0-9-]{1,64}$',
    description: 'Region of the bucket. With `ATELIER_S3_ENDPOINT` it defaults to `us-east-1`.',
    expects: 'a region such as eu-central-1',
  }),
  ATELIER_S3_ENDPOINT: optionalText({
    ...HTTP_ORIGIN,
    description: 'Address of the store. Absent: AWS.',
    expects: 'a URL such as https://s3.example.com, without a path',
  }),
  ATELIER_S3_ACCESS_KEY_ID: optionalText({
    description:
      'Access key for the bucket. Absent, with the next: what AWS tools find on this machine, such as a role.',
    expects: 'an access key',
  }),
  ATELIER_S3_SECRET_ACCESS_KEY: optionalText({
    secret: true,
    description: 'Secret of that key.',
    expects: 'the secret of the access key',
  }),
  ATELIER_S3_PREFIX: optionalText({
    pattern: '^([A-Za-z0-9_-][A-Za-z0-9._-]*/)+$',
    maxLength: 200,
    description: 'What the names of all objects start with, for a bucket that is used for other things too.',
    expects: 'letters, digits, dots, hyphens and slashes, with a slash at the end and none at the start',
  }),
  ATELIER_S3_PATH_STYLE: Type.Optional(
    onOff(
      undefined,
      'Whether the bucket is named in the path of requests and not in the name of the host. Absent: on with `ATELIER_S3_ENDPOINT`.',
    ),
  ),
  ATELIER_S3_PUBLIC_URL: optionalText({
    ...HTTP_ORIGIN,
    description:
      'Address under which clients reach the store. Links to files of 1 MiB or more then lead there. Absent: all files pass through the server.',
    expects: 'a URL such as https://s3.example.com, without a path',
  }),
  ATELIER_DATABASE_URL: optionalText({
    pattern: '^postgres(ql)?://\\S+$',
    format: 'url',
    secret: true,
    description: 'PostgreSQL connection string. Absent: an SQLite file in the data folder.',
    expects: 'a URL that starts with postgres:// or postgresql://',
  }),
  ATELIER_DATABASE_POOL: whole(
    { default: 10, from: 2, to: 500 },
    'Most PostgreSQL connections held by this server. No effect on SQLite.',
  ),
  ATELIER_NATS_URL: optionalText({
    pattern: '^(nats|tls)://[^\\s,/?#]+/?(\\s*,\\s*(nats|tls)://[^\\s,/?#]+/?)*$',
    format: 'urls',
    secret: true,
    description:
      'NATS that carries live events between several servers instead of PostgreSQL, for many previews or servers. Several addresses of one cluster have commas between them. A name with a password, or a token, stands before the host. All servers have the same.',
    expects: 'a URL such as nats://user:password@nats.example.com:4222, or tls://…',
  }),
  ATELIER_NATS_CREDS_FILE: optionalText({
    description: 'File with the credentials (`.creds`) for NATS, when they are not in its URL.',
    expects: 'the path of a file',
  }),
  ATELIER_LOG_LEVEL: Type.Enum(LOG_LEVELS, {
    default: 'info',
    description: 'Least serious log line that is written. Logs are JSON on standard output.',
    expects: `one of ${LOG_LEVELS.join(', ')}`,
  }),
  ATELIER_STOP_SECONDS: whole(
    { default: 10, from: 1, to: 3600, unit: 'seconds' },
    'How long requests in flight may take to finish after SIGTERM or SIGINT.',
  ),
  ATELIER_DRAIN_SECONDS: whole(
    { default: 0, from: 0, to: 600, unit: 'seconds' },
    'How long the server still takes requests after SIGTERM or SIGINT while `/ready` says 503, so that a load balancer stops sending them.',
  ),
  ATELIER_TOKEN_MINUTES: whole(
    { default: 60, from: 1, to: 1440, unit: 'minutes' },
    'Life of a bearer token from `POST /auth/token`.',
  ),
  ATELIER_SESSION_HOURS: whole(
    { default: 168, from: 1, to: 8760, unit: 'hours' },
    "Life of the console's session cookie.",
  ),
  ATELIER_SIGNING_KEY_DAYS: whole(
    { default: 30, from: 1, to: 3650, unit: 'days' },
    'Age at which the key that signs bearer tokens is replaced by a new one.',
  ),
  ATELIER_OIDC_ISSUER: optionalText({
    ...HTTP_URL,
    description:
      'Issuer of an outside OpenID Connect provider whose tokens are accepted. Needs the next two as well.',
    expects: 'a URL, exactly as in the `iss` claim',
  }),
  ATELIER_OIDC_AUDIENCE: optionalText({
    description: 'Audience that tokens of that issuer must carry.',
    expects: 'the text of the `aud` claim',
  }),
  ATELIER_OIDC_JWKS_URL: optionalText({
    ...HTTP_URL,
    description: 'Where that issuer publishes its public keys.',
    expects: 'a URL',
  }),
  ATELIER_OIDC_CLIENT_ID: optionalText({
    description:
      'Id of this server as a client of that issuer. With it people can sign in to pages of the server at the issuer, whose addresses come from its `/.well-known/openid-configuration`. The redirect URI is `/auth/outside/callback`.',
    expects: 'the id that the issuer has given to this server',
  }),
  ATELIER_OIDC_CLIENT_SECRET: optionalText({
    secret: true,
    description: 'Secret of that client. Absent: a public client, which PKCE protects.',
    expects: 'the secret that the issuer has given to this server',
  }),
  ATELIER_OIDC_NAME: optionalText({
    maxLength: 60,
    description: 'Name of that issuer on the sign-in page. Absent: the host of its address.',
    expects: 'a name of at most 60 characters',
  }),
  ATELIER_PACK_MAX_MB: whole(
    { default: DEFAULT_PACK_MAX_MB, from: 1, to: 2000 },
    'Largest node pack archive that the registry takes, in megabytes (1 MB is 1048576 bytes). `ATELIER_UPLOAD_MAX_MB` counts where it is smaller.',
  ),
  ATELIER_UPLOAD_MAX_MB: whole(
    { default: 100, from: 1, to: 2000 },
    'Largest file that any upload may have, in megabytes (1 MB is 1048576 bytes). Where a route has a smaller number of its own, that one counts: 50 MB for files of workflows and pictures of tasks, 10 MB for user data.',
  ),
  ATELIER_UPLOAD_ACCOUNT_MB: whole(
    { default: 10_240, from: 1, to: 10_000_000 },
    'How much one account may have behind links of `POST /customers/storage` at once, in megabytes. A file goes a day after it was announced.',
  ),
  ATELIER_NODE_PACKS: optionalText({
    description:
      'Folders of node packs of your own, comma-separated, each with an `index.ts` or `index.js` that exports a `pack`. Their code runs with the rights of the server.',
    expects: 'a comma-separated list of folders',
  }),
  ATELIER_EDITOR_INDEX_URL: Type.String({
    default: 'https://pypi.org/simple',
    ...HTTP_URL,
    description:
      'Python package index from which `npm run editor:get` fetches the stock editor of ComfyUI. The server itself never asks it.',
    expects: 'a URL',
  }),
  ATELIER_COMFYUI_URLS: optionalText({
    description:
      'Addresses of ComfyUI servers that run jobs, comma-separated. The server starts a worker for each: their node types, models and GPUs serve all users. See the guide to workers.',
    expects: 'a comma-separated list of addresses such as http://127.0.0.1:8188',
    pattern: '^https?://[^,\\s]+(\\s*,\\s*https?://[^,\\s]+)*$',
  }),
  ATELIER_RUNNERS: Type.Optional(
    whole(
      { from: 0, to: 64 },
      'How many jobs the built-in worker runs at once, each in a process of its own. Absent: one for each processor, at most 4. 0 starts no worker: jobs run on workers that connect, or on other servers of one PostgreSQL.',
    ),
  ),
  ATELIER_RUNNER_MEMORY_MB: whole(
    { default: 2048, from: 64, to: 1_000_000 },
    'What the pictures, videos and cached results of one runner may take, in megabytes.',
  ),
  ATELIER_JOB_MINUTES: whole(
    { default: 30, from: 1, to: 1440, unit: 'minutes' },
    'How long a job may run before it fails.',
  ),
  ATELIER_FAIR_SECONDS: whole(
    { default: 20, from: 1, to: 86_400, unit: 'seconds' },
    'How long an account may wait while another one has all runners of a server, or two more than it. Then a job of the other one that has run for so long is put back into the queue.',
  ),
  ATELIER_CLOUD_STORAGE_MB: whole(
    { default: 51_200, from: 1, to: 100_000_000 },
    'What the uploads, outputs, files of tasks and job results of one account may take, in megabytes (1 MB is 1048576 bytes).',
  ),
  ATELIER_OUTPUT_DAYS: whole(
    { default: 0, from: 0, to: 36_500, unit: 'days' },
    'How long outputs and finished jobs are kept. 0 keeps them until they are deleted.',
  ),
  ATELIER_TEMP_HOURS: whole(
    { default: 24, from: 1, to: 8760, unit: 'hours' },
    'How long previews and other temporary files are kept.',
  ),
  ATELIER_STREAMS_PER_USER: whole(
    { default: 100, from: 1, to: 100_000 },
    'How many WebSockets and event streams one account may have open on this server.',
  ),
  ATELIER_V2_EDITOR_WORKFLOWS: onOff(
    'off',
    'Whether `POST /api/v2/jobs` converts what the editor saves, as `POST /api/prompt` does. Off: it gets 422 `workflow_format_ui`, as in the Comfy API v2.',
  ),
  ...vendorSettings(),
  ATELIER_VENDOR_ALIASES: onOff(
    'on',
    'Whether paths and models also take the names of the public vendors, so that their clients work: ' +
      `${VENDOR_NAMES.map((name) => `\`${VENDORS[name].alias}\``).join(', ')}.`,
  ),
  ATELIER_RENDERERS: Type.Optional(
    whole(
      { from: 0, to: 64 },
      'How many pictures and how many videos this server renders at once, each in a thread of its own. Absent: half as many as processors. 0 leaves them to other servers on the same PostgreSQL.',
    ),
  ),
  ATELIER_TASKS_PER_USER: whole(
    { default: 5, from: 1, to: 1000 },
    'How many tasks one account may have under way, of all vendors together.',
  ),
  ATELIER_TASK_MINUTES: whole(
    { default: 120, from: 1, to: 1440, unit: 'minutes' },
    'How long a task may take, waiting included, before it fails and its credits come back. Off-peak tasks have 48 hours.',
  ),
  ATELIER_TASK_DAYS: whole(
    { default: 30, from: 0, to: 36_500, unit: 'days' },
    'How long ended tasks and their files are kept. 0 keeps them forever.',
  ),
  ...priceSettings(),
  ATELIER_LOCAL_RENDERING_FREE: onOff(
    'off',
    'Whether tasks that the local stand-ins render cost nothing. Tasks of outside vendors cost what they cost.',
  ),
  ATELIER_LOCAL_REFUSE_UNKNOWN_PROMPTS: onOff(
    'off',
    'Whether the local stand-ins refuse a prompt of which they understand no word, instead of rendering something else.',
  ),
  ATELIER_OUTBOUND_ALLOW: optionalText({
    description:
      'Exceptions to the rule that the server never calls loopback, private or other special addresses: comma-separated addresses, CIDR ranges or host names, each with an optional port. Meant for development.',
    expects: 'a comma-separated list such as 127.0.0.1:9000, 10.0.0.0/8, hooks.internal',
  }),
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
    const key = optionalText({
      secret: true,
      description: `API key at ${called}. With it ${makes} are made there; without it this server renders them itself.`,
      expects: 'the key as the vendor gave it',
    });
    const address = Type.String({
      default: url,
      ...HTTP_URL,
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
    whole({ default: 0, from: 0, to: 1_000_000 }, `What a ${name} task costs, in credits.`),
  ]);
  return Object.fromEntries(settings) as PriceSettings;
}
