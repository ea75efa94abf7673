import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

const agent = new Agent({ keepAlive: true });

interface Call {
  readonly key?: string;
  /** JSON; it makes it a POST. */
  readonly body?: string;
}

/** The parsed answer, which must be 2xx. It costs less than `fetch`, which matters where time is measured. */
export async function httpCall<Answer>(url: string, { key, body }: Call = {}): Promise<Answer> {
  const post = body !== undefined && { 'content-type': 'application/json' };
  const headers = { ...(key !== undefined && { 'x-api-key': key }), ...post };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { agent, headers, method: post ? 'POST' : 'GET' }, resolve);
    sent.on('error', reject).end(body);
  });
  const { statusCode = 0 } = response;
  const answered = await text(response);
  if (statusCode < 200 || statusCode > 299) throw new Error(`${url} answered ${statusCode}: ${answered}`);
  return JSON.parse(answered) as Answer;
}
