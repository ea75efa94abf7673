export type Severity = 'high' | 'medium';

interface Rule {
  /** `by-time`: high if the code runs as soon as the pack is loaded, else medium. */
  readonly severity: Severity | 'by-time';
  readonly explanation: string;
}

const high = (explanation: string): Rule => ({ severity: 'high', explanation });
const medium = (explanation: string): Rule => ({ severity: 'medium', explanation });
const byTime = (explanation: string): Rule => ({ severity: 'by-time', explanation });

/** All rules of the security report. An id is API: add freely, never rename. */
export const RULES = {
  'dynamic-execution': byTime(
    'Code that is put together while running is executed, so what it does cannot be seen here.',
  ),
  'computed-import': byTime('The module to be imported is only known while running.'),
  'process-start': byTime('Another program is started.'),
  'package-install': byTime(
    'Packages are installed by the code itself instead of being declared as dependencies.',
  ),
  'download-and-run': high('Something is downloaded that is code, or is then run.'),
  'written-code': byTime('A file of code is written while running, so what it does cannot be seen here.'),
  'injected-environment': byTime(
    'An environment variable is set that makes this or other programs load code or start programs.',
  ),
  'remote-code': byTime('A model is loaded in a way that runs code from its repository.'),
  'obfuscated-payload': high('Code is kept in an unreadable form and decoded to be run.'),
  'encoded-blob': medium(
    'A long unreadable text is decoded to something that is not a picture, font or sound.',
  ),
  'hidden-text': high('A text is put together from character codes, which hides it from readers.'),
  'hidden-call': high('A function that runs code or programs is reached by a detour that hides its name.'),
  'named-function': byTime(
    'A function that runs code or programs is named in a text, by which it can be found and called.',
  ),
  'object-sweep': byTime(
    'All objects of the process are listed, among them every module and what others keep to themselves.',
  ),
  'module-as-value': byTime(
    'A module that runs code or programs is kept or passed on as a value, which hides what is called.',
  ),
  'unsafe-load': medium('A file is loaded in a format that can run code while it is read.'),
  'download-and-load': high('Downloaded data is loaded in a format that can run code while it is read.'),
  'secret-files': high('A place where keys, passwords, cookies or wallets are kept is named.'),
  'environment-sweep': byTime('All environment variables are read, which may hold keys and tokens.'),
  'environment-sent': high('All environment variables, which may hold keys and tokens, are sent away.'),
  'raw-socket': byTime('A network socket is opened directly.'),
  'reverse-shell': high('A program is connected to a network socket, so that others can command it.'),
  'absolute-write': byTime('A fixed path outside of the pack is written to, moved or deleted.'),
  'native-code': byTime('Machine code is loaded or compiled, which cannot be inspected.'),
  'bundled-executable': medium(
    'The pack brings a program or library of machine code, which cannot be inspected.',
  ),
  'disguised-executable': high(
    'The pack brings a program of machine code under a name that does not say so.',
  ),
  'archive-import': high('Code is loaded out of an archive, where it cannot be inspected.'),
  bytecode: high('Compiled Python is run in place of a source that could be read.'),
  'odd-encoding': high('The file declares an encoding in which Python runs something else than readers see.'),
  'reordered-text': high('Invisible characters make the code look different from what is run.'),
  'unread-source': medium(
    'The source is too long, too deep or, around code that runs other code, too broken to be inspected.',
  ),
} as const;

export type RuleId = keyof typeof RULES;
