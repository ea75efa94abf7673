import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';

import { ROOT } from '../run-command.ts';

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

export function readPackage(folder: string): PackageJson {
  return JSON.parse(readFileSync(join(ROOT, 'packages', folder, 'package.json'), 'utf8')) as PackageJson;
}

/**
 * Writes a package of the repository to `target` as JavaScript, file by file: Node runs no TypeScript below `node_modules`, and threads and
 * processes are started by the names of their files. Types become blanks, so lines and columns stay what they are.
 */
export function compilePackage(folder: string, target: string): void {
  const from = join(ROOT, 'packages', folder);
  // The console is built, and what it is built from would be built again.
  const isBuilt = existsSync(join(from, 'dist/index.html'));
  const files = isBuilt ? 'build.ts' : ['src/**/*.ts', 'start.js'];
  for (const file of globSync(files, { cwd: from, exclude: isForTests })) {
    const to = join(target, asJavaScript(file));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, compile(join(from, file)));
  }
  if (isBuilt) cpSync(join(from, 'dist'), join(target, 'dist'), { recursive: true });
  const { name, version, license, exports = {} } = readPackage(folder);
  const entries = Object.entries(exports).map(([key, file]) => [key, asJavaScript(file)]);
  writeJson(join(target, 'package.json'), {
    name,
    version,
    license,
    type: 'module',
    exports: Object.fromEntries(entries),
  });
}

function isForTests(path: string): boolean {
  return /(^|[\\/])test$|\.test\.ts$/.test(path);
}

function compile(file: string): string {
  const source = readFileSync(file, 'utf8');
  const code = file.endsWith('.ts') ? stripTypeScriptTypes(source) : source;
  // Of imports, threads and processes alike: whatever names a file beside this one.
  return code.replaceAll(/(['"])(\.{1,2}\/[^'"\n]+)\.ts\1/g, (all, quote: string, path: string) =>
    existsSync(join(dirname(file), `${path}.ts`)) ? `${quote}${path}.js${quote}` : all,
  );
}

function asJavaScript(path: string): string {
  return path.replace(/\.ts$/, '.js');
}

export function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);
}
