import assert from 'node:assert/strict';
import { it } from 'node:test';

import { toUploadLimits } from './upload-limits.ts';

const MB = 1024 * 1024;

it('ATELIER_UPLOAD_MAX_MB limits every file, and never raises a limit of the specification', () => {
  const small = toUploadLimits({ ATELIER_UPLOAD_MAX_MB: 3, ATELIER_PACK_MAX_MB: 100 });
  const { maxUploadBytes, maxInputBytes, maxUserDataBytes, maxArchiveBytes } = small;
  assert.deepEqual(
    [maxUploadBytes, maxInputBytes, maxUserDataBytes, maxArchiveBytes],
    Array.from({ length: 4 }, () => 3 * MB),
  );
  const large = toUploadLimits({ ATELIER_UPLOAD_MAX_MB: 2000, ATELIER_PACK_MAX_MB: 20 });
  assert.deepEqual(large, {
    maxUploadBytes: 2000 * MB,
    maxInputBytes: 50 * MB,
    maxFormBytes: 64 * MB,
    maxTaskBodyBytes: 72 * MB,
    maxUserDataBytes: 10 * MB,
    maxArchiveBytes: 20 * MB,
  });
});
