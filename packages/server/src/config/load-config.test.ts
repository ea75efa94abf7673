import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';

import { Ajv } from 'ajv';

import { ConfigError, loadConfig, unknownSettings } from './load-config.ts';
import { Settings } from './settings.ts';

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
  return [];
}

describe('settings', () => {
  it('have a default for everything, so that nothing needs to be set', () => {
    const config = loadConfig({});
    assert.equal(config.http.port, 8080);
    assert.equal(config.http.host, '127.0.0.1');
    assert.equal(config.database.url, undefined);
    assert.match(config.dataFolder, /data$/);
  });

  it('have rules that are JSON schemas', () => {
    const ajv = new Ajv();
    assert.ok(ajv.validateSchema(Settings), ajv.errorsText());
  });

  it('may be left out where they have no default', () => {
    const required = new Set<string>(Settings.required);
    for (const [name, setting] of Object.entries(Settings.properties)) {
      assert.equal(required.has(name), 'default' in setting, name);
    }
  });

  it('[FIL-34] report incomplete and contradictory S3 settings all at once', () => {
    assert.deepEqual(
      problemsOf({
        ATELIER_S3_ACCESS_KEY_ID: 'AKIA',
        ATELIER_S3_ENDPOINT: 's3.example.com',
        ATELIER_S3_PREFIX: '/up',
        ATELIER_S3_PATH_STYLE: 'maybe',
      }),
      [
        'ATELIER_S3_ENDPOINT must be a URL such as https://s3.example.com, without a path, not "s3.example.com".',
        'ATELIER_S3_PREFIX must be letters, digits, dots, hyphens and slashes, with a slash at the end and none at the start, not "/up".',
        'ATELIER_S3_PATH_STYLE must be on or off, not "maybe".',
        'ATELIER_S3_BUCKET must be set too, because ATELIER_S3_ENDPOINT, ATELIER_S3_ACCESS_KEY_ID, ATELIER_S3_PREFIX, ATELIER_S3_PATH_STYLE are.',
        'ATELIER_S3_SECRET_ACCESS_KEY must be set too, because ATELIER_S3_ACCESS_KEY_ID is.',
      ],
    );
    assert.deepEqual(problemsOf({ ATELIER_S3_BUCKET: 'b-1' }), [
      'ATELIER_S3_REGION must be set too, because ATELIER_S3_BUCKET is and ATELIER_S3_ENDPOINT is not.',
    ]);
    const { s3 } = loadConfig({ ATELIER_S3_BUCKET: 'b-1', ATELIER_S3_REGION: 'eu-central-1' });
    assert.deepEqual(
      { ...s3 },
      {
        bucket: 'b-1',
        prefix: '',
        region: 'eu-central-1',
        endpoint: undefined,
        publicUrl: undefined,
        isPathStyle: false,
        keys: undefined,
      },
    );
  });

  it('count a blank value as not set', () => {
    assert.equal(loadConfig({ ATELIER_PORT: ' ', ATELIER_DATABASE_URL: '' }).http.port, 8080);
  });

  it('report every mistake at once, by variable name', () => {
    const problems = problemsOf({
      ATELIER_PORT: '70000',
      ATELIER_LOG_LEVEL: 'loud',
      ATELIER_DATABASE_URL: 'mysql://root:hunter2@db/x',
      ATELIER_PUBLIC_URL: 'atelier.example.com',
      ATELIER_OUTBOUND_ALLOW: '10.0.0.0/99',
      ATELIER_TRUST_PROXY: 'not-an-address',
      ATELIER_OIDC_ISSUER: 'https://issuer.example.com',
    });
    const named = problems.map((problem) => /ATELIER_\w+/.exec(problem)?.[0]).toSorted();
    assert.deepEqual(named, [
      'ATELIER_DATABASE_URL',
      'ATELIER_LOG_LEVEL',
      'ATELIER_OIDC_AUDIENCE',
      'ATELIER_OIDC_JWKS_URL',
      'ATELIER_OUTBOUND_ALLOW',
      'ATELIER_PORT',
      'ATELIER_PUBLIC_URL',
      'ATELIER_TRUST_PROXY',
    ]);
  });

  for (const port of ['-1', '65536', '80.5', 'http', '0x50', '1e3', '+5']) {
    it(`refuse the port "${port}"`, () => {
      assert.deepEqual(problemsOf({ ATELIER_PORT: port }), [
        `ATELIER_PORT must be a whole number from 0 to 65535, not "${port}".`,
      ]);
    });
  }

  it('never print a secret, neither in a mistake nor when the settings are shown', () => {
    assert.doesNotMatch(problemsOf({ ATELIER_DATABASE_URL: 'mysql://root:hunter2@db/x' }).join(), /hunter2/);
    const config = loadConfig({ ATELIER_DATABASE_URL: 'postgres://root:hunter2@db/x' });
    assert.doesNotMatch(`${inspect(config, { depth: 9 })}${JSON.stringify(config)}`, /hunter2/);
    assert.equal(config.database.url?.reveal(), 'postgres://root:hunter2@db/x');
  });

  it('tell which names look like settings but are not', () => {
    assert.deepEqual(unknownSettings({ ATELIER_PROT: '1', ATELIER_PORT: '1', PATH: '' }), ['ATELIER_PROT']);
  });
});
