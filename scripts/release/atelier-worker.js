#!/usr/bin/env node
// Plain JavaScript that any Node can read: it finds the Node that can read the rest.
import { fileURLToPath } from 'node:url';
import { findNode, runNode } from './bundled-node.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const node = findNode(root);
if (node === undefined) {
  process.stderr.write(
    'atelier-worker: Node 26 is missing. Install this package with npm, which brings it.\n',
  );
  process.exitCode = 1;
} else {
  process.exitCode = await runNode(node, [
    fileURLToPath(new URL('../start.js', import.meta.url)),
    ...process.argv.slice(2),
  ]);
}
