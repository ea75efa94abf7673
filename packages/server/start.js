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
  // The heap's nursery stays small. In a few runs each, with it grown: fresh 143 against 200 MB, after load 164 to 208 against
  // 213 to 217 MB; the start 1.3 to 1.8 against 1.2 to 1.6 s. No difference in requests stood out of the noise.
  v8.setFlagsFromString('--semi-space-growth-factor=1');
  // Compiled code is kept between starts; it takes about a fifth off the time to the first answer.
  module.enableCompileCache();
  await import('./src/main.ts');
  module.flushCompileCache();
}
