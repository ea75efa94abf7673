export * from './accounts.ts';
export * from './administration.ts';
export * from './assets.ts';
export * from './cloud-jobs.ts';
export * from './error-bodies.ts';
export { ERROR_CODES, type ErrorCode } from './error-codes.ts';
export { oneOf, optional } from './fields.ts';
export * from './host.ts';
export type * from './job-messages.ts';
export * from './job-timeline.ts';
export * from './plans.ts';
export type * from './prompt-errors.ts';
export * from './proxy.ts';
export * from './proxy-answers.ts';
export * from './proxy-words.ts';
export * from './registry.ts';
export {
  DEFAULT_PACK_MAX_MB,
  isNodeId,
  isOneLine,
  NODE_ID_HAS,
  ONE_LINE_IS,
} from './registry-fields.ts';
export * from './registry-publishers.ts';
export * from './scopes.ts';
export * from './storage.ts';
export * from './v2.ts';
export * from './vendors.ts';
export * from './webhooks.ts';
export * from './worker-messages.ts';
export * from './worker-protocol.ts';
export * from './workers.ts';
