import { isOneLine, SCOPES, type Scope } from '@atelier/contracts';
import type { FastifyReply } from 'fastify';

interface Client {
  readonly name: string;
  /** `tokens` that end and can do everything, or an API `key` with a name and scopes, which is listed and can be revoked. */
  readonly issues: 'tokens' | 'key';
}

const CLIENTS: Readonly<Record<string, Client>> = {
  'comfy-cli': { name: 'Comfy CLI', issues: 'tokens' },
  'atelier-cli': { name: 'Atelier command line', issues: 'key' },
};

const DEFAULT_SCOPES = SCOPES.filter((scope) => scope !== 'admin');
/** With the longest name of a client it still fits into the name of a key. */
const MAX_DEVICE_NAME = 64;

export interface KeyRequest {
  readonly scopes: readonly Scope[];
  /** The name that the program gives its machine. */
  readonly deviceName: string | undefined;
}

export function findClient(id: string): Client | undefined {
  return Object.hasOwn(CLIENTS, id) ? CLIENTS[id] : undefined;
}

export function keyNameOf(clientId: string, deviceName: string | undefined): string {
  const name = findClient(clientId)?.name ?? clientId;
  return deviceName === undefined ? name : `${name} on ${deviceName}`;
}

/** What a client asks for, or the error that RFC 6749 has for it. */
export function readKeyRequest(sent: {
  readonly scope?: string | undefined;
  readonly device_name?: string | undefined;
}): KeyRequest | { readonly problem: 'invalid_scope' | 'invalid_request' } {
  const words = new Set(sent.scope?.split(' '));
  words.delete('');
  const asked = SCOPES.filter((scope) => words.has(scope));
  if (asked.length < words.size) return { problem: 'invalid_scope' };
  const deviceName = sent.device_name?.trim() || undefined;
  const isLong = Array.from(deviceName ?? '').length > MAX_DEVICE_NAME;
  if (deviceName !== undefined && (isLong || !isOneLine(deviceName))) return { problem: 'invalid_request' };
  return { scopes: asked.length > 0 ? asked : DEFAULT_SCOPES, deviceName };
}

export const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** What each error of RFC 6749 and RFC 8628 means for the person at the program. */
const ERROR_DESCRIPTIONS = {
  invalid_client: 'The client is not known.',
  unauthorized_client: 'This client does not sign in that way.',
  unsupported_grant_type: `grant_type is authorization_code, refresh_token or ${DEVICE_CODE_GRANT}.`,
  invalid_grant: 'The code or refresh token is wrong, used or expired. Sign in again.',
  authorization_pending: 'Nobody has allowed or denied it yet. Ask again.',
  slow_down: 'Ask less often: wait five seconds longer from now on.',
  access_denied: 'It was denied.',
  expired_token: 'The code has expired. Sign in again.',
  invalid_scope: `scope has words that are not known here. Known are: ${SCOPES.join(', ')}.`,
  invalid_request: `device_name is one line of at most ${MAX_DEVICE_NAME} characters.`,
} as const;

export type OAuthProblem = keyof typeof ERROR_DESCRIPTIONS;

export async function refuse(reply: FastifyReply, error: OAuthProblem) {
  const message = ERROR_DESCRIPTIONS[error];
  return await reply.code(400).send({ error, error_description: message, message });
}
