import { hash } from 'node:crypto';

/** Keys and session tokens are random, so a plain hash protects them and can be looked up by index. */
export function hashCredential(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
