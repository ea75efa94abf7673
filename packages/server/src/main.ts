import { statSync } from 'node:fs';
import { loadEnvFile } from 'node:process';

import { ConfigError, loadConfig, unknownSettings } from './config/load-config.ts';
import { errorCode } from './platform/errors/error-code.ts';
import { createLogger, type Logger, STANDARD_OUTPUT } from './platform/log/create-logger.ts';
import { createLogOutput } from './platform/log/log-output.ts';
import { StartError } from './platform/start-error.ts';
import { stopOnSignals } from './stop-on-signals.ts';

const USAGE = `The server takes no arguments. Its settings are environment variables, or lines of a file .env in the folder it is started in:
docs/configuration.md lists them all.`;
const BAD_SETTINGS = 2;
const CANNOT_START = 1;

await main().catch((error: unknown) => {
  if (error instanceof ConfigError) giveUp(BAD_SETTINGS, [error.message, ...error.problems].join('\n  '));
  else if (error instanceof StartError) giveUp(CANNOT_START, error.message);
  else throw error;
});

/** Reads the settings, starts, and stops in order when asked to. */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) return void process.stdout.write(`${USAGE}\n`);
  if (args.length > 0) return giveUp(BAD_SETTINGS, USAGE);
  // New files are only for this user, whatever the mode of the folder.
  process.umask(0o077);
  if (statSync('.env', { throwIfNoEntry: false })?.isFile()) loadEnvFile('.env');
  // oxlint-disable-next-line node/no-process-env -- passed to the only reader.
  const environment = process.env;
  const config = loadConfig(environment);
  const output = createLogOutput(STANDARD_OUTPUT, (lines) => {
    log.warn({ lines }, 'nobody read the log, and these lines are lost');
  });
  const log: Logger = createLogger(config.log.level, output);
  process.on('exit', () => {
    // Otherwise a thread that waits for a stuck reader would keep the process alive.
    if (!output.writeRest()) process.kill(process.pid, 'SIGKILL');
  });
  for (const name of unknownSettings(environment)) {
    log.warn({ name }, 'there is no such setting; docs/configuration.md lists them all');
  }

  // Imported after the settings are valid, because it loads most modules.
  const { compose } = await import('./compose.ts');
  const atelier = await compose(config, log);
  const { firstStart } = atelier;
  if (firstStart) {
    process.stderr.write(
      `The administrator's e-mail, password and API key are in ${firstStart.bootstrapFile}\n`,
    );
  }
  const { host, port, publicUrl } = config.http;
  if (publicUrl === undefined && !/^(127\.|localhost$|::1$)/.test(host)) {
    log.warn('signed links start with a loopback address until ATELIER_PUBLIC_URL is set');
  }
  const address = await atelier.app.listen({ host, port }).catch(async (error: unknown) => {
    await atelier.release();
    throw toStartError(error, `${host}:${port}`);
  });
  stopOnSignals(atelier, { log, output, drainMs: config.http.drainMs, deadlineMs: config.http.stopMs });

  const elsewhere = publicUrl === undefined ? '' : `, for clients at ${publicUrl}`;
  process.stderr.write(`Atelier listens on ${address}${elsewhere}\n`);
  if (!config.hasConsole) return;
  const base = publicUrl ?? address;
  process.stderr.write(
    firstStart
      ? `Open ${base}${firstStart.signInPath} to sign in; the link is good once, for an hour\n`
      : `Open ${base}/console/ in a browser\n`,
  );
}

function giveUp(code: number, message: string): void {
  process.stderr.write(`atelier: ${message}\n`);
  process.exitCode = code;
}

function toStartError(error: unknown, address: string): unknown {
  const code = errorCode(error);
  if (code === 'EADDRINUSE') {
    return new StartError(`Port ${address} is taken by another program. Stop it, or set ATELIER_PORT.`);
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new StartError(`Cannot listen on ${address} (${code}). Check ATELIER_HOST and ATELIER_PORT.`);
  }
  return error;
}
