import { createHash, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { toError } from './to-error.ts';

export interface S3Object {
  readonly body: Buffer;
  readonly etag: string;
  readonly modifiedAt: Date;
}

interface S3Upload {
  readonly key: string;
  readonly startedAt: Date;
  readonly parts: Map<number, Buffer>;
}

export interface S3Bucket {
  readonly objects: Map<string, S3Object>;
  readonly uploads: Map<string, S3Upload>;
}

export interface S3Request {
  readonly method: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface S3Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

const MIN_PART_BYTES = 1024;

/** What S3 answers to a request that may be made. */
export function answerOf(request: S3Request, bucket: S3Bucket): S3Answer {
  const { method, key, query } = request;
  if (key === '') return query.has('uploads') ? listUploads(bucket, query) : list(bucket, query);
  if (method === 'POST' && query.has('uploads')) return beginUpload(request, bucket);
  if (query.has('uploadId')) return answerUpload(request, bucket);
  if (method === 'PUT') return put(request, bucket);
  if (method === 'DELETE') {
    bucket.objects.delete(key);
    return { status: 204 };
  }
  return read(request, bucket);
}

function put({ key, headers, body }: S3Request, { objects }: S3Bucket): S3Answer {
  if (headers['if-none-match'] === '*' && objects.has(key)) return PRECONDITION;
  const source = headers['x-amz-copy-source'];
  if (typeof source !== 'string') {
    if (headers['content-length'] === undefined) return toError(411, 'MissingContentLength', 'No length.');
    return keep(objects, key, body);
  }
  const from = objects.get(decodeURIComponent(source).replace(/^\/?[^/]+\//, ''));
  if (!from) return NO_KEY;
  keep(objects, key, from.body);
  return xml(`<CopyObjectResult><ETag>${from.etag}</ETag></CopyObjectResult>`);
}

function read({ method, key, query, headers }: S3Request, { objects }: S3Bucket): S3Answer {
  const found = objects.get(key);
  if (!found) return method === 'HEAD' ? { status: 404 } : NO_KEY;
  const { body, etag, modifiedAt } = found;
  const given = {
    etag,
    'accept-ranges': 'bytes',
    'last-modified': modifiedAt.toUTCString(),
    'content-type': query.get('response-content-type') ?? 'application/octet-stream',
    ...(query.has('response-content-disposition') && {
      'content-disposition': query.get('response-content-disposition') ?? '',
    }),
  };
  if (headers['if-none-match'] === etag) return { status: 304, headers: given };
  const range = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '');
  if (!range) return { status: 200, headers: { ...given, 'content-length': String(body.length) }, body };
  const [first, last] = [range[1] ?? '', range[2] ?? ''];
  const start = first === '' ? Math.max(0, body.length - Number(last)) : Number(first);
  const end = first === '' || last === '' ? body.length - 1 : Math.min(Number(last), body.length - 1);
  if (start >= body.length) return toError(416, 'InvalidRange', 'The requested range is not satisfiable');
  const part = body.subarray(start, end + 1);
  const contentRange = `bytes ${start}-${end}/${body.length}`;
  const length = { 'content-range': contentRange, 'content-length': String(part.length) };
  return { status: 206, headers: { ...given, ...length }, body: part };
}

function list({ objects }: S3Bucket, query: URLSearchParams): S3Answer {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  const max = Number(query.get('max-keys') ?? 1000);
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
  const page = keys.slice(0, max);
  const isTruncated = page.length < keys.length;
  const contents = page.map(
    (key) =>
      `<Contents><Key>${key}</Key><Size>${objects.get(key)?.body.length}</Size><LastModified>${objects.get(key)?.modifiedAt.toISOString()}</LastModified></Contents>`,
  );
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return xml(
    `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`,
  );
}

function listUploads({ uploads }: S3Bucket, query: URLSearchParams): S3Answer {
  const prefix = query.get('prefix') ?? '';
  const found = [...uploads].filter(([, { key }]) => key.startsWith(prefix));
  const each = found.map(
    ([id, { key, startedAt }]) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${startedAt.toISOString()}</Initiated></Upload>`,
  );
  return xml(
    `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${each.join('')}</ListMultipartUploadsResult>`,
  );
}

function beginUpload({ key }: S3Request, { uploads }: S3Bucket): S3Answer {
  const id = randomUUID();
  uploads.set(id, { key, startedAt: new Date(), parts: new Map() });
  return xml(
    `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
  );
}

function answerUpload({ method, key, query, headers, body }: S3Request, bucket: S3Bucket): S3Answer {
  const id = query.get('uploadId') ?? '';
  const upload = bucket.uploads.get(id);
  if (upload?.key !== key) return toError(404, 'NoSuchUpload', 'The specified upload does not exist.');
  if (method === 'PUT') {
    upload.parts.set(Number(query.get('partNumber')), body);
    return { status: 200, headers: { etag: etagOf(body) } };
  }
  if (method === 'DELETE') {
    bucket.uploads.delete(id);
    return { status: 204 };
  }
  const wanted = [...body.toString().matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
    number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
    etag: /<ETag>(.+?)</.exec(part)?.[1]?.replaceAll('&quot;', '"'),
    checksum: /<ChecksumSHA256>(.+?)</.exec(part)?.[1],
  }));
  const parts = wanted.map(({ number }) => upload.parts.get(number) ?? Buffer.alloc(0));
  const isWrong = wanted.some(({ etag, checksum }, index) => {
    const part = parts[index] ?? Buffer.alloc(0);
    return etag !== etagOf(part) || (checksum !== undefined && checksum !== sha256(part));
  });
  if (wanted.length === 0 || isWrong) return toError(400, 'InvalidPart', 'A part could not be found.');
  if (parts.slice(0, -1).some(({ length }) => length < MIN_PART_BYTES))
    return toError(400, 'EntityTooSmall', 'A part is smaller than the minimum.');
  if (headers['if-none-match'] === '*' && bucket.objects.has(key)) return PRECONDITION;
  keep(bucket.objects, key, Buffer.concat(parts));
  bucket.uploads.delete(id);
  return xml(`<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>`);
}

function keep(objects: S3Bucket['objects'], key: string, body: Buffer): S3Answer {
  objects.set(key, { body, etag: etagOf(body), modifiedAt: new Date() });
  return { status: 200, headers: { etag: etagOf(body) } };
}

function etagOf(body: Uint8Array): string {
  return `"${createHash('md5').update(body).digest('hex')}"`;
}

function sha256(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('base64');
}

function xml(body: string): S3Answer {
  const text = `<?xml version="1.0" encoding="UTF-8"?>${body}`;
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: Buffer.from(text) };
}

const PRECONDITION = toError(412, 'PreconditionFailed', 'At least one of the conditions did not hold.');
const NO_KEY = toError(404, 'NoSuchKey', 'The specified key does not exist.');
