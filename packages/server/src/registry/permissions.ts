import type { Db } from '../platform/db/database.ts';
import type { PublisherRow } from '../platform/db/schema/registry.ts';
import { AppError, notFound } from '../platform/errors/app-error.ts';
import type { Actor } from '../platform/http/actor.ts';
import { findPackRecord } from './packs/packs.repo.ts';
import { roleIn } from './publishers/members.repo.ts';
import { findPublisher } from './publishers/publishers.repo.ts';
import type { PackRecord } from './to-wire.ts';

/** 404 when there is none. */
export async function requirePublisher(db: Db, id: string, find = findPublisher): Promise<PublisherRow> {
  const publisher = await find(db, id);
  if (!publisher) throw notFound('publisher', id);
  return publisher;
}

/** 404 before 403. Only administrators can change a banned publisher. */
export async function ownedPublisher(db: Db, actor: Actor, publisherId: string): Promise<PublisherRow> {
  const publisher = await requirePublisher(db, publisherId);
  if (actor.role === 'admin') return publisher;
  if ((await roleIn(db, publisherId, actor.userId)) !== 'owner') {
    throw new AppError('auth.forbidden', `Only owners of publisher "${publisherId}" may do this.`);
  }
  if (publisher.status === 'banned') throw bannedPublisher(publisherId);
  return publisher;
}

/** 404 when there is none, 403 when the pack or its publisher is banned. */
export async function visiblePack(db: Db, packId: string): Promise<PackRecord> {
  const record = await findPackRecord(db, packId);
  if (!record || record.pack.status === 'deleted' || record.publisher.status === 'deleted') {
    throw notFound('node', packId);
  }
  if (record.pack.status === 'banned' || record.publisher.status === 'banned') {
    throw bannedPack(record.pack.id);
  }
  return record;
}

export async function isMember(db: Db, actor: Actor | undefined, publisherId: string): Promise<boolean> {
  if (!actor) return false;
  return actor.role === 'admin' || (await roleIn(db, publisherId, actor.userId)) !== undefined;
}

export function bannedPublisher(publisherId: string): AppError {
  return new AppError('registry.banned', `Publisher "${publisherId}" is banned.`);
}

export function unknownVersion(packId: string, number: string): AppError {
  return new AppError('resource.not_found', `There is no version ${number} of node "${packId}".`);
}

export function foreignPack(packId: string): AppError {
  return new AppError('auth.forbidden', `Node "${packId}" belongs to another publisher.`);
}

export function bannedPack(packId: string): AppError {
  return new AppError('registry.banned', `Node "${packId}" is banned.`);
}
