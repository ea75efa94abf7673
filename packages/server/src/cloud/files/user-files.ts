import type { FilesOfUsers } from './create-user-files.ts';
import type { Places } from './places.ts';

/** Output that a node shows: lists by key, among them file references. */
export type NodeOutput = Readonly<Record<string, readonly unknown[]>>;

/** The files of users, as jobs need them. */
export type UserFiles = Pick<FilesOfUsers, 'keep' | 'assertRoom'> & {
  readonly places: Pick<Places, 'foldersOf'>;
};
