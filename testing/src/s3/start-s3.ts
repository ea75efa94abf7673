import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import { answerOf, type S3Answer, type S3Bucket, type S3Request } from './answer.ts';
import { toError } from './to-error.ts';
import { type S3Keys, verifySignature } from './verify-signature.ts';

/** What goes wrong with a request: an answer of 503, a refusal, a wait before it, or a body that ends after so many bytes. */
export type S3Fault =
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'refused'; readonly status: number; readonly code: string }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'truncated'; readonly bytes: number };

export interface S3Options {
  readonly region?: string;
  readonly bucket?: string;
  /** Buckets of others. */
  readonly foreign?: readonly string[];
  readonly isReadOnly?: boolean;
  /** Takes bytes that do not have the checksum that was sent with them. */
  readonly ignoresChecksums?: boolean;
  /** Answers 501 to conditions of writes. */
  readonly hasNoConditions?: boolean;
  /** How far its clock is ahead. */
  readonly aheadMs?: number;
}

export interface TestS3 extends AsyncDisposable, S3Keys {
  readonly url: string;
  readonly bucket: string;
  readonly region: string;
  /** By their keys. */
  readonly objects: S3Bucket['objects'];
  readonly uploads: S3Bucket['uploads'];
  /** Every request so far, such as `GET outputs/ab`. */
  readonly requests: string[];
  /** Asked before each request. */
  fault: (method: string, key: string) => S3Fault | undefined;
  /** As settings of a server. */
  readonly environment: Readonly<Record<string, string>>;
}

/** An S3 server in memory, as strict as the real ones in what the file store relies on. */
export async function startS3(options: S3Options = {}): Promise<TestS3> {
  const { region = 'us-east-1', bucket: name = 'atelier', foreign = [], aheadMs = 0 } = options;
  const keys = { accessKeyId: 'AKIATEST', secretAccessKey: 'the/secret+of=the-test' };
  const bucket: S3Bucket = { objects: new Map(), uploads: new Map() };
  const requests: string[] = [];
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://s3');
    const [, inBucket = '', ...rest] = decodeURIComponent(url.pathname).split('/');
    const key = rest.join('/');
    const method = request.method ?? 'GET';
    requests.push(`${method} ${key}`);
    const fault = own.fault(method, key);
    if (fault?.kind === 'slow') await delay(fault.ms);
    const body = await buffer(request);
    const asked: S3Request = { method, key, query: url.searchParams, headers: request.headers, body };
    const answer = (fault && failureOf(fault)) ?? refuse(request, inBucket, asked) ?? answerOf(asked, bucket);
    send(response, answer, { method, cutAt: fault?.kind === 'truncated' ? fault.bytes : undefined });
  }

  function refuse(request: IncomingMessage, inBucket: string, { method, headers, body }: S3Request) {
    const now = Date.now() + aheadMs;
    const wrong = verifySignature(request, { ...keys, region, now });
    if (wrong) return toError(wrong.status, wrong.code, wrong.message, wrong.region);
    if (foreign.includes(inBucket)) return toError(403, 'AccessDenied', 'Access Denied');
    if (inBucket !== name) return toError(404, 'NoSuchBucket', 'The specified bucket does not exist');
    if (options.isReadOnly && method !== 'GET' && method !== 'HEAD')
      return toError(403, 'AccessDenied', 'Access Denied');
    if (options.hasNoConditions && headers['if-none-match'] === '*')
      return toError(
        501,
        'NotImplemented',
        'A header you provided implies functionality that is not implemented',
      );
    const checksum = headers['x-amz-checksum-sha256'];
    const isWrong = checksum !== undefined && method === 'PUT' && checksum !== sha256(body);
    if (isWrong && !options.ignoresChecksums)
      return toError(400, 'BadDigest', 'The SHA256 you specified did not match the calculated checksum.');
    return undefined;
  }

  function send(
    response: ServerResponse,
    { status, headers = {}, body = Buffer.alloc(0) }: S3Answer,
    { method, cutAt }: { readonly method: string; readonly cutAt: number | undefined },
  ): void {
    const date = new Date(Date.now() + aheadMs).toUTCString();
    response.writeHead(status, { 'content-length': String(body.length), date, ...headers });
    if (method === 'HEAD' || cutAt === undefined || cutAt >= body.length) {
      response.end(method === 'HEAD' ? undefined : body);
      return;
    }
    response.write(body.subarray(0, cutAt), () => response.destroy());
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const own: TestS3 = {
    ...keys,
    ...bucket,
    url,
    bucket: name,
    region,
    requests,
    fault: () => undefined,
    environment: {
      ATELIER_S3_ENDPOINT: url,
      ATELIER_S3_BUCKET: name,
      ATELIER_S3_REGION: region,
      ATELIER_S3_ACCESS_KEY_ID: keys.accessKeyId,
      ATELIER_S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return own;
}

function failureOf(fault: S3Fault): S3Answer | undefined {
  if (fault.kind === 'unavailable') return SLOW_DOWN;
  return fault.kind === 'refused' ? toError(fault.status, fault.code, 'Refused') : undefined;
}

function sha256(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('base64');
}

const SLOW_DOWN = toError(503, 'SlowDown', 'Please reduce your request rate.');
