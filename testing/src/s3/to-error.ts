import type { S3Answer } from './answer.ts';

export function toError(status: number, code: string, message: string, region?: string): S3Answer {
  const more = region === undefined ? '' : `<Region>${region}</Region>`;
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message>${more}</Error>`;
  return { status, headers: { 'content-type': 'application/xml' }, body: Buffer.from(body) };
}
