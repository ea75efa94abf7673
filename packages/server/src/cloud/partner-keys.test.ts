import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';

import { Secret } from '../platform/secret.ts';
import { createPartnerKeys } from './partner-keys.ts';

const KEY = 'atelier_secret_of_ada';

describe('a sealed partner key', () => {
  const keys = createPartnerKeys(new Secret(new Uint8Array(randomBytes(32))));

  it('opens for its own job and for no other', () => {
    const sealed = keys.seal('job-1', KEY);
    assert.equal(keys.open('job-1', sealed), KEY);
    assert.throws(() => keys.open('job-2', sealed));
  });

  it('reveals nothing of the key, and is different each time', () => {
    const [first, second] = [keys.seal('job-1', KEY), keys.seal('job-1', KEY)];
    assert.equal(Buffer.from(first).includes('secret'), false);
    assert.notDeepEqual(first, second);
  });

  it('does not open with another secret or when a bit has changed', () => {
    const sealed = Buffer.from(keys.seal('job-1', KEY));
    const others = createPartnerKeys(new Secret(new Uint8Array(randomBytes(32))));
    assert.throws(() => others.open('job-1', sealed));
    sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
    assert.throws(() => keys.open('job-1', sealed));
  });
});
