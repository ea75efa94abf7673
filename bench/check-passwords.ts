import { verify } from '@node-rs/argon2';

import { hashPassword } from '../packages/server/src/accounts/passwords.ts';
import { answer, inputOf } from './in-process.ts';
import { toSample } from './sample.ts';

/** As many as the server checks at once. */
const AT_ONCE = 4;
const PASSWORD = 'a password like any other';

const { seconds } = await inputOf<{ readonly seconds: number }>();
// The hash says how strong it is, so the check costs what the server's does.
const passwordHash = await hashPassword(PASSWORD);
const times: number[] = [];
const start = performance.now();

async function checkUntilTheEnd(): Promise<void> {
  for (let now = start; now < start + seconds * 1000; ) {
    await verify(passwordHash, PASSWORD);
    const checkedAt = performance.now();
    times.push(checkedAt - now);
    now = checkedAt;
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, checkUntilTheEnd));
answer(toSample(times, performance.now() - start));
