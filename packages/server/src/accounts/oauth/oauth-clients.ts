import { isOneLine, SCOPES, type Scope } from '@atelier/contracts';

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
/** Together with the longest name of a client it fits into the name of a key. */
const MAX_DEVICE_NAME = 64;

/** What an API key is asked for. */
export interface KeyRequest {
  readonly scopes: readonly Scope[];
  /** What the program says of the machine it runs on. */
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
  if (
    deviceName !== undefined &&
    (Array.from(deviceName).length > MAX_DEVICE_NAME || !isOneLine(deviceName))
  ) {
    return { problem: 'invalid_request' };
  }
  return { scopes: asked.length > 0 ? asked : DEFAULT_SCOPES, deviceName };
}

export const ERROR_DESCRIPTIONS = {
  invalid_scope: `scope has words that are not known here. Known are: ${SCOPES.join(', ')}.`,
  invalid_request: `device_name is one line of at most ${MAX_DEVICE_NAME} characters.`,
} as const;
