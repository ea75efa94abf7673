import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { it } from 'node:test';

import { ROOT } from './run-command.ts';

const PAGES = globSync(['*.md', '{docs,deploy}/**/*.md'], { cwd: ROOT });

/** As GitHub names headings. */
function anchorsOf(page: string): string[] {
  const headings = [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => text);
  return headings.map((text) =>
    text
      .trim()
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

it('links between pages lead to files and headings that exist', () => {
  assert.ok(PAGES.length > 50);
  for (const page of PAGES) {
    const text = readFileSync(join(ROOT, page), 'utf8');
    for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^\w+:/.test(link)) continue;
      const [path = '', anchor] = link.split('#', 2);
      const target = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
      assert.ok(existsSync(target), `${link} in ${page}`);
      if (anchor !== undefined && target.endsWith('.md'))
        assert.ok(anchorsOf(target).includes(anchor), `${link} in ${page}`);
    }
  }
});
