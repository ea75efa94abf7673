import type { App } from '../platform/http/route-config.ts';
import { createExamples } from './examples.ts';
import { createExportUser } from './export-user.ts';
import { type FolderFilesParts, folderFilesRoutes } from './folder-files.routes.ts';
import { type ModelFiles, modelsRoutes } from './models.routes.ts';
import { type NodeTypesParts, nodeTypesRoutes } from './node-types.routes.ts';
import { settingsRoutes } from './settings.routes.ts';
import { createSettingsService } from './settings.service.ts';
import { stubResponsesRoutes } from './stub-responses.routes.ts';
import { type SystemParts, systemRoutes } from './system.routes.ts';
import { templatesRoutes } from './templates.routes.ts';
import { userDataRoutes } from './user-data.routes.ts';
import { createUserDataService } from './user-data.service.ts';
import { usersRoutes } from './users.routes.ts';
import { workflowsRoutes } from './workflows.routes.ts';
import { createWorkflowsService, type WorkflowParts } from './workflows.service.ts';

interface Parts extends FolderFilesParts, NodeTypesParts, SystemParts, Omit<WorkflowParts, 'userData'> {
  readonly models: () => ModelFiles;
  /** Of one file that an editor keeps for a user. */
  readonly maxUserDataBytes: number;
  /** Of the example workflows. */
  readonly examplesFolder: string;
}

/** What the host application has and its frontend asks for, beyond jobs and files. */
export function createHost(parts: Parts) {
  const { db, clock, models, maxUserDataBytes: maxBytes } = parts;
  const settings = createSettingsService({ db, clock });
  const userData = createUserDataService({ db, clock });
  return {
    exportUser: createExportUser(db),
    async routes(app: App): Promise<void> {
      await usersRoutes(app);
      await settingsRoutes({ settings })(app);
      await userDataRoutes({ userData, maxBytes })(app);
      const workflows = createWorkflowsService({ ...parts, userData });
      await workflowsRoutes({ workflows, maxBytes })(app);
      await nodeTypesRoutes(parts)(app);
      await modelsRoutes({ models })(app);
      await systemRoutes(parts)(app);
      await folderFilesRoutes(parts)(app);
      await templatesRoutes({ examples: createExamples(parts.examplesFolder) })(app);
      await stubResponsesRoutes(app);
    },
  };
}
