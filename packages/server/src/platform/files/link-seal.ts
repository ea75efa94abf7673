import { createHmac } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { constantTimeEqual } from '../constant-time-equal.ts';
import { AppError } from '../errors/app-error.ts';
import type { Secret } from '../secret.ts';

/** The parts of a link that protect its other parts. */
export interface Seal {
  /** Unix seconds. */
  readonly expires: string;
  readonly signature: string;
}

interface LinkSealOptions {
  readonly key: Secret<Uint8Array>;
  /** A link of one kind is not valid as another. */
  readonly purpose: string;
  readonly clock: Clock;
  readonly altered?: () => AppError;
  readonly expired?: () => AppError;
}

const MIN_KEY_BYTES = 32;

/** Signs links that are their own credential. */
export function createLinkSeal(options: LinkSealOptions) {
  const { key, purpose, clock, altered = invalidLink, expired = expiredLink } = options;
  if (key.reveal().byteLength < MIN_KEY_BYTES) throw new Error('The key that signs links is too short.');

  // JSON separates the parts, so that different links never give the same text.
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
    /** Returns how many milliseconds are left. Throws for an altered link and for an expired one. */
    verify(parts: readonly string[], { expires, signature }: Seal): number {
      // Compares texts, because base64 has several spellings of the same bytes.
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
