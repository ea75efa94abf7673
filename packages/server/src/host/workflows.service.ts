import type { SavedWorkflow, SavedWorkflowVersions, UserDataFile } from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';
import { present } from '@atelier/contracts/present';
import { parseJson } from '@atelier/engine';

import { toIso } from '../platform/clock.ts';
import { withTransaction } from '../platform/db/database.ts';
import { AppError, notFound } from '../platform/errors/app-error.ts';
import { randomToken } from '../platform/ids.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import type { UserDataService } from './user-data.service.ts';
import * as repo from './workflows.repo.ts';

const FOLDER = 'workflows';
const EXTENSION = '.json';
const MAX_NUMBER = 100;
/** Enough that nobody guesses one. */
const SHARE_ID_BYTES = 24;

interface ListOptions {
  readonly name?: string | undefined;
  readonly sort: keyof typeof BY;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

interface WorkflowChange {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** JSON text, as it was sent. */
  readonly text?: string | undefined;
}

export interface WorkflowParts extends ServiceParts {
  readonly userData: UserDataService;
  /** By the names of workflows: the output that represents the last job of each, as JSON. */
  readonly lastOutputs: (userId: string, names: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly findPeople: (
    ids: readonly string[],
  ) => Promise<readonly { readonly id: string; readonly name: string }[]>;
}

export type WorkflowsService = ReturnType<typeof createWorkflowsService>;

/**
 * Saved workflows in the words of the public cloud. They are the files that the editor keeps in `workflows/`, so each sees what the other
 * saves. The id of a workflow is its path in there.
 */
export function createWorkflowsService({ db, clock, userData, lastOutputs, findPeople }: WorkflowParts) {
  const describe = async (userId: string, files: readonly UserDataFile[]): Promise<SavedWorkflow[]> => {
    const paths = files.map(({ path }) => `${FOLDER}/${path}`);
    const descriptions = await repo.readDescriptions(db, userId, paths);
    const versions = await repo.readLatestVersions(db, userId, paths);
    const shares = await repo.readShares(db, userId, paths);
    const names = files.map(({ path }) => nameOf(path));
    const outputs = await lastOutputs(userId, names);
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
    const file = { path: path.slice(FOLDER.length + 1), created, modified, size };
    const [workflow] = await describe(userId, [file]);
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
      // A folder exists as long as something is in it.
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

    /** The content as JSON text: the current one, or that of a version. */
    async read(userId: string, id: string, wanted?: number): Promise<string> {
      const { path, content } = await find(userId, id);
      const latest = (await repo.readLatestVersions(db, userId, [path])).get(path) ?? 1;
      const version = wanted ?? latest;
      const bytes =
        version === latest ? content : await repo.findVersion(db, { user_id: userId, path, version });
      const text = bytes && Buffer.from(bytes).toString('utf8');
      if (text === undefined || readObject(text) === undefined) throw notFound('workflow', id);
      return `{"id":${JSON.stringify(id)},"version":${version},"workflow_json":${text}}`;
    },

    /** Former contents, newest first. */
    async versions(userId: string, id: string): Promise<SavedWorkflowVersions> {
      const { path } = await find(userId, id);
      const rows = await repo.listVersions(db, userId, path);
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
        if (description !== undefined) await repo.putDescription(tx, { user_id: userId, path, description });
      });
      return await get(userId, next);
    },

    /** A workflow whose name is taken gets a number. */
    async save(
      userId: string,
      { name, description, text }: WorkflowChange & { name: string; text: string },
    ): Promise<SavedWorkflow> {
      const stem = nameOf(name);
      const content = Buffer.from(text);
      for (let number = 0; ; number += 1) {
        const path = `${FOLDER}/${number === 0 ? stem : `${stem} (${number})`}${EXTENSION}`;
        try {
          const id = await withTransaction(db, async (tx) => {
            const file = await userData.write(userId, path, content, { overwrite: false, tx });
            if (description) await repo.putDescription(tx, { user_id: userId, path: file.path, description });
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

    /** The id of the share, for others on this server. A workflow that is shared already keeps its id. */
    async share(userId: string, id: string): Promise<string> {
      const { path } = await find(userId, id);
      const share = { id: randomToken(SHARE_ID_BYTES), user_id: userId, path, created_at: clock() };
      return await repo.insertShare(db, share);
    },

    async unshare(userId: string, id: string): Promise<void> {
      const { path } = await find(userId, id);
      await repo.deleteShare(db, userId, path);
    },

    /** The current workflow and its owner, as JSON text. */
    async readShared(shareId: string): Promise<string> {
      const share = await repo.findShare(db, shareId);
      if (!share) throw notFound('workflow', shareId);
      const { path, content, modified_at: at } = await userData.read(share.user_id, share.path);
      const text = Buffer.from(content).toString('utf8');
      if (readObject(text) === undefined) throw notFound('workflow', shareId);
      const [owner] = await findPeople([share.user_id]);
      const name = nameOf(path.slice(FOLDER.length + 1));
      const about = { name, owner_name: owner?.name ?? '', updated_at: toIso(at) };
      return `${JSON.stringify(about).slice(0, -1)},"workflow_json":${text}}`;
    },
  };
}

/** The object that a text represents; `undefined` for any other text. */
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

/** A missing file is a missing workflow. */
function asWorkflow(id: string) {
  return (error: unknown): never => {
    throw isMissing(error) ? notFound('workflow', id) : error;
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof AppError && error.code === 'resource.not_found';
}
