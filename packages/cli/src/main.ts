import { CommanderError } from 'commander';

import { EXIT } from './exit-codes.ts';
import { createProgram, exitCodeOf } from './program.ts';

const ended = new AbortController();
const listeners: (() => void)[] = [];

function end(): void {
  // The second signal does not wait for anything.
  if (ended.signal.aborted) process.exit(EXIT.cancelled);
  ended.abort();
}
process.on('SIGINT', () => (listeners.at(-1) ?? end)());
process.on('SIGTERM', end);
process.on('SIGHUP', end);

function onInterrupt(listener: () => void): () => void {
  listeners.push(listener);
  return () => void listeners.splice(listeners.indexOf(listener), 1);
}

// The reader of a pipe, such as `head`, may have seen enough.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.done);
    throw error;
  });
}

let code: number = EXIT.done;
const { stdin, stdout, stderr, env } = process;
const program = createProgram(
  { stdin, stdout, stderr, env, signal: ended.signal, onInterrupt },
  (exitCode) => {
    code = exitCode;
  },
);
try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  code = exitCodeOf(error);
}
process.exitCode = code;
