import type { Readable } from 'node:stream';
import type { FileNames, Folders } from '@atelier/engine';

import type { Db } from '../../platform/db/database.ts';
import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { MeasuredFile } from '../../platform/files/file-store.ts';
import type { FilePlace } from './file-place.ts';

export interface FoundFile {
  readonly size: number;
  readonly sha256: string;
  readonly modifiedMs: number;
  open(): Promise<Readable>;
  /** An address outside of this server that gives it out, where there is one. */
  direct?(seconds: number): Promise<string>;
}

/** A file that an attempt has made. */
export interface MadeFile extends FilePlace {
  readonly userId: string;
  readonly jobId: string;
  readonly size: number;
  readonly sha256: string;
}

/** Where a made file is until an output names it: at a path of this machine, or in the store already. */
export type UnclaimedFile =
  | { readonly path: string; readonly within: string }
  | { readonly content: MeasuredFile };

/**
 * The names of users' files, as nodes see them. They are decided in folders that all servers share, or in the database. Files get
 * here through an asset, or as what an attempt has made and no output has named yet.
 */
export interface Places {
  /** The folders a job of this user works in, which exist then. `undefined` when names are in the database. */
  foldersOf(userId: string): Promise<Folders | undefined>;
  /** Folders for the check of a node, with at least those files that the texts name. */
  foldersFor(userId: string, texts: string): Promise<AsyncDisposable & { readonly folders: Folders }>;
  namesOf(userId: string): FileNames;
  find(userId: string, place: FilePlace): Promise<FoundFile | undefined>;
  /** Shows an asset whose bytes are in the store, unless they are at `source`. Throws `cloud.file_exists`. */
  show(asset: AssetRow, source?: string): Promise<void>;
  hide(asset: AssetRow): Promise<void>;
  /** Gives a finished file of this machine its place. False when the place is taken. */
  make(file: MadeFile, path: string): Promise<boolean>;
  /** The same with bytes that this user has in the store; `undefined` when they are not there after all. */
  makeAgain(file: MadeFile): Promise<boolean | undefined>;
  /** The same with bytes that were sent to the store past this server; `undefined` when they have not come. */
  makeSent(file: MadeFile, ticket: string): Promise<boolean | undefined>;
  findUnclaimed(userId: string, place: FilePlace): Promise<UnclaimedFile | undefined>;
  /** It is an asset now. */
  kept(tx: Db, userId: string, place: FilePlace): Promise<void>;
  /** Removes a made file that is not to be kept. */
  drop(userId: string, place: FilePlace): Promise<void>;
  /** Removes all that is left of a user. */
  clear(userId: string): Promise<void>;
  /** Removes made files that were never named. */
  tidy(): Promise<void>;
}

export function nameTaken({ subfolder, fileName }: FilePlace): AppError {
  const path = subfolder === '' ? fileName : `${subfolder}/${fileName}`;
  return new AppError(
    'cloud.file_exists',
    `A part of ${path} is a file and a folder at once. Choose another name.`,
  );
}

export function placeOf({ folder, subfolder, file_name: fileName }: AssetRow): FilePlace {
  return { folder, subfolder, fileName };
}
