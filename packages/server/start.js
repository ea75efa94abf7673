// Plain JavaScript that any Node can read: the version is checked before TypeScript is touched.
import module from 'node:module';
import v8 from 'node:v8';

const NEEDED = 26;
const major = Number(process.versions.node.split('.', 1)[0]);

if (major < NEEDED) {
  process.stderr.write(
    `atelier: Node ${NEEDED} or newer is needed, but this is Node ${process.versions.node}; use "npm start", which brings the right one along.\n`,
  );
  process.exitCode = 1;
} else {
  // The heap's nursery stays small: grown, it takes 50 MB more (214 against 164 after load) and makes requests no faster.
  v8.setFlagsFromString('--semi-space-growth-factor=1');
  // Compiled code is kept between starts; it takes about a fifth off the time to the first answer.
  module.enableCompileCache();
  await import('./src/main.ts');
  module.flushCompileCache();
}
