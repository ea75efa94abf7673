// Made from packages/contracts by `npm run generate`. Change it there.

interface ErrorSpec {
  readonly status: number;
  /** The same request may succeed later without being changed. */
  readonly retryable: boolean;
}

/**
 * Every failure a caller can see. A code is API: add freely, never rename or reuse.
 * docs/errors.md has one section per code; error-codes.test.ts fails when the two drift apart.
 */
export const ERROR_CODES = {
  'request.invalid': { status: 400, retryable: false },
  'request.malformed': { status: 400, retryable: false },
  'request.method': { status: 405, retryable: false },
  'request.timeout': { status: 408, retryable: true },
  'request.too_large': { status: 413, retryable: false },
  'request.media_type': { status: 415, retryable: false },
  'request.range': { status: 416, retryable: false },
  'request.expectation': { status: 417, retryable: false },
  'request.headers_too_large': { status: 431, retryable: false },
  'route.unknown': { status: 404, retryable: false },
  'resource.not_found': { status: 404, retryable: false },
  'resource.precondition': { status: 412, retryable: false },
  'auth.required': { status: 401, retryable: false },
  'auth.invalid': { status: 401, retryable: false },
  'auth.wrong_password': { status: 401, retryable: false },
  'auth.issuer_unreachable': { status: 503, retryable: true },
  'auth.banned': { status: 403, retryable: false },
  'auth.forbidden': { status: 403, retryable: false },
  'auth.origin': { status: 403, retryable: false },
  'auth.scope': { status: 403, retryable: false },
  'auth.sign_in_ended': { status: 400, retryable: false },
  'auth.sign_in_refused': { status: 403, retryable: false },
  'auth.too_many_failures': { status: 429, retryable: true },
  'auth.too_many_sign_ins': { status: 429, retryable: true },
  'account.email_taken': { status: 409, retryable: false },
  'account.key_limit': { status: 409, retryable: false },
  'account.last_admin': { status: 409, retryable: false },
  'credits.insufficient': { status: 402, retryable: false },
  'credits.limit': { status: 409, retryable: false },
  'file.link_invalid': { status: 403, retryable: false },
  'file.link_expired': { status: 403, retryable: false },
  'file.too_large': { status: 413, retryable: false },
  'file.corrupt': { status: 500, retryable: false },
  'registry.banned': { status: 403, retryable: false },
  'registry.publisher_exists': { status: 400, retryable: false },
  'registry.publisher_limit': { status: 403, retryable: false },
  'registry.publisher_in_use': { status: 409, retryable: false },
  'registry.member_unknown': { status: 404, retryable: false },
  'registry.member_exists': { status: 409, retryable: false },
  'registry.last_owner': { status: 409, retryable: false },
  'registry.token_invalid': { status: 400, retryable: false },
  'registry.node_exists': { status: 400, retryable: false },
  'registry.node_taken': { status: 409, retryable: false },
  'registry.version_exists': { status: 400, retryable: false },
  'registry.version_state': { status: 409, retryable: false },
  'registry.upload_link': { status: 403, retryable: false },
  'storage.already_uploaded': { status: 409, retryable: false },
  'storage.limit': { status: 429, retryable: true },
  'cloud.subscription_required': { status: 402, retryable: false },
  'cloud.partner_key': { status: 403, retryable: false },
  'cloud.storage_full': { status: 403, retryable: false },
  'cloud.job_exists': { status: 409, retryable: false },
  'cloud.key_reused': { status: 409, retryable: false },
  'cloud.file_exists': { status: 409, retryable: false },
  'cloud.queue_limit': { status: 429, retryable: true },
  'cloud.node_types_loading': { status: 503, retryable: true },
  'cloud.too_many_streams': { status: 429, retryable: true },
  'cloud.worker_protocol': { status: 426, retryable: false },
  'proxy.too_many_tasks': { status: 429, retryable: true },
  'proxy.key_reused': { status: 409, retryable: false },
  'proxy.prompt_not_understood': { status: 400, retryable: false },
  'webhooks.limit': { status: 429, retryable: true },
  'server.database': { status: 503, retryable: true },
  'server.file_store': { status: 503, retryable: true },
  'server.disk_full': { status: 507, retryable: true },
  internal: { status: 500, retryable: true },
} as const satisfies Record<string, ErrorSpec>;

export type ErrorCode = keyof typeof ERROR_CODES;
