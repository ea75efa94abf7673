export * from './accounts.ts';
export * from './error-bodies.ts';
export { ERROR_CODES, type ErrorCode } from './error-codes.ts';
export * from './registry.ts';
