import type { Audit } from '../platform/audit/audit.service.ts';
import type { Db } from '../platform/db/database.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import type { ChangePack } from './packs/change-pack.ts';
import type { LinkMaker } from './to-wire.ts';

/** What the services of the registry are made with. */
export interface CommonParts extends ServiceParts {
  readonly audit: Audit;
  readonly links: LinkMaker;
  readonly directory: Directory;
  readonly catalogueChanged: () => void;
  readonly changePack: ChangePack;
}

/** What the registry asks about people. */
export interface Directory {
  findByEmail(email: string): Promise<Person | undefined>;
  /** Locks the account until the transaction ends, so that limits on what it has cannot be raced. */
  lock(tx: Db, userId: string): Promise<void>;
  /** In no particular order; unknown ids are left out. */
  findByIds(ids: readonly string[]): Promise<Person[]>;
}

interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly isAdmin: boolean;
}

/** Subjects of audit entries. */
export function publisherSubject(publisherId: string): string {
  return `publisher:${publisherId}`;
}

export function packSubject(publisherId: string, packId: string): string {
  return `${publisherSubject(publisherId)}/node:${packId}`;
}

export function versionSubject(publisherId: string, packId: string, version: string): string {
  return `${packSubject(publisherId, packId)}/version:${version}`;
}
