/**
 * `npm run build -w packages/cli` writes the published package to `dist`, or to a given folder. It has no
 * dependencies: everything is bundled, so it installs quickly and reads few files at startup.
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
    // A worker thread loads it by name.
    'inspector.worker': join(ROOT, '../inspection/src/inspector.worker.ts'),
  },
  platform: 'node',
  transform: { target: 'node20' },
  // Only Node's own modules stay outside.
  external: /^node:/,
  plugins: [{ name: 'threads', transform: nameThread }],
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

/** Worker threads are started by file name, which a bundler does not follow. */
function nameThread(code: string, id: string): string | undefined {
  if (!id.replaceAll('\\', '/').endsWith('/inspection/src/create-inspector.ts')) return undefined;
  const [from, to] = ["'./inspector.worker.ts', import.meta.url", "'./inspector.worker.js', import.meta.url"];
  if (!code.includes(from)) throw new Error(`The build did not find: ${from}`);
  return code.replace(from, to);
}

/** Licenses require that they are distributed with the code. */
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
