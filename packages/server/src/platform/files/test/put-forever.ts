import { randomBytes, randomInt } from 'node:crypto';

import { createLocalFileStore } from '../local-file-store.ts';

/** Puts random files without end and says when each is half read; with `stay` the third one stays there. */
const [folder = '', mode] = process.argv.slice(2);
const store = await createLocalFileStore({ folder, signer: { sign: () => '' } });

async function* content(number: number): AsyncGenerator<Uint8Array> {
  const chunks = randomInt(2, 12);
  for (let n = 0; n < chunks; n += 1) {
    yield randomBytes(randomInt(1, 300_000));
    if (n !== Math.floor(chunks / 2)) continue;
    process.stdout.write('half\n');
    if (mode === 'stay' && number === 3) await new Promise(() => setInterval(() => undefined, 60_000));
  }
}

for (let number = 1; ; number += 1) await store.put(content(number), { maxBytes: 10_000_000 });
