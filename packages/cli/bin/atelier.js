#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Compiled code is kept between starts.
module.enableCompileCache?.();
const sources = new URL('../src/main.ts', import.meta.url);
if (!existsSync(sources)) {
  // A release is JavaScript for every Node from 20 on.
  await import(new URL('../lib/main.js', import.meta.url).href);
} else {
  // In the repository the sources run as they are, with the Node that comes with it.
  const { findNode, runNode } = await import('./bundled-node.js');
  const node = findNode(fileURLToPath(new URL('../../..', import.meta.url)));
  if (node === process.execPath) {
    await import(sources.href);
  } else if (node === undefined) {
    process.stderr.write('atelier: run "npm install" first, which brings the Node that this needs.\n');
    process.exitCode = 2;
  } else {
    process.exitCode = await runNode(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)]);
  }
}
