import { hash, verify } from '@node-rs/argon2';

import { createSemaphore } from '../../platform/semaphore.ts';

/** argon2id at the strength OWASP recommends as the minimum: 19 MiB, two passes. */
const STRENGTH = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Each takes 19 MiB and a core for some 20 ms, so sign-ins take turns. */
const turns = createSemaphore(4);

/** Checked for an unknown e-mail address, so that it takes as long as a known one. */
const NOBODY = await hash('nobody has this password', STRENGTH);

export async function hashPassword(password: string): Promise<string> {
  const done = await turns.acquire();
  try {
    return await hash(password, STRENGTH);
  } finally {
    done();
  }
}

/** False for a wrong password and for an account that has none; both take the same time. */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const done = await turns.acquire();
  try {
    const matches = await verify(passwordHash ?? NOBODY, password);
    return matches && passwordHash !== null;
  } finally {
    done();
  }
}
