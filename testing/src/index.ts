export { freePort } from './free-port.ts';
export { isLongRun, isShortRun, LONG_RUN_VARIABLE, longTest } from './long-run.ts';
export { startNats } from './nats/start-nats.ts';
export { type ScriptedNats, startScriptedNats } from './nats/start-scripted-nats.ts';
export { PATIENCE_MS } from './patience.ts';
export {
  createPostgresDatabase,
  type PostgresReplica,
  postgresEnvironment,
  type RunningPostgres,
  runOn,
  startPostgres,
  startReplica,
  type TestDatabase,
} from './postgres.ts';
export { ADMIN_PROGRAM, ENTRY, programEnvironment, SERVER_PROGRAM } from './programs.ts';
export { type S3Fault, type S3Options, startS3, type TestS3 } from './s3/start-s3.ts';
export { type RunningSeaweedFs, startSeaweedFs } from './s3/start-seaweedfs.ts';
export { type ScriptedComfyUi, type ScriptedPrompt, startScriptedComfyUi } from './scripted-comfyui.ts';
export {
  type ScriptedAnswer,
  type ScriptedVendor,
  startScriptedVendor,
  type VendorRequest,
} from './scripted-vendor.ts';
export {
  type Bootstrap,
  ENGINES,
  type Engine,
  type RunningServer,
  shareFiles,
  spawnServer,
  startServer,
} from './start-server.ts';
export { clonePostgresTemplate, cloneSqliteTemplate, templateEnvironment } from './templates.ts';
export { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts';
