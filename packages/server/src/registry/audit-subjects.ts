export function publisherSubject(publisherId: string): string {
  return `publisher:${publisherId}`;
}

export function packSubject(publisherId: string, packId: string): string {
  return `${publisherSubject(publisherId)}/node:${packId}`;
}

export function versionSubject(publisherId: string, packId: string, version: string): string {
  return `${packSubject(publisherId, packId)}/version:${version}`;
}
