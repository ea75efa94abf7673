import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ROOT } from './run-command.ts';

/**
 * Files that import the given test files, `size` each, in `folder`. One process runs them one after the other: starting it and loading
 * the server's modules takes longer than most files.
 */
export async function groupFiles(
  files: readonly string[],
  { size, folder }: { readonly size: number; readonly folder: string },
): Promise<string[]> {
  const groups = Array.from({ length: Math.ceil(files.length / size) }, (_, index) =>
    files.slice(index * size, (index + 1) * size),
  );
  return await Promise.all(
    groups.map(async (group) => {
      const name = (group[0] ?? '').replaceAll('/', '-').replace(/\.test\.ts$/, '');
      const entry = join(folder, `${name}.test.mjs`);
      const imports = group.map((file) => `import '${pathToFileURL(join(ROOT, file)).href}';\n`);
      await writeFile(entry, imports.join(''));
      return entry;
    }),
  );
}
