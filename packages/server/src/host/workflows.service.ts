import type { SavedWorkflow, UserDataFile } from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';
import { parseJson } from '@atelier/engine';

import { toIso } from '../platform/clock.ts';
import { type Db, withTransaction } from '../platform/db/database.ts';
import { AppError, notFound } from '../platform/errors/app-error.ts';
import type { UserDataService } from './user-data.service.ts';
import { insertDescription, readDescriptions } from './workflow-descriptions.repo.ts';

const FOLDER = 'workflows';
const EXTENSION = '.json';
const MAX_NUMBER = 100;
/** Nothing but the last content of a file is kept. */
const VERSION = 1;

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

interface Parts {
  readonly db: Db;
  readonly userData: UserDataService;
}

export type WorkflowsService = ReturnType<typeof createWorkflowsService>;

/**
 * Saved workflows in the words of the public cloud. They are the files that the editor keeps in `workflows/`, so that each sees
 * what the other saves; the id of one is its path in there.
 */
export function createWorkflowsService({ db, userData }: Parts) {
  const describe = async (userId: string, files: readonly UserDataFile[]): Promise<SavedWorkflow[]> => {
    const descriptions = await readDescriptions(
      db,
      userId,
      files.map(({ path }) => `${FOLDER}/${path}`),
    );
    return files.map((file) => toWorkflow(file, descriptions.get(`${FOLDER}/${file.path}`)));
  };

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

    /** The content as JSON text. */
    async read(userId: string, id: string): Promise<string> {
      const { content } = await userData.read(userId, `${FOLDER}/${id}`).catch(asWorkflow(id));
      const text = Buffer.from(content).toString('utf8');
      if (readObject(text) === undefined) throw notFound('workflow', id);
      return `{"id":${JSON.stringify(id)},"version":${VERSION},"workflow_json":${text}}`;
    },

    /** A name that is taken gets a number: what was saved before stays. */
    async save(userId: string, { name, description, text }: NewWorkflow): Promise<SavedWorkflow> {
      const stem = nameOf(name);
      const content = Buffer.from(text);
      for (let number = 0; ; number += 1) {
        const path = `${FOLDER}/${number === 0 ? stem : `${stem} (${number})`}${EXTENSION}`;
        try {
          return await withTransaction(db, async (tx) => {
            const file = await userData.write(userId, path, content, { overwrite: false, tx });
            if (description) await insertDescription(tx, { user_id: userId, path: file.path, description });
            return toWorkflow({ ...file, path: file.path.slice(FOLDER.length + 1) }, description);
          });
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

function nameOf(path: string): string {
  return path.endsWith(EXTENSION) ? path.slice(0, -EXTENSION.length) : path;
}

function toWorkflow({ path, created, modified }: UserDataFile, description: string | undefined) {
  return {
    id: path,
    name: nameOf(path),
    ...(description ? { description } : {}),
    latest_version: VERSION,
    created_at: toIso(created),
    updated_at: toIso(modified),
  };
}

/** A file that is missing is a workflow that is missing. */
function asWorkflow(id: string) {
  return (error: unknown): never => {
    throw isMissing(error) ? notFound('workflow', id) : error;
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof AppError && error.code === 'resource.not_found';
}
