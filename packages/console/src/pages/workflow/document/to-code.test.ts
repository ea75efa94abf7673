import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';

import { toCode } from './to-code.ts';

const TEXT = `it's "quoted" $HOME \`id\` \\ \n JSON\n \u2028 <b>`;
const prompt = {
  1: {
    class_type: 'A',
    inputs: {
      text: TEXT,
      seed: 18_446_744_073_709_551_615n,
      on: true,
      none: null,
      list: [1, 'x'],
      link: ['2', 0],
    },
  },
};
const run = { prompt, serverUrl: 'http://127.0.0.1:8080' };
const exact = (json: string) => json.replaceAll(/\s+/g, ' ');

describe('a run as code', () => {
  it('is the workflow itself as JSON, with every digit', () => {
    const json = toCode('json', run);
    assert.match(json, /18446744073709551615/);
    assert.equal((JSON.parse(json) as typeof prompt)[1].inputs.text, TEXT);
  });

  it('is a command in which the shell replaces nothing but the key', () => {
    const command = toCode('curl', run).replace(/^curl/, 'send');
    const script = `send() { for a; do case "$a" in X-API-Key*) echo "$a";; esac; done; cat; }\n${command}`;
    const output = execFileSync('sh', ['-c', script], { env: { ATELIER_API_KEY: 'k' }, encoding: 'utf8' });
    const [key, ...body] = output.split('\n');
    assert.equal(key, 'X-API-Key: k');
    assert.equal((JSON.parse(body.join('\n')) as { prompt: typeof prompt }).prompt[1].inputs.text, TEXT);
  });

  it('is TypeScript with the same values', () => {
    const code = toCode('typescript', run);
    const literal = /const workflow = (\{.*?\n\});/s.exec(code)?.[1];
    // oxlint-disable-next-line no-eval -- the text is ours, and the test checks that it can run.
    assert.deepEqual((0, eval)(`(${literal})`), prompt);
  });

  it('is Python with the same values', () => {
    const code = toCode('python', run);
    const literal = /^workflow = (\{.*?\n\})$/ms.exec(code)?.[1] ?? '';
    assert.match(literal, /True/);
    assert.match(literal, /None/);
    assert.match(exact(literal), /"seed": 18446744073709551615,/);
    assert.ok(literal.includes(JSON.stringify(TEXT)));
  });
});
