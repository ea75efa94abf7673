import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { temporaryFolder } from '@atelier/testing';

import { runToEnd } from '../support/run-to-end.ts';

type Settings = Readonly<Record<string, string>>;

/** Each set is wrong in every variable it has. */
const WRONG: Readonly<Record<string, Settings>> = {
  'words where numbers are due': {
    ATELIER_PORT: 'http',
    ATELIER_DATABASE_POOL: 'many',
    ATELIER_STOP_SECONDS: '10s',
    ATELIER_TOKEN_MINUTES: 'an hour',
    ATELIER_SESSION_HOURS: 'seven',
    ATELIER_SIGNING_KEY_DAYS: '1.5',
    ATELIER_LOG_LEVEL: 'verbose',
    ATELIER_DATABASE_URL: 'mysql://ada:hunter2@127.0.0.1/atelier',
    ATELIER_PUBLIC_URL: 'atelier.example.com',
    ATELIER_COMFYUI_URLS: '127.0.0.1:8188',
    ATELIER_TRUST_PROXY: 'everybody',
    ATELIER_OUTBOUND_ALLOW: '10.0.0.0/99',
    ATELIER_OIDC_ISSUER: 'issuer',
    ATELIER_OIDC_JWKS_URL: 'keys',
  },
  'numbers out of bounds': {
    ATELIER_PORT: '65536',
    ATELIER_DATABASE_POOL: '1',
    ATELIER_STOP_SECONDS: '0',
    ATELIER_COMFYUI_URLS: 'http://127.0.0.1:99999',
    ATELIER_TOKEN_MINUTES: '-5',
    ATELIER_SESSION_HOURS: '100000',
    ATELIER_SIGNING_KEY_DAYS: '0',
    ATELIER_LOG_LEVEL: 'INFO',
    ATELIER_DATABASE_URL: 'hunter2',
    ATELIER_PUBLIC_URL: 'https://atelier.example.com/some/path',
    ATELIER_TRUST_PROXY: '127.0.0.1, 10.0.0.0/33',
    ATELIER_OIDC_ISSUER: '',
    ATELIER_OIDC_JWKS_URL: '',
  },
  'addresses that are none': {
    ATELIER_PUBLIC_URL: 'https://[atelier',
    ATELIER_COMFYUI_URLS: 'http://ada:hunter2@127.0.0.1:8188',
    ATELIER_DATABASE_URL: 'postgres://ada:hunter2@[/atelier',
    ATELIER_OIDC_ISSUER: 'issuer.example',
    ATELIER_OIDC_AUDIENCE: '',
    ATELIER_OIDC_JWKS_URL: 'http://[::1/keys',
  },
  'addresses that are given twice': {
    ATELIER_COMFYUI_URLS: 'http://127.0.0.1:8188, http://127.0.0.1:8188/',
    ATELIER_OIDC_ISSUER: '',
    ATELIER_OIDC_JWKS_URL: '',
  },
};

describe('wrong settings', { concurrency: 2 }, () => {
  for (const [what, wrong] of Object.entries(WRONG)) {
    test(`are all named at once, and nothing is done: ${what}`, async () => {
      await using folder = await temporaryFolder();
      const { code, stdout, stderr } = await runToEnd({
        settings: {
          ATELIER_DATA_DIR: folder.path,
          // One of three that belong together: the other two are missed by name.
          ATELIER_OIDC_AUDIENCE: 'atelier',
          ...wrong,
        },
      });
      for (const name of Object.keys(wrong)) assert.match(stderr, new RegExp(`^ +${name}\\b`, 'm'), name);
      assert.equal(stderr.trimEnd().split('\n').length, 1 + Object.keys(wrong).length, stderr);
      assert.doesNotMatch(stderr, /hunter2/);
      assert.doesNotMatch(stderr, /\n\s+at |node:internal/);
      assert.equal(stdout, '');
      assert.equal(code, 2);
      assert.deepEqual(await readdir(folder.path), []);
    });
  }
});
