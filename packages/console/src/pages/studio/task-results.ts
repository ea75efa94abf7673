import type { TaskStatus } from '@atelier/sdk';

/** A small preview of a result. */
export function thumbnailOf(status: TaskStatus): string | undefined {
  const { detail, links } = status;
  return 'creations' in detail ? detail.creations[0]?.cover_url : links[0];
}

/** Why it failed, in the vendor's words. */
export function failureOf({ detail }: TaskStatus): string {
  return 'err_msg' in detail ? detail.err_msg || detail.err_code : (detail.error?.message ?? '');
}

export function fileNameOf(status: TaskStatus): string {
  const ending = /\.(\w{3,4})$/.exec(new URL(status.links[0] ?? '', location.origin).pathname)?.[1] ?? 'bin';
  return `${status.id}.${ending}`;
}
