import type { ChoiceFiles, NodeCatalogue } from '@atelier/engine';

import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/db/database.ts';
import type { App } from '../platform/http/route-config.ts';
import { createExamples } from './examples.ts';
import { createExportUser } from './export-user.ts';
import { type FolderFilesParts, folderFilesRoutes } from './folder-files.routes.ts';
import { type ModelFiles, modelsRoutes } from './models.routes.ts';
import { nodeTypesRoutes } from './node-types.routes.ts';
import { settingsRoutes } from './settings.routes.ts';
import { createSettingsService } from './settings.service.ts';
import { sharedWorkflowsRoutes } from './shared-workflows.routes.ts';
import { stubResponsesRoutes } from './stub-responses.routes.ts';
import { type SystemParts, systemRoutes } from './system.routes.ts';
import { templatesRoutes } from './templates.routes.ts';
import { userDataRoutes } from './user-data.routes.ts';
import { createUserDataService } from './user-data.service.ts';
import { usersRoutes } from './users.routes.ts';
import { createWorkflowSharesService, type WorkflowSharesParts } from './workflow-shares.service.ts';
import { workflowsRoutes } from './workflows.routes.ts';
import { createWorkflowsService } from './workflows.service.ts';

interface Parts extends FolderFilesParts, SystemParts, Pick<WorkflowSharesParts, 'findPeople'> {
  readonly db: Db;
  readonly clock: Clock;
  readonly nodeTypes: () => Promise<NodeCatalogue>;
  readonly models: () => ModelFiles;
  /** What a user can choose from. */
  readonly filesOf: (userId: string) => ChoiceFiles;
  /** By the names of workflows: the output that stands for the last job of each, as JSON. */
  readonly lastOutputs: (userId: string, names: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Of one file that an editor keeps for a user. */
  readonly maxUserDataBytes: number;
  /** Of the example workflows. */
  readonly examplesFolder: string;
}

/** What the host application has and its frontend asks for, beyond jobs and files. */
export function createHost(parts: Parts) {
  const { db, clock, nodeTypes, models, filesOf, maxUserDataBytes: maxBytes } = parts;
  const settings = createSettingsService({ db, clock });
  const userData = createUserDataService({ db, clock });
  return {
    exportUser: createExportUser(db),
    async routes(app: App): Promise<void> {
      await usersRoutes(app);
      await settingsRoutes({ settings })(app);
      await userDataRoutes({ userData, maxBytes })(app);
      const workflows = createWorkflowsService({ db, userData, lastOutputs: parts.lastOutputs });
      await workflowsRoutes({ workflows, maxBytes })(app);
      const shares = createWorkflowSharesService({ db, clock, userData, findPeople: parts.findPeople });
      await sharedWorkflowsRoutes({ shares })(app);
      await nodeTypesRoutes({ nodeTypes, filesOf })(app);
      await modelsRoutes({ models })(app);
      await systemRoutes(parts)(app);
      await folderFilesRoutes(parts)(app);
      await templatesRoutes({ examples: createExamples(parts.examplesFolder) })(app);
      await stubResponsesRoutes(app);
    },
  };
}
