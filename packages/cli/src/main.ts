import { CommanderError } from 'commander';
import { EXIT } from './exit-codes.ts';
import { plainText } from './output/plain-text.ts';
import { createProgram, exitCodeOf } from './program.ts';

const ended = new AbortController();
const MAX_SHUTDOWN_MS = 30_000;
const listeners: (() => void)[] = [];

function end(): void {
  // The second signal ends the process at once.
  if (ended.signal.aborted) process.exit(EXIT.cancelled);
  ended.abort();
  // Forces the exit if shutting down takes too long.
  setTimeout(() => process.exit(EXIT.cancelled), MAX_SHUTDOWN_MS).unref();
}
process.on('SIGINT', () => (listeners.at(-1) ?? end)());
process.on('SIGTERM', end);
process.on('SIGHUP', end);

function onInterrupt(listener: () => void): () => void {
  listeners.push(listener);
  return () => void listeners.splice(listeners.indexOf(listener), 1);
}

let code: number = EXIT.done;

function fail(sentence: string): never {
  process.stderr.write(`error: ${plainText(sentence)}\n`);
  process.exit(EXIT.failed);
}

process.stdout.on('error', ({ code: reason, message }: NodeJS.ErrnoException) => {
  // The reader of a pipe, such as `head`, may close it early.
  if (reason === 'EPIPE') process.exit(code);
  fail(`Standard output cannot be written (${reason ?? message}).`);
});
// There is nowhere left to print; the exit code still says what happened.
process.stderr.on('error', () => {});
process.on('uncaughtException', (error) =>
  fail(`This is a mistake in atelier, please report it: ${error.name}: ${error.message}`),
);

const { stdin, stdout, stderr, env } = process;
// Read by hand, because parsing the options may fail first.
const isJson = process.argv.includes('--json');
const program = createProgram(
  { stdin, stdout, stderr, env, isJson, signal: ended.signal, onInterrupt },
  (exitCode) => {
    code = exitCode;
  },
);
try {
  // Commander shows the general help for an unknown command after `help`. Parsed as a command it gets a suggestion.
  const [first, second = '-'] = process.argv.slice(2);
  const isKnown = second.startsWith('-') || program.commands.some((command) => command.name() === second);
  await program.parseAsync(first === 'help' && !isKnown ? process.argv.toSpliced(2, 1) : process.argv);
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  code = exitCodeOf(error);
  if (isJson && code !== EXIT.done) {
    const isHelp = error.code === 'commander.help';
    const message = isHelp ? 'A command is missing. See --help.' : error.message.replace(/^error: /, '');
    stdout.write(`${JSON.stringify({ error: { code: 'cli', message, exit_code: code } }, null, 2)}\n`);
  }
}
process.exitCode = code;
