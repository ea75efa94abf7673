export { type Arena, type ArenaOptions, createArena } from './arena.ts';
export {
  addMapped,
  createTextBuilder,
  MAX_TEXT_LENGTH,
} from './bounded-text.ts';
export { createResultCache, type Result, type ResultCache, type ShownOutput } from './cache/result-cache.ts';
export {
  catalogueOf,
  createCatalogue,
  mergeCatalogues,
  type NodeCatalogue,
  type PackInfo,
  type UnitedCatalogues,
  uniteCatalogues,
} from './catalogue.ts';
export { closestName, didYouMean } from './closest-name.ts';
export {
  DescriptionError,
  describeNodes,
  eachNodeDescription,
  readNodeDescriptions,
} from './declare/describe-nodes.ts';
export { flatInputs } from './declare/flat-inputs.ts';
export * from './declare/inputs.ts';
export type * from './declare/node-context.ts';
export type { CheckDescription, EngineCheck, NodeDescription } from './declare/node-description.ts';
export {
  type CheckContext,
  type CheckResult,
  type Constants,
  defineNode,
  definePack,
  type FullResult,
  type InputCheck,
  type NodeDeclaration,
  type NodePack,
  type NodeResult,
  type NodeType,
  type UiOutput,
} from './declare/node-type.ts';
export {
  type InputConfig,
  type NodeInfo,
  offersFiles,
  toNodeInfo,
  toObjectInfo,
} from './declare/object-info.ts';
export {
  type Blocker,
  block,
  isBlocker,
  listOutput,
  matchOutput,
  type Output,
  type OutputValues,
  output,
} from './declare/outputs.ts';
export { isUpload } from './declare/read-input-config.ts';
export { type ObjectInfoTypes, readObjectInfo } from './declare/read-object-info.ts';
export { isEditorWorkflow } from './editor-format/editor-graph.ts';
export { toApiFormat } from './editor-format/to-api-format.ts';
export { UnreadableWorkflow, type WorkflowProblem } from './editor-format/unreadable-workflow.ts';
export type { EngineEvent } from './engine-events.ts';
export { createOutputBounds, cutText, MAX_NODE_OUTPUT_BYTES } from './execute/bound-output.ts';
export type { RunOptions } from './execute/create-job-state.ts';
export { isDeviceError } from './execute/describe-failure.ts';
export type { Job, RunnerParts } from './execute/job-state.ts';
export { type Outcome, runGraph } from './execute/run-graph.ts';
export { assertShownInFolder, findBadName } from './execute/shown-files.ts';
export { untilAborted } from './execute/until-aborted.ts';
export { FILE_PATH_EXPECTS, MAX_NAME_BYTES, toFilePath } from './file-path.ts';
export {
  FileExists,
  type FileNames,
  type FileRef,
  type FolderName,
  type JobFiles,
  parseFileName,
} from './files.ts';
export { createFolderFiles, type FolderFiles, type Folders, type OpenFiles } from './folder-files.ts';
export { type Graph, type GraphNode, isLink, type Link } from './graph.ts';
export type { Memory } from './memory.ts';
export { Interrupted, LimitError, NodeError, valueError } from './node-error.ts';
export { orderedIds, parseJson, parsePrompt, parsePromptBody, type SubmittedPrompt } from './parse-prompt.ts';
export { exactNumber, toJson } from './python/exact-json.ts';
export { JsonDecodeError, parsePythonJson } from './python/parse-python-json.ts';
export { type PythonJsonOptions, pythonJson } from './python/python-json.ts';
export * from './python/python-number.ts';
export {
  dictEntries,
  type ObjectRepr,
  pythonAscii,
  pythonRepr,
  pythonStr,
  pythonTypeName,
} from './python/python-repr.ts';
export { InvalidWorkflow, type RunWorkflowOptions, runWorkflow } from './run-workflow.ts';
export type { CheckOptions } from './runner/check-in-process.ts';
export { childEnvironment } from './runner/child-environment.ts';
export { createRunner, type RunJobOptions, type Runner, type RunnerOptions } from './runner/create-runner.ts';
export { loadPacks, PackError, type PackSources } from './runner/load-packs.ts';
export type { RunnerJob } from './runner/runner-messages.ts';
export { answerCheck, type CheckQuestion } from './validate/answer-check.ts';
export { unknownInputs } from './validate/unknown-inputs.ts';
export { type ValidateParts, type Validation, validatePrompt } from './validate/validate-prompt.ts';
