import type { Command } from 'commander';

export interface CompletedOption {
  readonly short: string | undefined;
  readonly long: string;
  readonly about: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

export interface CompletedCommand {
  /** The command words after `atelier`; empty for the program itself. */
  readonly path: string;
  readonly name: string;
  readonly about: string;
  readonly options: readonly CompletedOption[];
  /** Subcommands, or else the choices of the first argument. */
  readonly words: readonly { readonly word: string; readonly about: string }[];
}

/** The source of all shell scripts, so that they always match the program. */
export function readCommands(command: Command, path = ''): CompletedCommand[] {
  const help = command.createHelp();
  const visible = help.visibleCommands(command);
  const subcommands = visible.map((one) => ({ word: one.name(), about: one.summary() || one.description() }));
  const choices = command.registeredArguments[0]?.argChoices ?? [];
  const options = help.visibleOptions(command).map((option) => ({
    short: option.short,
    long: option.long ?? option.flags,
    about: option.description,
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
  }));
  const words = subcommands.length > 0 ? subcommands : choices.map((word) => ({ word, about: '' }));
  const own = {
    path,
    name: command.name(),
    about: command.summary() || command.description(),
    options,
    words,
  };
  return [
    own,
    ...command.commands.flatMap((one) =>
      readCommands(one, path === '' ? one.name() : `${path} ${one.name()}`),
    ),
  ];
}

/** Options of any command that take a value. */
export function valueFlags(commands: readonly CompletedCommand[]): string[] {
  const all = commands.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue));
  return [...new Set(all.flatMap(({ short, long }) => (short === undefined ? [long] : [short, long])))];
}
