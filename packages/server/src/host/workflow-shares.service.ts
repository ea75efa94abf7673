import { type Clock, toIso } from '../platform/clock.ts';
import type { Db } from '../platform/db/database.ts';
import { notFound } from '../platform/errors/app-error.ts';
import { randomToken } from '../platform/ids.ts';
import type { UserDataService } from './user-data.service.ts';
import { deleteShare, findShare, insertShare } from './workflow-shares.repo.ts';
import { asWorkflow, FOLDER, nameOf, readObject } from './workflows.service.ts';

export interface WorkflowSharesParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly userData: UserDataService;
  readonly findPeople: (
    ids: readonly string[],
  ) => Promise<readonly { readonly id: string; readonly name: string }[]>;
}

/** Enough that nobody guesses one. */
const ID_BYTES = 24;

export type WorkflowSharesService = ReturnType<typeof createWorkflowSharesService>;

/** Saved workflows that others on this server may read. */
export function createWorkflowSharesService({ db, clock, userData, findPeople }: WorkflowSharesParts) {
  const find = async (userId: string, id: string) =>
    await userData.read(userId, `${FOLDER}/${id}`).catch(asWorkflow(id));
  return {
    /** Returns the id of the share. A workflow that is shared already keeps the one it has. */
    async share(userId: string, id: string): Promise<string> {
      const { path } = await find(userId, id);
      return await insertShare(db, {
        id: randomToken(ID_BYTES),
        user_id: userId,
        path,
        created_at: clock(),
      });
    },

    async unshare(userId: string, id: string): Promise<void> {
      const { path } = await find(userId, id);
      await deleteShare(db, userId, path);
    },

    /** The workflow as it is now and whose it is, as JSON text. */
    async read(shareId: string): Promise<string> {
      const share = await findShare(db, shareId);
      if (!share) throw notFound('workflow', shareId);
      const { path, content, modified_at: at } = await userData.read(share.user_id, share.path);
      const text = Buffer.from(content).toString('utf8');
      if (readObject(text) === undefined) throw notFound('workflow', shareId);
      const [owner] = await findPeople([share.user_id]);
      const about = {
        name: nameOf(path.slice(FOLDER.length + 1)),
        owner_name: owner?.name ?? '',
        updated_at: toIso(at),
      };
      return `${JSON.stringify(about).slice(0, -1)},"workflow_json":${text}}`;
    },
  };
}
