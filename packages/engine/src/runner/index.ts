/** What a process needs that only supervises runners: a tenth of the engine. */
export type { EngineEvent } from '../engine-events.ts';
export { DEVICE_ERROR } from '../execute/describe-failure.ts';
export type { Outcome } from '../execute/run-graph.ts';
export type { Folders } from '../folder-files.ts';
export { parseJson, parsePlainPythonJson } from '../parse-prompt.ts';
export { toJson } from '../python/exact-json.ts';
export type { CheckQuestion } from '../validate/answer-check.ts';
export { createRunner, type Runner, type RunnerOptions } from './create-runner.ts';
