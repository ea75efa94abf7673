export type { Admin, AuditEntry, AuditFilter } from './admin.ts';
export type { AdminJob, AdminJobFilter } from './admin-jobs.ts';
export type { AdminVersionFilter } from './admin-registry.ts';
export type { AssetFilter, AssetListOptions, AssetUploadOptions, TagFilter } from './assets.ts';
export { type Atelier, type AtelierOptions, createAtelier } from './create-atelier.ts';
export { ERROR_CODES, type ErrorCode } from './error-codes.ts';
export {
  AtelierError,
  type AtelierErrorOptions,
  type ClientErrorCode,
  ConnectionError,
  JobCancelledError,
  JobFailedError,
  SignInError,
  TaskFailedError,
  TimeoutError,
  WebhookError,
  WorkflowInputError,
  WorkflowRefusedError,
} from './errors.ts';
export { type FileInput, file, isLocalFile, type LocalFile } from './files/file-input.ts';
export type { FileReference, ShareOptions, UploadOptions, ViewOptions } from './files/files.ts';
export type { SaveOptions, TransferOptions, TransferProgress } from './files/progress.ts';
export type { RemoteFile } from './files/remote-file.ts';
export { safeFileName } from './files/safe-file-name.ts';
export type { CreateTaskOptions, Picture, TaskFilter, WithFiles } from './generation.ts';
export type { GenerationField } from './generation-field.ts';
export { GENERATION_FIELDS, SKIN_MODES } from './generation-fields.ts';
export { type GenerationPrice, priceOf, type VideoChoice } from './generation-price.ts';
export type {
  GenerationTask,
  TaskKind,
  TaskResult,
  TaskResultOptions,
  TaskStatus,
} from './generation-task.ts';
export type { HistoryEntry } from './history.ts';
export type { Cursor, List, ListPage } from './http/list.ts';
export type { CallOptions } from './http/transport.ts';
export type { EventsOptions, JobEvent } from './jobs/job-events.ts';
export type { JobHandle, JobResult, ResultOptions, SubmittedJobHandle } from './jobs/job-handle.ts';
export type { JobOutput } from './jobs/job-outputs.ts';
export { createProgressTracker, type JobProgress } from './jobs/job-progress.ts';
export type { JobFilter, JobOptions, SubmitOptions } from './jobs/jobs.ts';
export type { JobsEvent, WatchJobsOptions } from './jobs/watch-jobs.ts';
export type { IssuedKey, KeyRequest } from './oauth.ts';
export type { QueueEntry } from './queue.ts';
export type { PackFilter, PackListOptions, PackNodeFilter, PackSearchOptions } from './registry/packs.ts';
export {
  type CheckReport,
  checkReportOf,
  type PublishedVersion,
  type PublishOptions,
} from './registry/publish.ts';
export type { Registry } from './registry/registry.ts';
export type { VersionFilter } from './registry/versions.ts';
export type { SaveUserFileOptions } from './user-data.ts';
export { type VerifyOptions, verifyWebhook, type WebhookMessage } from './verify-webhook.ts';
export type { DeliveryFilter } from './webhooks.ts';
export type * from './wire.ts';
export type { NodeType, NodeTypes } from './workflow/editor-widgets.ts';
export { toExactJson } from './workflow/exact-json.ts';
export {
  type LoadOptions,
  loadWorkflow,
  type Workflow,
  type WorkflowJson,
  type WorkflowValue,
} from './workflow/load-workflow.ts';
export type { ExampleWorkflow, SavedWorkflowFilter } from './workflows.ts';
