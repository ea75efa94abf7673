import type * as Sdk from '@aws-sdk/client-s3';
import type * as Presigner from '@aws-sdk/s3-request-presigner';

import type { Secret } from '../../secret.ts';
import type { DirectUpload, DirectUrlOptions } from '../file-store.ts';

export interface S3Settings {
  readonly bucket: string;
  /** Before every key; empty, or ends in a slash. */
  readonly prefix: string;
  readonly region: string;
  /** Absent for AWS itself. */
  readonly endpoint: string | undefined;
  /** The URL of the store for clients, if they can reach it. */
  readonly publicUrl: string | undefined;
  readonly isPathStyle: boolean;
  /** Absent: whatever the AWS chain of credentials finds, such as a role of the machine. */
  readonly keys: { readonly id: string; readonly secret: Secret } | undefined;
}

export type S3 = Awaited<ReturnType<typeof openS3>>;

const CONNECT_MS = 5_000;
/** A reader that takes nothing for this long loses the connection. It is opened again when the reader continues. */
const IDLE_MS = 60_000;
/** For requests with small bodies. */
const REQUEST_MS = 10_000;
const MAX_SOCKETS = 512;
const MAX_TRIES = 4;
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** Loads the AWS SDK only when it is needed: it takes 80 ms and 37 MB. */
export async function openS3(settings: S3Settings) {
  const [sdk, presigner] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
  ]);
  const config = configOf(settings, settings.endpoint);
  const client = new sdk.S3Client(config);
  const impatient = new sdk.S3Client({ ...config, maxAttempts: 1 });
  const links =
    settings.publicUrl === undefined ? undefined : new sdk.S3Client(configOf(settings, settings.publicUrl));

  return {
    ...settings,
    sdk,
    client,
    /** What the service supports, as far as requests have shown. */
    features: { hasConditions: true },
    /** Does not retry. For requests that a transaction waits for and that are repeated later. */
    impatient,
    /** Signs URLs for clients, if the store has a public URL. */
    links: links && createLinks({ sdk, presigner, client: links }, settings.bucket),
    /** A deadline for small requests, and the caller's signal. */
    within: (signal?: AbortSignal, ms = REQUEST_MS): { readonly abortSignal: AbortSignal } => ({
      abortSignal: signal ? AbortSignal.any([signal, AbortSignal.timeout(ms)]) : AbortSignal.timeout(ms),
    }),
    close(): void {
      for (const each of [client, impatient, links]) each?.destroy();
    },
  };
}

function configOf(settings: S3Settings, endpoint: string | undefined): Sdk.S3ClientConfig {
  const agent = { keepAlive: true, maxSockets: MAX_SOCKETS };
  return {
    region: settings.region,
    ...(endpoint !== undefined && { endpoint }),
    forcePathStyle: settings.isPathStyle,
    ...(settings.keys && {
      credentials: { accessKeyId: settings.keys.id, secretAccessKey: settings.keys.secret.reveal() },
    }),
    maxAttempts: MAX_TRIES,
    // The SDK would log a line for every existing file.
    logger: SILENT,
    // Some stores do not support checksums after the body; ours come before it.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: IDLE_MS,
      httpAgent: agent,
      httpsAgent: agent,
    },
  };
}

function createLinks(
  { sdk, presigner, client }: { sdk: typeof Sdk; presigner: typeof Presigner; client: Sdk.S3Client },
  Bucket: string,
) {
  return {
    async download(key: string, { seconds, mediaType, disposition }: DirectUrlOptions): Promise<string> {
      const command = new sdk.GetObjectCommand({
        Bucket,
        Key: key,
        ResponseContentType: mediaType,
        ResponseContentDisposition: disposition,
      });
      return await presigner.getSignedUrl(client, command, { expiresIn: seconds });
    },
    /** Accepts only bytes of this size and SHA-256, and only once. */
    async upload(
      key: string,
      { size, checksum, seconds }: Readonly<{ size: number; checksum: string; seconds: number }>,
    ): Promise<Omit<DirectUpload, 'ticket'>> {
      const headers = { 'if-none-match': '*', 'x-amz-checksum-sha256': checksum };
      const command = new sdk.PutObjectCommand({
        Bucket,
        Key: key,
        ContentLength: size,
        ChecksumSHA256: checksum,
        IfNoneMatch: '*',
      });
      const url = await presigner.getSignedUrl(client, command, {
        expiresIn: seconds,
        signableHeaders: new Set(['host', 'content-length', ...Object.keys(headers)]),
        unhoistableHeaders: new Set(Object.keys(headers)),
      });
      return { url, headers };
    },
  };
}
