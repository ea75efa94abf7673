import { PATIENCE_MS } from '@atelier/testing';

/** A place that takes workflows as ComfyUI does: a ComfyUI, or an Atelier in front of it. */
export interface Side {
  readonly name: string;
  readonly url: string;
  /** Empty at a ComfyUI. */
  readonly key: string;
}

interface Call {
  readonly json?: object;
  readonly form?: FormData;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Calls a path of ComfyUI: with a body it is a POST. */
export async function call(side: Side, path: string, { json, form }: Call = {}): Promise<Answer> {
  const answer = await request(side, path, { json, form });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: answer.status, body: isJson ? (JSON.parse(text) as unknown) : text };
}

export async function download(side: Side, path: string): Promise<Buffer> {
  const answer = await request(side, path, {});
  if (!answer.ok) throw new Error(`${side.name} answered ${answer.status} to ${path}`);
  return Buffer.from(await answer.arrayBuffer());
}

async function request(side: Side, path: string, { json, form }: Partial<Record<keyof Call, unknown>>) {
  const headers = {
    ...(side.key !== '' && { 'x-api-key': side.key }),
    ...(json !== undefined && { 'content-type': 'application/json' }),
  };
  const body = json === undefined ? (form as FormData | undefined) : JSON.stringify(json);
  return await fetch(side.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...(body !== undefined && { body }),
  });
}
