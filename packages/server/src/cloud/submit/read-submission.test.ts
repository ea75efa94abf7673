import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';

import { readSubmission } from './read-submission.ts';
import { RefusedPrompt } from './refused-prompt.ts';
import { SubmissionBody } from './submission-body.ts';

const GRAPH = '{"2":{"class_type":"A","inputs":{}},"1":{"class_type":"B","inputs":{}}}';
const ID = '0190a1b2-0000-7000-8000-000000000001';

function read(members: Readonly<Record<string, unknown>> = {}) {
  const others = Object.entries(members).map(([name, value]) => `,"${name}":${JSON.stringify(value)}`);
  return readSubmission(`{"prompt":${GRAPH}${others.join('')}}`);
}

function refusal(work: () => unknown) {
  try {
    work();
  } catch (error) {
    if (error instanceof RefusedPrompt) return (JSON.parse(error.body) as { error: { type: string } }).error;
    throw error;
  }
  return assert.fail('it was not refused');
}

describe('a submission', () => {
  it('keeps the nodes in the order of the text', () => {
    assert.deepEqual(read().submitted.order, ['2', '1']);
  });

  it('keeps integers beyond 2^53 exact', () => {
    const { extraData } = readSubmission('{"prompt":{},"extra_data":{"seed":18446744073709551615}}');
    assert.equal(extraData['seed'], 18_446_744_073_709_551_615n);
  });

  for (const name of ['api_key_platform_org', 'api_key_comfy_org']) {
    it(`hands on ${name} apart from the data that is stored`, () => {
      const { extraData, partnerKey } = read({
        extra_data: { [name]: 'key', auth_token_comfy_org: 't', x: 1 },
      });
      assert.deepEqual([extraData, partnerKey], [{ x: 1 }, 'key']);
    });
  }

  it('removes credentials at any depth, and from the file of the editor', () => {
    const key = { api_key_comfy_org: 'key' };
    const { extraData } = read({
      extra_data: { extra_pnginfo: { workflow: { nodes: [{ x: 1, ...key }] } } },
    });
    assert.deepEqual(extraData, { extra_pnginfo: { workflow: { nodes: [{ x: 1 }] } } });
    const file = { nodes: [], links: [], extra: key, extra_data: key };
    const submission = readSubmission(JSON.stringify(file));
    assert.deepEqual(submission.submitted.prompt, { nodes: [], links: [], extra: {}, extra_data: {} });
    assert.equal(submission.partnerKey, 'key');
  });

  it('takes the id of the workflow from where the editor puts it', () => {
    const extra_data = { extra_pnginfo: { workflow: { id: 'w1' } } };
    assert.equal(read({ extra_data }).workflowId, 'w1');
    assert.equal(read({ extra_data, workflow_id: 'w2' }).workflowId, 'w2');
  });

  it('notifies a webhook of every end unless it asks for other events', () => {
    const webhook_url = 'https://example.com/hook';
    assert.deepEqual(read({ webhook_url }).webhook?.events, ['completed', 'failed', 'cancelled']);
    const asked = read({ webhook_url, webhook_events: ['in_progress', 'in_progress'] });
    assert.deepEqual(asked.webhook?.events, ['in_progress']);
  });

  it('may leave prompt_id out or null', () => {
    assert.equal(read().promptId, undefined);
    assert.equal(read({ prompt_id: null }).promptId, undefined);
    assert.equal(read({ prompt_id: ID }).promptId, ID);
  });

  const wrong: Readonly<Record<string, readonly [Record<string, unknown>, string]>> = {
    'a prompt_id that is not a UUID': [{ prompt_id: 'mine' }, 'invalid_prompt_id'],
    'a prompt_id in capitals': [{ prompt_id: ID.toUpperCase() }, 'invalid_prompt_id'],
    'a number for a prompt_id': [{ prompt_id: 5 }, 'invalid_prompt_id'],
    'a list of extra data': [{ extra_data: [] }, 'invalid_request'],
    'a number for a client_id': [{ client_id: 5 }, 'invalid_request'],
    'targets that are not ids': [{ partial_execution_targets: [5] }, 'invalid_request'],
    'a webhook_url that is none': [{ webhook_url: 'here' }, 'invalid_request'],
    'webhook_events without an address': [{ webhook_events: ['failed'] }, 'invalid_request'],
    'webhook_events that do not exist': [
      { webhook_url: 'https://example.com', webhook_events: ['finished'] },
      'invalid_request',
    ],
    'a key that is not text': [{ extra_data: { api_key_platform_org: 5 } }, 'invalid_request'],
  };
  for (const [what, [members, type]] of Object.entries(wrong)) {
    it(`is refused for ${what}`, () => assert.equal(refusal(() => read(members)).type, type));
  }

  it('is refused exactly where the API description says so', () => {
    const isShown = new Ajv({ strict: false }).compile(SubmissionBody);
    const webhook_url = 'https://example.com';
    // What a schema cannot say: the URL must be one, and events need it.
    const ownRules = new Set(['a webhook_url that is none', 'webhook_events without an address']);
    const refused = Object.entries(wrong).filter(([what]) => !ownRules.has(what));
    for (const [what, [members]] of refused) assert.equal(isShown({ prompt: {}, ...members }), false, what);
    const fields = ['prompt_id', 'client_id', 'workflow_id', 'extra_data', 'partial_execution_targets'];
    const taken = [
      {},
      Object.fromEntries([...fields, 'webhook_url', 'webhook_events'].map((name) => [name, null])),
      { prompt_id: ID, client_id: 'c', workflow_id: 'w', extra_data: { any: 1 }, number: 1.5, front: true },
      { partial_execution_targets: ['1'], webhook_url, webhook_events: ['failed'], unknown: [] },
    ];
    for (const members of taken) {
      assert.ok(read(members));
      assert.ok(isShown({ prompt: {}, ...members }), JSON.stringify(members));
    }
    assert.ok(isShown({ nodes: [], links: [] }));
    assert.equal(isShown({}), false);
  });

  for (const text of ['', '[]', '5', 'null', '"prompt"', '{', '{"prompt":}']) {
    it(`is refused when the body is ${text || 'empty'}`, () => {
      assert.match(refusal(() => readSubmission(text)).type, /^invalid_(?:json|body)$/);
    });
  }
});
