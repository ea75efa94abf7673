export type Severity = 'high' | 'medium';

interface Rule {
  /** `by-time`: high where the code runs as soon as the pack is loaded, else medium. */
  readonly severity: Severity | 'by-time';
  readonly explanation: string;
}

/** Everything the security report can say. An id is API: add freely, never rename. */
export const RULES = {
  'dynamic-execution': {
    severity: 'by-time',
    explanation: 'Code that is put together while running is executed, so what it does cannot be seen here.',
  },
  'computed-import': {
    severity: 'by-time',
    explanation: 'The module to be imported is only known while running.',
  },
  'process-start': {
    severity: 'by-time',
    explanation: 'Another program is started.',
  },
  'package-install': {
    severity: 'by-time',
    explanation: 'Packages are installed by the code itself instead of being declared as dependencies.',
  },
  'download-and-run': {
    severity: 'high',
    explanation: 'Something is downloaded that is code, or is then run.',
  },
  'written-code': {
    severity: 'by-time',
    explanation: 'A file of code is written while running, so what it does cannot be seen here.',
  },
  'injected-environment': {
    severity: 'by-time',
    explanation:
      'An environment variable is set that makes this or other programs load code or start programs.',
  },
  'remote-code': {
    severity: 'by-time',
    explanation: 'A model is loaded in a way that runs code from its repository.',
  },
  'obfuscated-payload': {
    severity: 'high',
    explanation: 'Code is kept in an unreadable form and decoded to be run.',
  },
  'encoded-blob': {
    severity: 'medium',
    explanation: 'A long unreadable text is decoded to something that is not a picture, font or sound.',
  },
  'hidden-text': {
    severity: 'high',
    explanation: 'A text is put together from character codes, which hides it from readers.',
  },
  'hidden-call': {
    severity: 'high',
    explanation: 'A function that runs code or programs is reached by a detour that hides its name.',
  },
  'named-function': {
    severity: 'by-time',
    explanation:
      'A function that runs code or programs is named in a text, by which it can be found and called.',
  },
  'object-sweep': {
    severity: 'by-time',
    explanation:
      'All objects of the process are listed, among them every module and what others keep to themselves.',
  },
  'module-as-value': {
    severity: 'by-time',
    explanation:
      'A module that runs code or programs is kept or passed on as a value, which hides what is called.',
  },
  'unsafe-load': {
    severity: 'medium',
    explanation: 'A file is loaded in a format that can run code while it is read.',
  },
  'download-and-load': {
    severity: 'high',
    explanation: 'Downloaded data is loaded in a format that can run code while it is read.',
  },
  'secret-files': {
    severity: 'high',
    explanation: 'A place where keys, passwords, cookies or wallets are kept is named.',
  },
  'environment-sweep': {
    severity: 'by-time',
    explanation: 'All environment variables are read, which may hold keys and tokens.',
  },
  'environment-sent': {
    severity: 'high',
    explanation: 'All environment variables, which may hold keys and tokens, are sent away.',
  },
  'raw-socket': {
    severity: 'by-time',
    explanation: 'A network socket is opened directly.',
  },
  'reverse-shell': {
    severity: 'high',
    explanation: 'A program is connected to a network socket, so that others can command it.',
  },
  'absolute-write': {
    severity: 'by-time',
    explanation: 'A fixed path outside of the pack is written to, moved or deleted.',
  },
  'native-code': {
    severity: 'by-time',
    explanation: 'Machine code is loaded or compiled, which cannot be inspected.',
  },
  'bundled-executable': {
    severity: 'medium',
    explanation: 'The pack brings a program or library of machine code, which cannot be inspected.',
  },
  'disguised-executable': {
    severity: 'high',
    explanation: 'The pack brings a program of machine code under a name that does not say so.',
  },
  'archive-import': {
    severity: 'high',
    explanation: 'Code is loaded out of an archive, where it cannot be inspected.',
  },
  bytecode: {
    severity: 'high',
    explanation: 'Compiled Python is run in place of a source that could be read.',
  },
  'odd-encoding': {
    severity: 'high',
    explanation: 'The file declares an encoding in which Python runs something else than readers see.',
  },
  'reordered-text': {
    severity: 'high',
    explanation: 'Invisible characters make the code look different from what is run.',
  },
  'unread-source': {
    severity: 'medium',
    explanation:
      'The source is too long, too deep or, around code that runs other code, too broken to be inspected.',
  },
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleId = keyof typeof RULES;
