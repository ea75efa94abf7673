import type { Folders, JobFiles } from '@atelier/engine';

/** Output that a node shows: lists by key, among them file references. */
export type NodeOutput = Readonly<Record<string, readonly unknown[]>>;

export interface UserFiles {
  /** The folders a job of this user works in. They exist once this resolves. */
  foldersOf(userId: string): Promise<Folders>;
  /** What nodes of this user may read and choose from, whether the folders exist yet or not. */
  filesOf(userId: string): JobFiles;
  /**
   * Keeps the files that a node's output names: in the file store, with a row each. Resolves once they can be asked for. What was kept
   * before is kept as it is, and what names no file of this user is left alone. A file before which there is no room is removed; once
   * the others are kept, it throws `cloud.storage_full`.
   */
  keep(
    job: { readonly id: string; readonly userId: string },
    nodeId: string,
    output: NodeOutput,
  ): Promise<void>;
  /** Throws `cloud.storage_full` when the user may keep nothing more. */
  assertRoom(userId: string): Promise<void>;
}
