// Plain JavaScript that any Node can read: the version is checked before TypeScript is touched.
import module from 'node:module';

const NEEDED = 26;
const major = Number(process.versions.node.split('.', 1)[0]);

if (major < NEEDED) {
  process.stderr.write(
    `atelier: Node ${NEEDED} or newer is needed, but this is Node ${process.versions.node}; use "npm run worker", which brings the right one along.\n`,
  );
  process.exitCode = 1;
} else {
  // Compiled code is kept between starts.
  module.enableCompileCache();
  await import('./src/main.ts');
  module.flushCompileCache();
}
