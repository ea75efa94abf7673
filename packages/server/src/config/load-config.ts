import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import {
  PRICE_SETTINGS,
  type PriceName,
  VENDOR_NAMES,
  VENDORS,
  type VendorSetting,
} from '@atelier/contracts';
import { Ajv } from 'ajv';
import ipaddr from 'ipaddr.js';

import { parseAllowList } from '../platform/net/allow-list.ts';
import { Secret } from '../platform/secret.ts';
import { Settings } from './settings.ts';
import { toUploadLimits } from './upload-limits.ts';

interface Setting {
  readonly type?: string;
  readonly default?: string | number;
  readonly description: string;
  readonly expects: string;
  readonly secret?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Given = Readonly<Record<string, string | number>>;

const SETTINGS = Object.entries(Settings.properties as unknown as Readonly<Record<string, Setting>>);

/** Settings that others need, and those others. */
const NEEDED_BY: readonly (readonly [needed: string, by: readonly string[]])[] = [
  ['ATELIER_OIDC_ISSUER', ['ATELIER_OIDC_AUDIENCE', 'ATELIER_OIDC_JWKS_URL', 'ATELIER_OIDC_CLIENT_ID']],
  ['ATELIER_OIDC_AUDIENCE', ['ATELIER_OIDC_ISSUER', 'ATELIER_OIDC_JWKS_URL']],
  ['ATELIER_OIDC_JWKS_URL', ['ATELIER_OIDC_ISSUER', 'ATELIER_OIDC_AUDIENCE']],
  ['ATELIER_OIDC_CLIENT_ID', ['ATELIER_OIDC_CLIENT_SECRET', 'ATELIER_OIDC_NAME']],
  // With SQLite there is one server.
  ['ATELIER_DATABASE_URL', ['ATELIER_NATS_URL']],
  ['ATELIER_NATS_URL', ['ATELIER_NATS_CREDS_FILE']],
  [
    'ATELIER_S3_BUCKET',
    SETTINGS.map(([name]) => name).filter((name) => /^ATELIER_S3_(?!BUCKET$)/.test(name)),
  ],
  ['ATELIER_S3_SECRET_ACCESS_KEY', ['ATELIER_S3_ACCESS_KEY_ID']],
  ['ATELIER_S3_ACCESS_KEY_ID', ['ATELIER_S3_SECRET_ACCESS_KEY']],
];

/** Every mistake in the settings, one sentence each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The settings have ${problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`}:`);
    this.problems = problems;
  }
}

export type Config = ReturnType<typeof toConfig> & {
  /** For administrators, without secrets. */
  readonly shown: ReturnType<typeof showSettings>;
};

/** The only reader of environment variables. Reports every mistake at once, by variable name. */
export function loadConfig(environment: Environment): Config {
  const given = givenSettings(environment);
  const problems = [...valueProblems(given), ...missingSettings(given)];
  if (problems.length > 0) throw new ConfigError(problems);
  const fallbacks = Object.fromEntries(SETTINGS.map(([name, setting]) => [name, setting.default]));
  return { ...toConfig({ ...fallbacks, ...given } as unknown as Settings), shown: showSettings(given) };
}

/** Names that look like ours but are not: most likely typos, which would otherwise go unnoticed. */
export function unknownSettings(environment: Environment): string[] {
  return Object.keys(environment).filter(
    (name) => name.startsWith('ATELIER_') && !Object.hasOwn(Settings.properties, name),
  );
}

/** The effective settings. For secrets, only whether they are set. */
function showSettings(given: Given) {
  return SETTINGS.map(([name, { description, secret = false, default: fallback }]) => {
    const value = given[name] ?? fallback;
    return {
      name,
      description,
      is_set: given[name] !== undefined,
      is_secret: secret,
      // A URL may carry a password.
      ...(!secret &&
        value !== undefined && { value: String(value).replaceAll(/\/\/[^/@\s]*@/g, '//[hidden]@') }),
    };
  });
}

function toConfig(settings: Settings) {
  const { ATELIER_OIDC_ISSUER: issuer, ATELIER_DATABASE_URL: databaseUrl } = settings;
  const dataFolder = resolve(settings.ATELIER_DATA_DIR);
  return {
    http: {
      host: settings.ATELIER_HOST,
      port: settings.ATELIER_PORT,
      publicUrl: settings.ATELIER_PUBLIC_URL && new URL(settings.ATELIER_PUBLIC_URL).origin,
      trustedProxies: listOf(settings.ATELIER_TRUST_PROXY),
      stopMs: settings.ATELIER_STOP_SECONDS * 1000,
      drainMs: settings.ATELIER_DRAIN_SECONDS * 1000,
    },
    dataFolder,
    minFreeBytes: settings.ATELIER_MIN_FREE_MB * 1024 * 1024,
    database: {
      url: databaseUrl === undefined ? undefined : new Secret(databaseUrl),
      poolSize: settings.ATELIER_DATABASE_POOL,
    },
    nats:
      settings.ATELIER_NATS_URL === undefined
        ? undefined
        : { url: new Secret(settings.ATELIER_NATS_URL), credsFile: settings.ATELIER_NATS_CREDS_FILE },
    s3: toS3(settings),
    log: { level: settings.ATELIER_LOG_LEVEL },
    hasConsole: settings.ATELIER_CONSOLE === 'on',
    accounts: {
      tokenSeconds: settings.ATELIER_TOKEN_MINUTES * 60,
      sessionSeconds: settings.ATELIER_SESSION_HOURS * 3600,
      signingKeyDays: settings.ATELIER_SIGNING_KEY_DAYS,
      oidc:
        issuer === undefined
          ? undefined
          : {
              issuer,
              audience: settings.ATELIER_OIDC_AUDIENCE ?? '',
              jwksUrl: settings.ATELIER_OIDC_JWKS_URL ?? '',
              client: toBrowserClient(settings, issuer),
            },
    },
    editor: { indexUrl: settings.ATELIER_EDITOR_INDEX_URL },
    limits: toUploadLimits(settings),
    storage: { maxAccountBytes: settings.ATELIER_UPLOAD_ACCOUNT_MB * 1024 * 1024 },
    engine: {
      packFolders: listOf(settings.ATELIER_NODE_PACKS),
      comfyuiUrls: listOf(settings.ATELIER_COMFYUI_URLS),
    },
    cloud: {
      runners: settings.ATELIER_RUNNERS ?? Math.min(4, availableParallelism()),
      runnerMemoryBytes: settings.ATELIER_RUNNER_MEMORY_MB * 1024 * 1024,
      jobMs: settings.ATELIER_JOB_MINUTES * 60_000,
      sliceMs: settings.ATELIER_FAIR_SECONDS * 1000,
      storageBytes: settings.ATELIER_CLOUD_STORAGE_MB * 1024 * 1024,
      outputMs: settings.ATELIER_OUTPUT_DAYS * 86_400_000,
      tempMs: settings.ATELIER_TEMP_HOURS * 3_600_000,
      streamsPerUser: settings.ATELIER_STREAMS_PER_USER,
      convertsEditorFormat: settings.ATELIER_V2_EDITOR_WORKFLOWS === 'on',
    },
    proxy: {
      accounts: vendorAccounts(settings),
      acceptAliases: settings.ATELIER_VENDOR_ALIASES === 'on',
      renderers: settings.ATELIER_RENDERERS ?? Math.max(1, Math.floor(availableParallelism() / 2)),
      maxInFlight: settings.ATELIER_TASKS_PER_USER,
      taskMs: settings.ATELIER_TASK_MINUTES * 60_000,
      keptMs: settings.ATELIER_TASK_DAYS * 86_400_000,
      prices: flatPrices(settings),
      localRendering: {
        isFree: settings.ATELIER_LOCAL_RENDERING_FREE === 'on',
        refusesUnknownPrompts: settings.ATELIER_LOCAL_REFUSE_UNKNOWN_PROMPTS === 'on',
      },
    },
    outbound: { allow: listOf(settings.ATELIER_OUTBOUND_ALLOW) },
  } as const;
}

function toS3(settings: Settings) {
  const { ATELIER_S3_BUCKET: bucket, ATELIER_S3_ENDPOINT: endpoint } = settings;
  const { ATELIER_S3_ACCESS_KEY_ID: id, ATELIER_S3_SECRET_ACCESS_KEY: secret } = settings;
  if (bucket === undefined) return undefined;
  return {
    bucket,
    prefix: settings.ATELIER_S3_PREFIX ?? '',
    region: settings.ATELIER_S3_REGION ?? 'us-east-1',
    endpoint,
    publicUrl: settings.ATELIER_S3_PUBLIC_URL,
    isPathStyle: (settings.ATELIER_S3_PATH_STYLE ?? (endpoint === undefined ? 'off' : 'on')) === 'on',
    keys: id === undefined || secret === undefined ? undefined : { id, secret: new Secret(secret) },
  };
}

/** Without a key, this server stands in for the vendor. */
function vendorAccounts(settings: Settings) {
  const accounts: Partial<Record<VendorSetting, { readonly baseUrl: string; readonly key: Secret }>> = {};
  for (const vendor of VENDOR_NAMES) {
    const { setting } = VENDORS[vendor];
    const key = settings[`ATELIER_${setting}_VENDOR_KEY`];
    if (key !== undefined) {
      accounts[setting] = { baseUrl: settings[`ATELIER_${setting}_VENDOR_URL`], key: new Secret(key) };
    }
  }
  return accounts;
}

function flatPrices(settings: Settings) {
  const prices = Object.entries(PRICE_SETTINGS).map(
    ([name, setting]) => [name, settings[`ATELIER_${setting}_CREDITS`]] as const,
  );
  return Object.fromEntries(prices) as Record<PriceName, number>;
}

function givenSettings(environment: Environment): Given {
  const given: Record<string, string | number> = {};
  for (const [name, { type }] of SETTINGS) {
    const value = environment[name]?.trim();
    // A blank value is how compose files and shells spell "not set".
    if (value === undefined || value === '') continue;
    // Only plain digits are a number: Number() would also read 0x50, 1e3 and +5.
    given[name] = type === 'integer' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  }
  return given;
}

function toBrowserClient(settings: Settings, issuer: string) {
  const { ATELIER_OIDC_CLIENT_ID: clientId, ATELIER_OIDC_CLIENT_SECRET: secret } = settings;
  if (clientId === undefined) return undefined;
  return {
    clientId,
    clientSecret: secret === undefined ? undefined : new Secret(secret),
    name: settings.ATELIER_OIDC_NAME ?? new URL(issuer).host,
  };
}

/** Checks only what is set: compiling the checks of all fifty settings took a twentieth of the start. */
function valueProblems(given: Given): string[] {
  const ajv = new Ajv({ validateSchema: false });
  ajv.addVocabulary(['expects', 'secret']);
  ajv.addFormat('url', (value) => URL.canParse(value));
  ajv.addFormat('urls', (value) => listOf(value).every((url) => URL.canParse(url)));
  return SETTINGS.flatMap(([name, schema]) => {
    const value = given[name];
    if (value === undefined) return [];
    if (ajv.validate(schema, value)) return LIST_PROBLEMS[name]?.(listOf(String(value))) ?? [];
    return `${name} must be ${schema.expects}${schema.secret ? '' : `, not "${value}"`}.`;
  });
}

function missingSettings(given: Given): string[] {
  const problems = NEEDED_BY.flatMap(([needed, by]) => {
    const present = by.filter((name) => given[name] !== undefined);
    if (given[needed] !== undefined || present.length === 0) return [];
    return `${needed} must be set too, because ${present.join(', ')} ${present.length === 1 ? 'is' : 'are'}.`;
  });
  const { ATELIER_S3_BUCKET: bucket, ATELIER_S3_REGION: region, ATELIER_S3_ENDPOINT: endpoint } = given;
  if (bucket !== undefined && region === undefined && endpoint === undefined)
    problems.push(
      'ATELIER_S3_REGION must be set too, because ATELIER_S3_BUCKET is and ATELIER_S3_ENDPOINT is not.',
    );
  return problems;
}

/** What a pattern cannot say about comma-separated values. */
const LIST_PROBLEMS: Readonly<Record<string, (entries: readonly string[]) => string[]>> = {
  ATELIER_TRUST_PROXY: (entries) =>
    entries
      .filter((entry) => isIP(entry) === 0 && (!ipaddr.isValidCIDR(entry) || entry.endsWith('/0')))
      .map(
        (entry) =>
          `ATELIER_TRUST_PROXY: "${entry}" is neither an address nor a range smaller than everything.`,
      ),
  ATELIER_COMFYUI_URLS: comfyuiProblems,
  ATELIER_OUTBOUND_ALLOW: (entries) =>
    parseAllowList(entries).problems.map((problem) => `ATELIER_OUTBOUND_ALLOW: ${problem}`),
};

function listOf(text = ''): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Two workers at one ComfyUI would get in each other's way. */
function comfyuiProblems(entries: readonly string[]): string[] {
  const seen = new Set<string>();
  return entries.flatMap((entry) => {
    const url = URL.parse(entry);
    if (!url) return `ATELIER_COMFYUI_URLS: "${entry}" is not an address.`;
    if (url.username !== '' || url.password !== '')
      return `ATELIER_COMFYUI_URLS: ${url.host} has a user name, and a worker cannot log in.`;
    if (seen.has(url.href)) return `ATELIER_COMFYUI_URLS names ${entry} twice.`;
    seen.add(url.href);
    return [];
  });
}
