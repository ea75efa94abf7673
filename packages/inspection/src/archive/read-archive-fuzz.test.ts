import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';

import { inspectArchive } from '../inspect-archive.ts';
import { INSPECTION_LIMITS } from '../limits.ts';
import { buildZip } from '../test/build-zip.ts';

const good = buildZip([
  { name: 'pack/__init__.py', content: 'from .nodes import *\nexec(open("x").read())\n' },
  {
    name: 'pack/nodes.py',
    content: 'class A:\n    FUNCTION = "go"\nNODE_CLASS_MAPPINGS = {"A": A}\n',
    isStored: true,
  },
  { name: 'pack/data.bin', content: Buffer.alloc(5000, 7) },
]);
const LIMITS = { ...INSPECTION_LIMITS, inflatedBytes: 4 * 1024 * 1024 };

const change = fc.record({
  at: fc.nat({ max: good.length - 1 }),
  cut: fc.nat({ max: 8 }),
  put: fc.oneof(
    fc.uint8Array({ maxLength: 8 }),
    fc.constantFrom(Buffer.from('PK\x05\x06'), Buffer.from('PK\x01\x02')),
  ),
});

async function verdictOf(bytes: Uint8Array): Promise<string> {
  const inspection = await inspectArchive(bytes, LIMITS);
  if (inspection.verdict === 'unusable') assert.match(inspection.reason, /^[A-Z"].*\.$/s);
  else assert.ok(inspection.findings.length <= LIMITS.findings);
  return inspection.verdict;
}

describe('any bytes', () => {
  it('get an answer, never an exception', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), async (bytes) => {
        assert.equal(await verdictOf(bytes), 'unusable');
      }),
    );
  });

  it('that a sound archive is changed in get an answer too', async () => {
    assert.equal(await verdictOf(good), 'suspicious');
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        let bytes = Buffer.from(good);
        for (const { at, cut, put } of changes) {
          bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + cut)]);
        }
        await verdictOf(bytes);
      }),
      { numRuns: 400 },
    );
  });

  it('in a directory get an answer too: numbers there are the ones that are believed', async () => {
    const start = good.readUInt32LE(good.length - 22 + 16);
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(
            fc.integer({ min: start, max: good.length - 4 }),
            fc.constantFrom(0, 1, 0x7fffffff, 0xffffffff),
          ),
          {
            minLength: 1,
            maxLength: 3,
          },
        ),
        async (changes) => {
          const bytes = Buffer.from(good);
          for (const [at, value] of changes) bytes.writeUInt32LE(value, at);
          await verdictOf(bytes);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('any Python', () => {
  const piece = fc.constantFrom(
    ...'exec eval ( ) [ ] { } : , = == . * ** | + lambda def class if else for in while try except with as import from'.split(
      ' ',
    ),
    ...'return yield await async not and or None True 1 2.5 0x1f x y self os subprocess requests getattr'.split(
      ' ',
    ),
    '\n',
    '\n    ',
    '\n        ',
    ' ',
    '"a"',
    "'''",
    'f"{x}"',
    'b"\\x00"',
    '#',
    '\\',
    '@',
    'NODE_CLASS_MAPPINGS',
    '"',
  );
  it('is read without an exception, whatever the order of its words', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 80 }), async (pieces) => {
        const content = pieces.join(' ');
        assert.notEqual(await verdictOf(buildZip([{ name: 'a.py', content }])), 'unusable');
      }),
      { numRuns: 600 },
    );
  });

  it('is read without an exception when it is not text at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (bytes) => {
        assert.notEqual(
          await verdictOf(buildZip([{ name: 'a.py', content: Buffer.from(bytes) }])),
          'unusable',
        );
      }),
    );
  });

  const deep: readonly [title: string, source: string][] = [
    ['brackets', `x = ${'('.repeat(5000)}1${')'.repeat(5000)}`],
    ['calls', `x = ${'f('.repeat(5000)}1${')'.repeat(5000)}`],
    ['attributes', `x = a${'.b'.repeat(20_000)}`],
    ['negations', `x = ${'not '.repeat(20_000)}y`],
    ['lists', `x = ${'['.repeat(20_000)}`],
    ['conditions', `x = ${'1 if y else '.repeat(5000)}2`],
    ['lambdas', `x = ${'lambda: '.repeat(5000)}2`],
    ['blocks', Array.from({ length: 300 }, (_, n) => `${' '.repeat(n)}if x:`).join('\n')],
    ['format strings', `x = ${'f"{'.repeat(3000)}`],
  ];
  for (const [title, source] of deep) {
    it(`with bottomless ${title} is not inspected, and that is said`, async () => {
      const inspection = await inspectArchive(buildZip([{ name: 'a.py', content: source }]), LIMITS);
      assert.ok(inspection.verdict !== 'unusable');
      assert.deepEqual(
        inspection.findings.map(({ rule, severity, file }) => [rule, severity, file]),
        [['unread-source', 'medium', 'a.py']],
      );
    });
  }

  it('with a sum of many thousand parts is inspected', async () => {
    const content = `x = ${'1 + '.repeat(30_000)}1\nexec(x)\n`;
    const inspection = await inspectArchive(buildZip([{ name: 'a.py', content }]), LIMITS);
    assert.ok(inspection.verdict !== 'unusable');
    assert.deepEqual(
      inspection.findings.map(({ rule, line }) => [rule, line]),
      [['dynamic-execution', 2]],
    );
  });
});
