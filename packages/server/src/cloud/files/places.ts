import type { Readable } from 'node:stream';
import type { FileNames, Folders } from '@atelier/engine';

import type { Db } from '../../platform/db/database.ts';
import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { MeasuredFile } from '../../platform/files/file-store.ts';
import { type FilePlace, pathBelowFolder } from './file-place.ts';

export interface FoundFile {
  readonly size: number;
  readonly sha256: string;
  readonly modifiedMs: number;
  open(): Promise<Readable>;
  /** An address outside this server that serves the bytes, if the store has one. */
  direct?(seconds: number): Promise<string>;
}

/** A file that an attempt has made. */
export interface MadeFile extends FilePlace {
  readonly userId: string;
  readonly jobId: string;
  readonly size: number;
  readonly sha256: string;
}

/** Where a made file is until an output names it: at a path on this machine, or already in the store. */
export type UnclaimedFile =
  | { readonly path: string; readonly within: string }
  | { readonly content: MeasuredFile };

/**
 * The names of users' files, as nodes see them: in folders that all servers share, or in the database. A file here is an asset, or
 * was made by an attempt and has not been named by an output yet.
 */
export interface Places {
  /** The folders a job of this user works in, created if necessary. `undefined` when names are in the database. */
  foldersOf(userId: string): Promise<Folders | undefined>;
  /** Folders for the custom check of a node, with at least the files that `texts` names. */
  foldersFor(userId: string, texts: string): Promise<AsyncDisposable & { readonly folders: Folders }>;
  namesOf(userId: string): FileNames;
  find(userId: string, place: FilePlace): Promise<FoundFile | undefined>;
  /** Puts an asset at its place, unless `source` is already there. Throws `cloud.file_exists`. */
  show(asset: AssetRow, source?: string): Promise<void>;
  hide(asset: AssetRow): Promise<void>;
  /** Puts a finished file of this machine at its place. False when the place is taken. */
  make(file: MadeFile, path: string): Promise<boolean>;
  /** The same with bytes that this user already has in the store; `undefined` when they are missing. */
  makeAgain(file: MadeFile): Promise<boolean | undefined>;
  /** The same with bytes that were sent directly to the store; `undefined` when they have not arrived. */
  makeSent(file: MadeFile, ticket: string): Promise<boolean | undefined>;
  findUnclaimed(userId: string, place: FilePlace): Promise<UnclaimedFile | undefined>;
  /** The made file has become an asset. */
  kept(tx: Db, userId: string, place: FilePlace): Promise<void>;
  /** Removes a made file that will not be kept. */
  drop(userId: string, place: FilePlace): Promise<void>;
  /** Removes everything that is left of a user. */
  clear(userId: string): Promise<void>;
  /** Removes made files that no output has named. */
  tidy(): Promise<void>;
}

export function nameTaken(place: FilePlace): AppError {
  return new AppError(
    'cloud.file_exists',
    `A part of ${pathBelowFolder(place)} is a file and a folder at once. Choose another name.`,
  );
}
