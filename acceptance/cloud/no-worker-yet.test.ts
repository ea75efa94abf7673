import assert from 'node:assert/strict';
import { test } from 'node:test';

import { newSubmitter } from '../support/cloud.ts';
import { onAnyEngine } from '../support/servers.ts';

onAnyEngine(
  'a new server without a worker',
  (server) => {
    test('says how to connect one where node types are needed, and answers everything else', async () => {
      const { api } = await newSubmitter(server.current);
      const answer = await api.get('/api/object_info');
      assert.equal(answer.status, 503);
      assert.match(JSON.stringify(answer.body), /No worker is connected yet.*npm run worker/);
      for (const path of ['/api/jobs', '/api/queue', '/api/history', '/api/assets', '/health'])
        assert.equal((await api.get(path)).status, 200, path);
    });
  },
  { environment: { ATELIER_RUNNERS: '0' } },
);
