import { Command, type CommanderError, Option } from 'commander';

import { addAccountCommands } from './commands/account.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addDeploymentCommands } from './commands/deployment.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addFileCommands } from './commands/files.ts';
import { addGenerateCommands } from './commands/generate.ts';
import { addJobCommands } from './commands/jobs.ts';
import { addPackCommands } from './commands/packs.ts';
import { addProfileCommands } from './commands/profiles.ts';
import { addPublisherCommands } from './commands/publishers.ts';
import { addRunCommand } from './commands/run.ts';
import { addSignInCommands } from './commands/sign-in.ts';
import { addSubscriptionCommands } from './commands/subscriptions.ts';
import { addUserCommands } from './commands/users.ts';
import { addWebhookCommands } from './commands/webhooks.ts';
import { addWorkerCommands } from './commands/workers.ts';
import { type Context, type ContextParts, createContext } from './context.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { readVersion } from './version.ts';

/** Wraps the action of a command, which receives the context before its own arguments. It may return an exit code; the default is 0. */
export type WithContext = <Args extends unknown[]>(
  action: (context: Context, ...args: Args) => Promise<number | void>,
) => (...args: [...own: Args, command: Command]) => Promise<void>;

const EXAMPLES = `
Examples:
  $ atelier login --url https://atelier.example.com
  $ atelier run workflow.json --set KSampler.seed=7 --out pictures
  $ atelier jobs --status failed
  $ atelier help run`;

/** The whole command line. `onExit` receives the exit code of the command. */
export function createProgram(
  parts: ContextParts & { readonly isJson: boolean },
  onExit: (code: number) => void,
): Command {
  const program = new Command('atelier')
    .description('Run workflows, generate, publish packs and operate an Atelier server.')
    .version(readVersion(), '-V, --version')
    // Options after the name of a command belong to it, so that it can pass them on.
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .showHelpAfterError('Run with --help to see what it takes.')
    .configureOutput({
      writeOut: (text) => void parts.stdout.write(text),
      writeErr: (text) => void (parts.isJson || parts.stderr.write(text)),
      outputError: (text, write) => write(text),
      getOutHelpWidth: () => parts.stdout.columns || 80,
      getErrHelpWidth: () => parts.stderr.columns || 80,
    })
    .exitOverride()
    .addHelpText('after', EXAMPLES);
  const withContext: WithContext =
    <Args extends unknown[]>(action: (context: Context, ...args: Args) => Promise<number | void>) =>
    async (...args: [...Args, Command]) => {
      // Commander passes arguments, options and then the command itself.
      const own = args.slice(0, -1) as unknown[] as Args;
      const context = createContext(parts, args.at(-1) as Command);
      const { reportError } = await import('./output/report-error.ts');
      try {
        onExit((await action(context, ...own)) ?? EXIT.done);
      } catch (error) {
        onExit(reportError(error, context.output));
      }
    };
  addRunCommand(program, withContext);
  addJobCommands(program, withContext);
  addFileCommands(program, withContext);
  addGenerateCommands(program, withContext);
  addPackCommands(program, withContext);
  addPublisherCommands(program, withContext);
  addAccountCommands(program, withContext);
  addWebhookCommands(program, withContext);
  addUserCommands(program, withContext);
  addSubscriptionCommands(program, withContext);
  addWorkerCommands(program, withContext);
  addSignInCommands(program, withContext);
  addProfileCommands(program, withContext);
  addDoctorCommand(program, withContext);
  const deployment = addDeploymentCommands(program, withContext);
  addCompletionCommand(program, withContext);
  for (const command of allCommands(program)) if (!deployment.includes(command)) addGlobalOptions(command);
  return program;
}

/** Added to each command that asks a server, so that they work on either side of its name and appear in its help. */
function addGlobalOptions(command: Command): void {
  command
    .addOption(new Option('--url <url>', 'the server, instead of a profile').helpGroup('Server:'))
    .addOption(
      new Option('--key <key>', 'an API key; visible in the process list, unlike ATELIER_API_KEY').helpGroup(
        'Server:',
      ),
    )
    .addOption(new Option('--profile <name>', 'a server you have signed in to').helpGroup('Server:'))
    .addOption(
      new Option('--insecure', 'send the key over plain http to a public address').helpGroup('Server:'),
    )
    .addOption(new Option('--json', 'JSON for programs').helpGroup('Output:'))
    .addOption(new Option('-q, --quiet', 'nothing but results and errors').helpGroup('Output:'))
    .addOption(new Option('--no-color', 'no colors; NO_COLOR does the same').helpGroup('Output:'));
}

function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}

/** The exit code of an error that Commander has already printed. */
export function exitCodeOf(error: CommanderError): ExitCode {
  return error.exitCode === 0 ? EXIT.done : EXIT.usage;
}
