import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runNode } from '../test/run-node.ts';
import { regexExtract, regexMatch, regexReplace } from './regex-nodes.ts';

const flags = { case_insensitive: false, multiline: false, dotall: false };

async function matches(string: string, regex_pattern: string, options: object = {}): Promise<unknown> {
  return (await runNode(regexMatch, { string, regex_pattern, ...flags, ...options })).outputs[0];
}

async function extract(
  mode: string,
  string: string,
  regex_pattern: string,
  { group_index = 1 } = {},
): Promise<unknown> {
  return (await runNode(regexExtract, { string, regex_pattern, mode, ...flags, group_index })).outputs[0];
}

async function replaced(
  string: string,
  regex_pattern: string,
  replace: string,
  options: object = {},
): Promise<unknown> {
  return (await runNode(regexReplace, { string, regex_pattern, replace, ...options })).outputs[0];
}

test('RegexMatch searches anywhere, with the flags it is given', async () => {
  assert.equal(await matches('a cat', 'CAT'), false);
  assert.equal(await matches('a cat', 'CAT', { case_insensitive: true }), true);
  assert.equal(await matches('a\nb', '^b'), false);
  assert.equal(await matches('a\nb', '^b', { multiline: true }), true);
  assert.equal(await matches('a\nb', 'a.b', { dotall: true }), true);
  assert.equal(await matches('', ''), true);
});

test('RegexMatch and RegexExtract find nothing with a bad pattern', async () => {
  assert.equal(await matches('a', '('), false);
  assert.equal(await extract('First Match', 'a', '['), '');
});

test('RegexExtract has four modes', async () => {
  const text = 'x=1, y=2, z';
  assert.equal(await extract('First Match', text, '[a-z]=\\d'), 'x=1');
  assert.equal(await extract('First Match', text, 'q'), '');
  assert.equal(await extract('All Matches', text, '[a-z]=\\d'), 'x=1\ny=2');
  assert.equal(await extract('All Matches', text, '([a-z])=(\\d)'), 'x\ny');
  assert.equal(await extract('All Matches', text, '([a-z])(?:=(\\d))?'), 'x\ny\nz');
  assert.equal(await extract('First Group', text, '([a-z])=(\\d)', { group_index: 2 }), '1');
  assert.equal(await extract('First Group', text, '[a-z]=\\d', { group_index: 0 }), 'x=1');
  assert.equal(await extract('First Group', text, '([a-z])', { group_index: 2 }), '');
  assert.equal(await extract('First Group', 'b', '(a)|b'), '');
  assert.equal(await extract('All Groups', text, '([a-z])(?:=(\\d))?', { group_index: 2 }), '1\n2');
  assert.equal(await extract('All Groups', text, '[a-z]', { group_index: 0 }), '');
  assert.equal(await extract('All Groups', text, '([a-z])=\\d', { group_index: 0 }), 'x=1\ny=2');
});

test('RegexReplace ignores case unless told, and counts', async () => {
  assert.equal(await replaced('Aa', 'a', 'x'), 'xx');
  assert.equal(await replaced('Aa', 'a', 'x', { case_insensitive: false }), 'Ax');
  assert.equal(await replaced('aaa', 'a', 'b', { count: 2 }), 'bba');
  assert.equal(await replaced('a b', '(?P<l>\\w) (?P<r>\\w)', '\\g<r> \\1'), 'b a');
});

test('RegexReplace says what is wrong with a pattern or replacement', async () => {
  await assert.rejects(replaced('a', '(', 'x'), { name: 're.error', message: /unterminated subpattern/ });
  await assert.rejects(replaced('a', 'a', '\\q'), { name: 're.error', message: /bad escape/ });
  await assert.rejects(replaced('a', 'a', '\\g<no>'), { name: 'IndexError' });
});

test('a text of two megabytes is searched', async () => {
  const text = `${'lorem ipsum dolor '.repeat(120_000)}end`;
  assert.equal(await matches(text, 'end$'), true);
  assert.equal(await matches(text, 'dolor\\s+end'), true);
});
