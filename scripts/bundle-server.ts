import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';

import { ROOT } from './run-command.ts';

/** Packages that stay outside are found from there. */
const FOLDER = join(ROOT, 'node_modules/.cache/atelier-tests');
/** With native code, threads or files of their own, or loaded only when they are needed. */
const OUTSIDE = [
  /^(sharp|pino|pg-native)$/,
  /^(@node-rs|@aws-sdk|@nats-io|node-av|vite)\b/,
  '@fastify/swagger-ui',
];

/**
 * The server and the commands for operators, each in a few files instead of 1 700. Tests start hundreds of them: a server then takes 0.6 s of
 * computing to listen instead of 1, a command 0.15 instead of 0.5. Threads and other processes run from the sources.
 */
export async function bundleServer(): Promise<{ readonly server: string; readonly admin: string }> {
  const source = join(ROOT, 'packages/server/src');
  const bundle = await rolldown({
    input: {
      main: join(source, 'main.ts'),
      // Not in one file with main.ts, which waits for it.
      compose: join(source, 'compose.ts'),
      admin: join(source, 'admin/run-command.ts'),
    },
    platform: 'node',
    external: OUTSIDE,
    plugins: [placesOfSources],
  });
  await bundle.write({
    dir: FOLDER,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  });
  await bundle.close();
  await writeFile(join(FOLDER, 'package.json'), '{ "type": "module" }\n');
  return { server: await writeStart('main'), admin: await writeStart('admin') };
}

/** Like start.js of the server: compiled code is kept between starts. */
async function writeStart(name: string): Promise<string> {
  const file = join(FOLDER, `start-${name}.js`);
  const lines = [
    "import module from 'node:module';",
    'module.enableCompileCache();',
    `await import('./${name}.js');`,
    'module.flushCompileCache();',
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  return file;
}

/** Modules find threads, programs and data by where they are. */
const placesOfSources: Plugin = {
  name: 'places-of-sources',
  transform(code, id) {
    if (!code.includes('import.meta.')) return undefined;
    const places = { dirname: dirname(id), filename: id, url: pathToFileURL(id).href };
    return code.replaceAll(/\bimport\.meta\.(dirname|filename|url)\b/g, (_, name: keyof typeof places) =>
      JSON.stringify(places[name]),
    );
  },
};
