import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

interface Expected extends S3Keys {
  readonly region: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly region?: string;
}

const MAX_SKEW_MS = 15 * 60_000;

/** AWS Signature Version 4, in the header or in the query of a presigned URL. `undefined` when it is right. */
export function verifySignature(request: IncomingMessage, expected: Expected): Refusal | undefined {
  const url = new URL(request.url ?? '/', 'http://s3');
  const isPresigned = url.searchParams.has('X-Amz-Signature');
  const given = isPresigned ? fromQuery(url) : fromHeader(request);
  if (!given) return refusal(403, 'AccessDenied', 'The request is not signed.');
  const [accessKeyId = '', date = '', region = '', service = '', end = ''] = given.credential.split('/');
  if (accessKeyId !== expected.accessKeyId)
    return refusal(403, 'InvalidAccessKeyId', 'The access key is not known.');
  if (region !== expected.region)
    return {
      ...refusal(400, 'AuthorizationHeaderMalformed', `The region is ${region}, not ${expected.region}.`),
      region: expected.region,
    };
  const signedAt = toTime(given.date);
  const skew = Math.abs(expected.now - signedAt);
  if (isPresigned && expected.now > signedAt + Number(url.searchParams.get('X-Amz-Expires')) * 1000)
    return refusal(403, 'AccessDenied', 'Request has expired');
  if (!isPresigned && skew > MAX_SKEW_MS)
    return refusal(403, 'RequestTimeTooSkewed', 'The clocks are too far apart.');

  const canonical = [
    request.method,
    url.pathname,
    canonicalQuery(url),
    ...given.signedHeaders.map((name) => `${name}:${headerOf(request, name)}`),
    '',
    given.signedHeaders.join(';'),
    isPresigned ? 'UNSIGNED-PAYLOAD' : headerOf(request, 'x-amz-content-sha256'),
  ].join('\n');
  const scope = `${date}/${region}/${service}/${end}`;
  const hash = createHash('sha256').update(canonical).digest('hex');
  const toSign = ['AWS4-HMAC-SHA256', given.date, scope, hash].join('\n');
  let key: Buffer | string = `AWS4${expected.secretAccessKey}`;
  for (const part of [date, region, service, end]) key = createHmac('sha256', key).update(part).digest();
  const signature = createHmac('sha256', key).update(toSign).digest('hex');
  return signature === given.signature
    ? undefined
    : refusal(403, 'SignatureDoesNotMatch', 'The signature does not match.');
}

function fromHeader(request: IncomingMessage) {
  const { authorization = '' } = request.headers;
  const found = /^AWS4-HMAC-SHA256 Credential=(.+?), ?SignedHeaders=(.+?), ?Signature=(.+)$/.exec(
    authorization,
  );
  if (!found) return undefined;
  const [, credential = '', headers = '', signature = ''] = found;
  return { credential, signedHeaders: headers.split(';'), signature, date: headerOf(request, 'x-amz-date') };
}

function fromQuery({ searchParams }: URL) {
  const part = (name: string) => searchParams.get(`X-Amz-${name}`) ?? '';
  return {
    credential: part('Credential'),
    signedHeaders: part('SignedHeaders').split(';'),
    signature: part('Signature'),
    date: part('Date'),
  };
}

function canonicalQuery({ searchParams }: URL): string {
  return [...searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&');
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function headerOf({ headers }: IncomingMessage, name: string): string {
  return String(headers[name] ?? '')
    .trim()
    .replaceAll(/ +/g, ' ');
}

/** `20261117T154729Z`. */
function toTime(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

function refusal(status: number, code: string, message: string): Refusal {
  return { status, code, message };
}
