/**
 * `npm run build -w packages/cli` writes what is published to `dist`, or to the folder that is named: a package of its own that needs no
 * other. All that it uses is in it, so that it installs at once and reads few files at its start.
 */
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const ROOT = import.meta.dirname;
const DIST = process.argv[2] ?? join(ROOT, 'dist');

rmSync(DIST, { recursive: true, force: true });
const bundle = await rolldown({
  input: {
    main: join(ROOT, 'src/main.ts'),
    // A thread loads it by its name.
    'inspector.worker': join(ROOT, '../inspection/src/inspector.worker.ts'),
  },
  platform: 'node',
  transform: { target: 'node20' },
  // Only Node's own modules stay outside.
  external: /^node:/,
  plugins: [{ name: 'inspection', transform: (code, id) => forOlderNode(code, id) }],
});
const { output } = await bundle.write({
  dir: join(DIST, 'lib'),
  format: 'esm',
  chunkFileNames: '[name]-[hash].js',
  minify: { compress: true, mangle: false, codegen: true },
});
await bundle.close();

cpSync(join(ROOT, 'bin/atelier.js'), join(DIST, 'bin/atelier.js'));
chmodSync(join(DIST, 'bin/atelier.js'), 0o755);
cpSync(join(ROOT, 'README.md'), join(DIST, 'README.md'));
cpSync(join(ROOT, '../../LICENSE'), join(DIST, 'LICENSE'));
writeFileSync(
  join(DIST, 'THIRD-PARTY.md'),
  thirdParties(output.flatMap((chunk) => ('moduleIds' in chunk ? chunk.moduleIds : []))),
);
const { name, version, description, license, type, bin } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
) as Record<string, unknown>;
const published = { name, version, description, license, type, bin, engines: { node: '>=20.11' } };
writeFileSync(join(DIST, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);

/** The inspection of packs is written for the Node of the server. */
function forOlderNode(code: string, id: string): string | undefined {
  const file = id.replaceAll('\\', '/');
  if (/\/inspection\/src\/(?:index|inspector\.worker)\.ts$/.test(file))
    return `import ${JSON.stringify(join(ROOT, 'src/older-node.ts'))};\n${code}`;
  if (file.endsWith('/inspection/src/create-inspector.ts')) {
    const named = replace(
      code,
      "'./inspector.worker.ts', import.meta.url",
      "'./inspector.worker.js', import.meta.url",
    );
    // An archive is then always copied.
    return replace(
      named,
      "import { isMarkedAsUntransferable } from 'node:worker_threads';",
      'const isMarkedAsUntransferable = (_: unknown) => true;',
    );
  }
  if (file.endsWith('/engine/src/runner/child-environment.ts'))
    return replace(
      code,
      "import { getCompileCacheDir } from 'node:module';",
      'const getCompileCacheDir = (): string | undefined => undefined;',
    );
  return undefined;
}

function replace(code: string, from: string, to: string): string {
  if (!code.includes(from)) throw new Error(`The build looks for this in vain: ${from}`);
  return code.replace(from, to);
}

/** Licenses ask to be passed on together with the code. */
function thirdParties(modules: readonly string[]): string {
  const folders = new Set(
    modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  );
  const sections = [...folders].sort().map((folder) => {
    const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>;
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE']
      .map((one) => join(folder, one))
      .find(existsSync);
    const text = file === undefined ? 'Its package has no license text.' : readFileSync(file, 'utf8').trim();
    return `## ${about['name']} ${about['version']} (${about['license']})\n\n\`\`\`\n${text}\n\`\`\`\n`;
  });
  return `# Packages that are part of this program\n\n${sections.join('\n')}`;
}
