import type { SavedWorkflow, SavedWorkflowVersions, UserDataFile } from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';
import { present } from '@atelier/contracts/present';
import { parseJson } from '@atelier/engine';

import { toIso } from '../platform/clock.ts';
import { type Db, withTransaction } from '../platform/db/database.ts';
import { AppError, notFound } from '../platform/errors/app-error.ts';
import type { UserDataService } from './user-data.service.ts';
import { putDescription, readDescriptions } from './workflow-descriptions.repo.ts';
import { readShares } from './workflow-shares.repo.ts';
import { findVersion, listVersions, readLatestVersions } from './workflow-versions.repo.ts';

export const FOLDER = 'workflows';
const EXTENSION = '.json';
const MAX_NUMBER = 100;

interface ListOptions {
  readonly name?: string | undefined;
  readonly sort: keyof typeof BY;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

interface NewWorkflow {
  readonly name: string;
  readonly description: string | undefined;
  /** JSON text, as it was sent. */
  readonly text: string;
}

interface WorkflowChange {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly text?: string | undefined;
}

interface Parts {
  readonly db: Db;
  readonly userData: UserDataService;
  /** By the names of workflows: the output that stands for the last job of each, as JSON. */
  readonly lastOutputs: (userId: string, names: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

export type WorkflowsService = ReturnType<typeof createWorkflowsService>;

/**
 * Saved workflows in the words of the public cloud. They are the files that the editor keeps in `workflows/`, so that each sees
 * what the other saves; the id of one is its path in there.
 */
export function createWorkflowsService({ db, userData, lastOutputs }: Parts) {
  const describe = async (userId: string, files: readonly UserDataFile[]): Promise<SavedWorkflow[]> => {
    const paths = files.map(({ path }) => `${FOLDER}/${path}`);
    const descriptions = await readDescriptions(db, userId, paths);
    const versions = await readLatestVersions(db, userId, paths);
    const shares = await readShares(db, userId, paths);
    const outputs = await lastOutputs(
      userId,
      files.map(({ path }) => nameOf(path)),
    );
    return files.map(({ path, created, modified }): SavedWorkflow => {
      const name = nameOf(path);
      const at = `${FOLDER}/${path}`;
      const output = outputs.get(name);
      return {
        id: path,
        name,
        ...present({ description: descriptions.get(at), share_id: shares.get(at) }),
        latest_version: versions.get(at) ?? 1,
        ...(output !== undefined && { preview_output: JSON.parse(output) }),
        created_at: toIso(created),
        updated_at: toIso(modified),
      };
    });
  };

  const get = async (userId: string, id: string): Promise<SavedWorkflow> => {
    const { path, created_at: created, modified_at: modified, size } = await find(userId, id);
    const [workflow] = await describe(userId, [
      { path: path.slice(FOLDER.length + 1), created, modified, size },
    ]);
    if (!workflow) throw notFound('workflow', id);
    return workflow;
  };

  const find = async (userId: string, id: string) =>
    await userData.read(userId, `${FOLDER}/${id}`).catch(asWorkflow(id));

  const list = async (userId: string): Promise<UserDataFile[]> => {
    try {
      const files = await userData.list(userId, FOLDER, { recurse: true });
      return files.filter(({ path }) => path.endsWith(EXTENSION));
    } catch (error) {
      // The folder is there as long as something is in it.
      if (isMissing(error)) return [];
      throw error;
    }
  };

  return {
    async list(userId: string, { name = '', sort, order, limit }: ListOptions) {
      const wanted = name.toLowerCase();
      const found = (await list(userId)).filter(({ path }) => nameOf(path).toLowerCase().includes(wanted));
      const ordered = found.toSorted(BY[sort]);
      const page = (order === 'asc' ? ordered : ordered.toReversed()).slice(0, limit);
      return { data: await describe(userId, page), total: found.length };
    },

    /** The content as JSON text: the last one, or that of a version. */
    async read(userId: string, id: string, wanted?: number): Promise<string> {
      const { path, content } = await find(userId, id);
      const latest = (await readLatestVersions(db, userId, [path])).get(path) ?? 1;
      const version = wanted ?? latest;
      const bytes = version === latest ? content : await findVersion(db, { user_id: userId, path, version });
      const text = bytes && Buffer.from(bytes).toString('utf8');
      if (text === undefined || readObject(text) === undefined) throw notFound('workflow', id);
      return `{"id":${JSON.stringify(id)},"version":${version},"workflow_json":${text}}`;
    },

    /** What it was before, the newest first. */
    async versions(userId: string, id: string): Promise<SavedWorkflowVersions> {
      const { path } = await find(userId, id);
      const rows = await listVersions(db, userId, path);
      return { data: rows.map(({ saved_at: at, ...row }) => ({ ...row, saved_at: toIso(at) })) };
    },

    /** Gives a workflow another name, description or content. The former content is kept as a version. */
    async update(userId: string, id: string, { name, description, text }: WorkflowChange) {
      const next = name === undefined ? id : `${nameOf(name)}${EXTENSION}`;
      const path = `${FOLDER}/${next}`;
      await find(userId, id);
      if (next !== id) await userData.move(userId, `${FOLDER}/${id}`, path, { overwrite: false });
      await withTransaction(db, async (tx) => {
        if (text !== undefined)
          await userData.write(userId, path, Buffer.from(text), { overwrite: true, tx });
        if (description !== undefined) await putDescription(tx, { user_id: userId, path, description });
      });
      return await get(userId, next);
    },

    /** A name that is taken gets a number: what was saved before stays. */
    async save(userId: string, { name, description, text }: NewWorkflow): Promise<SavedWorkflow> {
      const stem = nameOf(name);
      const content = Buffer.from(text);
      for (let number = 0; ; number += 1) {
        const path = `${FOLDER}/${number === 0 ? stem : `${stem} (${number})`}${EXTENSION}`;
        try {
          const id = await withTransaction(db, async (tx) => {
            const file = await userData.write(userId, path, content, { overwrite: false, tx });
            if (description) await putDescription(tx, { user_id: userId, path: file.path, description });
            return file.path.slice(FOLDER.length + 1);
          });
          return await get(userId, id);
        } catch (error) {
          const isTaken = error instanceof AppError && error.code === 'cloud.file_exists';
          if (!isTaken || number === MAX_NUMBER) throw error;
        }
      }
    },

    async remove(userId: string, id: string): Promise<void> {
      await userData.remove(userId, `${FOLDER}/${id}`).catch(asWorkflow(id));
    },
  };
}

/** The object that a text is; `undefined` for any other text. */
export function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const BY = {
  create_time: (a: UserDataFile, b: UserDataFile) => a.created - b.created,
  update_time: (a: UserDataFile, b: UserDataFile) => a.modified - b.modified,
  name: (a: UserDataFile, b: UserDataFile) => (a.path.toLowerCase() < b.path.toLowerCase() ? -1 : 1),
};

export function nameOf(path: string): string {
  return path.endsWith(EXTENSION) ? path.slice(0, -EXTENSION.length) : path;
}

/** A file that is missing is a workflow that is missing. */
export function asWorkflow(id: string) {
  return (error: unknown): never => {
    throw isMissing(error) ? notFound('workflow', id) : error;
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof AppError && error.code === 'resource.not_found';
}
