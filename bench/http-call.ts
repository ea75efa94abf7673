import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

const agent = new Agent({ keepAlive: true });

interface Call {
  readonly key?: string;
  /** JSON; it makes it a POST. */
  readonly body?: string;
}

/** The parsed answer, which must be 200 or 201. It costs less than `fetch`, which matters where time is measured. */
export async function httpCall<Answer>(url: string, { key, body }: Call = {}): Promise<Answer> {
  const sent = body !== undefined && {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const headers = { ...(key !== undefined && { 'x-api-key': key }), ...sent };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { agent, headers, method: sent ? 'POST' : 'GET' }, resolve)
      .on('error', reject)
      .end(body);
  });
  const answered = await text(response);
  if (response.statusCode !== 200 && response.statusCode !== 201)
    throw new Error(`${url} answered ${answered}`);
  return JSON.parse(answered) as Answer;
}
