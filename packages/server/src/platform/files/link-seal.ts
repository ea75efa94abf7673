import { createHmac } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { constantTimeEqual } from '../constant-time-equal.ts';
import { AppError } from '../errors/app-error.ts';
import type { Secret } from '../secret.ts';

/** What a link carries beside the parts it stands for. */
export interface Seal {
  /** Unix seconds. */
  readonly expires: string;
  readonly signature: string;
}

export interface LinkSealOptions {
  readonly key: Secret<Uint8Array>;
  /** Keeps the links of one kind from passing for another's. */
  readonly purpose: string;
  readonly clock: Clock;
  readonly altered?: () => AppError;
  readonly expired?: () => AppError;
}

const MIN_KEY_BYTES = 32;

/** The signature of links that are their own credential, under whatever address. */
export function createLinkSeal(options: LinkSealOptions) {
  const { key, purpose, clock, altered = invalidLink, expired = expiredLink } = options;
  if (key.reveal().byteLength < MIN_KEY_BYTES) throw new Error('The key that signs links is too short.');

  // JSON keeps the parts apart: no two different links give the same text.
  const signatureOf = (parts: readonly string[], expires: string, by = key): string =>
    createHmac('sha256', by.reveal())
      .update(JSON.stringify([purpose, ...parts, expires]))
      .digest('base64url');

  const keys = () => (key.old && clock() < key.old.until ? [key, key.old.secret] : [key]);

  return {
    sign(parts: readonly string[], expiresAt: number): Seal {
      const expires = String(Math.ceil(expiresAt / 1000));
      if (!/^\d{1,12}$/.test(expires)) throw new RangeError('A link expires at a time in milliseconds.');
      return { expires, signature: signatureOf(parts, expires) };
    },
    /** Milliseconds that the link still lives. Throws for one that is not ours to the letter, and for an old one. */
    verify(parts: readonly string[], { expires, signature }: Seal): number {
      // The text and not the decoded bytes: base64 has several spellings for the same bytes.
      const isOurs = keys().some((by) => constantTimeEqual(signatureOf(parts, expires, by), signature));
      if (!isOurs) throw altered();
      const leftMs = Number(expires) * 1000 - clock();
      if (leftMs <= 0) throw expired();
      return leftMs;
    },
  };
}

export function invalidLink(): AppError {
  return new AppError('file.link_invalid', 'This link was altered or is not complete. Ask for a new one.');
}

export function expiredLink(): AppError {
  return new AppError('file.link_expired', 'This link has expired. Ask for a new one.');
}
