export * from './accounts.ts';
export * from './error-bodies.ts';
export { ERROR_CODES, type ErrorCode } from './error-codes.ts';
export type * from './job-messages.ts';
export type * from './prompt-errors.ts';
export * from './registry.ts';
export * from './storage.ts';
