import type { FilesServer } from './files-server.ts';

export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** Sends a form as browsers do. */
export async function send(
  under: FilesServer,
  userId: string,
  fields: Readonly<Record<string, string | File>>,
  path = '/api/upload/image',
): Promise<Answer> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const answer = await fetch(under.url + path, { method: 'POST', body, headers: { 'x-user': userId } });
  return { status: answer.status, body: await answer.json() };
}

export const file = (bytes: Uint8Array<ArrayBuffer>, name: string) => new File([bytes], name);
