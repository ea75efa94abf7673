import { lookUp, moduleScope } from '../python/lookup.ts';
import type { Scope } from '../python/scopes.ts';
import type { Call, Expression } from '../python/syntax.ts';
import { type ConstantText, constantText, isLiteral } from './constant-text.ts';
import { isFixedPath, leadingText } from './fixed-path.ts';
import type { Flows } from './flows.ts';
import type { Origin, Origins } from './origins.ts';
import { argumentOf, decidingParts } from './program-arguments.ts';
import type { RuleId } from './rules.ts';
import { FROM } from './sources.ts';
import { isReadable, isUnreadable } from './unreadable-text.ts';

export interface Use {
  readonly origin: Origin;
  /** Absent if the function is passed on and not called. */
  readonly call: Call | undefined;
  readonly scope: Scope;
  readonly runsOnLoad: boolean;
}

export interface Knowledge {
  readonly origins: Origins;
  readonly flows: Flows;
  /** The names of files in the pack that are archives by content. */
  readonly archives: ReadonlySet<string>;
}

export interface Noted {
  readonly note: RuleId;
}

/** Decides which rule the use of a watched function breaks, if any. A plain rule is broken by every use. */
export type Check = RuleId | CheckUse;
export type CheckUse = (use: Use, knowledge: Knowledge) => RuleId | Noted | undefined;

const PIPED_DOWNLOAD =
  /\b(?:curl|wget|iwr|invoke-webrequest)\b[^|\n]*\|\s*(?:sudo\s+)?(?:\S*\/)?(?:sh|bash|zsh|python[\d.]*|perl|iex|invoke-expression)\b|\b(?:sh|bash|zsh)\b[^\n]*(?:\$\(|<\()\s*(?:curl|wget)\b|\biex\b.*\b(?:iwr|downloadstring)\b/i;
const SHELL_OVER_NETWORK = /\/dev\/tcp\/|\bnc(?:at)?\b.*\s-e\s|\bmkfifo\b.*\bnc\b/i;
const ENCODED_COMMAND = /\bpowershell\b.*\s-e(?:nc|ncodedcommand)?\s/i;
const HARMLESS_PIP = /^(?:list|show|freeze|check|--version|-V)$/;
/** Files that Python, a shell or a linker runs. */
export const CODE_FILE = /\.(?:pyw?|py[cod]|so|dll|dylib|exe|sh|bash|bat|cmd|ps1|vbs)$/i;
const REMOVING = /\.(?:remove|unlink|rmdir|removedirs|rmtree|copytree)$/;
export const DANGEROUS_MODULES = new Set(
  'builtins ctypes code ftplib imp importlib marshal os pickle pip pty runpy shutil socket subprocess sys'.split(
    ' ',
  ),
);

export const checkExecution: CheckUse = ({ call, scope }, { flows }) => {
  const code = call && argumentOf(call, 0, 'source', 'expression');
  if (!code) return 'dynamic-execution';
  const text = constantText(code, scope);
  // Readable code in a string is inspected as code.
  if (text?.form === 'coded') return 'obfuscated-payload';
  if (text && isLiteral(code, scope)) return undefined;
  return ranFrom(flows.of(code, scope)) ?? 'dynamic-execution';
};

export const checkRunning: CheckUse = ({ call, scope }, { flows }) => {
  if (!call) return 'dynamic-execution';
  const code = argumentOf(call, 0);
  const flags = code ? flows.of(code, scope) : 0;
  return ranFrom(flags) ?? (flags & FROM.pack ? undefined : 'dynamic-execution');
};

export const checkImport: CheckUse = ({ call, scope }, { flows }) => {
  const name = call && argumentOf(call, 0, 'name');
  if (!name) return 'computed-import';
  const text = constantText(name, scope);
  if (text) return ruleForName(text);
  const flags = flows.of(name, scope);
  if (flags & FROM.network) return 'download-and-run';
  if (flags & FROM.decoding) return 'obfuscated-payload';
  const isOwn =
    (flags & FROM.pack) !== 0 || leadingText(name, scope)?.startsWith('.') || isHarmlessList(name, scope);
  return isOwn ? undefined : 'computed-import';
};

/** Loads a file as a module. The pack's own files are inspected themselves. */
export const checkFileImport: CheckUse = ({ call, scope }, { flows }) => {
  const path = call && argumentOf(call, 1, 'location', 'path', 'pathname');
  if (!path) return undefined;
  const flags = flows.of(path, scope);
  return ranFrom(flags) ?? (flags & FROM.pack ? undefined : 'computed-import');
};

export const checkProcess: CheckUse = ({ call, scope }, { flows }) => {
  if (!call) return 'process-start';
  const words = call.args.flatMap(({ value }) => flows.wordsOf(value, scope));
  const line = words.join(' ');
  const isConnected = call.args.some(({ value }) => flows.of(value, scope) & FROM.socket);
  if (isConnected || SHELL_OVER_NETWORK.test(line) || words.some((word) => SHELL_OVER_NETWORK.test(word))) {
    return 'reverse-shell';
  }
  if (PIPED_DOWNLOAD.test(line)) return 'download-and-run';
  if (ENCODED_COMMAND.test(line)) return 'obfuscated-payload';
  const command = argumentOf(call, 0, 'args', 'cmd', 'command');
  const parts = command ? decidingParts(command, scope) : [];
  const ran = ranFrom(parts.reduce((flags, part) => flags | flows.of(part, scope), 0));
  return ran ?? (installsPackages(words, line) ? 'package-install' : 'process-start');
};

function installsPackages(words: readonly string[], line: string): boolean {
  if (/\b(?:pip[\d.]*|uv|conda|mamba|apt|apt-get|npm|brew)\b[^\n]*\s(?:install|add)\b/.test(line))
    return true;
  return words.includes('pip') && !words.some((word) => HARMLESS_PIP.test(word));
}

/** A terminal in a program with network access is for someone else. */
export const checkTerminal: CheckUse = (use, knowledge) => {
  const usesSocket = moduleScope(use.scope)
    .names.get('socket')
    ?.some((bound) => bound.kind === 'import');
  return usesSocket ? 'reverse-shell' : checkProcess(use, knowledge);
};

export const checkLoad: CheckUse = ({ call, scope, origin }, { flows }) => {
  // Since version 2.6, it loads code only if asked to.
  const isTorch = origin.name === 'torch.load';
  if (!call) return isTorch ? { note: 'unsafe-load' } : 'unsafe-load';
  if (isSafeLoad(origin.name, call)) return undefined;
  const data = argumentOf(call, 0);
  if (data && flows.of(data, scope) & (FROM.network | FROM.socket)) return 'download-and-load';
  const asksForCode = call.args.some(
    ({ name, value }) =>
      name === 'pickle_module' ||
      (name === 'weights_only' && value.kind === 'constant' && value.value === false),
  );
  return isTorch && !asksForCode ? { note: 'unsafe-load' } : 'unsafe-load';
};

function isSafeLoad(name: string, call: Call): boolean {
  const isTrue = (option: string) =>
    call.args.some((one) => one.name === option && one.value.kind === 'constant' && one.value.value === true);
  if (name === 'torch.load') return isTrue('weights_only');
  if (name === 'numpy.load') return !isTrue('allow_pickle');
  if (name !== 'yaml.load' && name !== 'yaml.load_all') return false;
  const loader = argumentOf(call, 1, 'Loader');
  return (loader?.kind === 'attribute' || loader?.kind === 'name') && /Safe|Base/.test(loader.id);
}

export const checkHubLoad: CheckUse = ({ call, scope }) => {
  const source = call && argumentOf(call, 99, 'source');
  return source && constantText(source, scope)?.value === 'local' ? undefined : 'remote-code';
};

/** Many packs look for a free port or for the address of the machine. Few connect to others while they load. */
export const checkSocket: CheckUse = ({ call, scope, origin, runsOnLoad }) => {
  if (!call) return undefined;
  const talks = origin.name !== 'socket.socket' || talksToOthers(moduleScope(scope));
  return runsOnLoad && talks ? 'raw-socket' : { note: 'raw-socket' };
};

function talksToOthers(scope: Scope): boolean {
  const isTalk = ({ callee }: Call) =>
    callee.kind === 'attribute' && /^(?:connect|connect_ex|sendall|sendto|send|accept|recv)$/.test(callee.id);
  return scope.calls.some(isTalk) || scope.inner.some(talksToOthers);
}

export const checkDuplicate: CheckUse = ({ call, scope }, { flows }) =>
  call?.args.some(({ value }) => flows.of(value, scope) & FROM.socket) ? 'reverse-shell' : undefined;

/** A download is made executable only to run it. */
export const checkPermission: CheckUse = ({ call, scope }, { flows }) => {
  const path = call && argumentOf(call, 0, 'path');
  return path && flows.of(path, scope) & (FROM.network | FROM.socket) ? 'download-and-run' : undefined;
};

/** Windows functions that only read, or change the pack's own console. */
const HARMLESS_WINDOWS =
  /\.(?:(?:Get|Set)(?:Console\w*|StdHandle)|Get(?:LastError|ShortPathName|LongPathName|SystemMetrics|DriveType|LogicalDrives|DiskFreeSpaceEx|Version\w*|TickCount\w*|CurrentProcess\w*|DeviceCaps|DC|Foreground\w+)[AW]?|SetProcess(?:DPIAware\w*|DpiAwareness\w*)|SetErrorMode|GlobalMemoryStatusEx|IsUserAnAdmin|MessageBox(?:Ex)?[AW]?|SetCurrentProcessExplicitAppUserModelID|restype|argtypes)$/;

/** `ctypes.windll.kernel32.SetConsoleMode`; the library alone does nothing. */
export const checkWindows: CheckUse = ({ origin }) => {
  const [, , , ...steps] = origin.name.split('.');
  return steps.length === 0 || HARMLESS_WINDOWS.test(origin.name) ? { note: 'native-code' } : 'native-code';
};

export const checkRequest: CheckUse = ({ call, scope }, { flows }) =>
  call?.args.some(({ value }) => flows.of(value, scope) & FROM.environment) ? 'environment-sent' : undefined;

export const checkOpen: CheckUse = ({ call, scope }, { flows }) => {
  const path = call && argumentOf(call, 0, 'file');
  const mode = call && argumentOf(call, 1, 'mode');
  const flags = (mode && constantText(mode, scope)?.value) ?? '';
  if (!path || !/[wax+]/.test(flags)) return undefined;
  // Weights have this ending too, but they are not text.
  const isStartFile = !flags.includes('b') && flows.endingsOf(path, scope).some((end) => /\.pth$/i.test(end));
  return isStartFile || isFixedPath(path, scope) ? 'absolute-write' : undefined;
};

/** Removes, moves or copies. Any of the paths counts. */
export const checkFileChange: CheckUse = ({ call, scope, origin }, { flows }) => {
  if (!call) return undefined;
  const to = REMOVING.test(origin.name) ? undefined : argumentOf(call, 1, 'dst');
  if (to && flows.endingsOf(to, scope).some((ending) => CODE_FILE.test(ending))) return 'written-code';
  const paths = /\.copy/.test(origin.name) ? call.args.slice(1) : call.args;
  return paths.some(({ value }) => isFixedPath(value, scope)) ? 'absolute-write' : undefined;
};

export const checkDecoding: CheckUse = ({ call, scope }, { flows }) => {
  const data = call && argumentOf(call, 0);
  const blobs = data ? flows.wordsOf(data, scope).filter(isUnreadable) : [];
  return blobs.some((blob) => !isReadable(blob)) ? 'encoded-blob' : undefined;
};

/** `getattr(os, name)`: any function of a dangerous module. */
export const checkAttribute: CheckUse = ({ call, scope }, { origins }) => {
  const object = call && argumentOf(call, 0);
  const name = call && argumentOf(call, 1);
  if (!object || !name || constantText(name, scope)) return undefined;
  const of = origins.of(object, scope);
  const isDangerous = of.some((one) => one.name !== 'sys' && DANGEROUS_MODULES.has(one.name));
  return isDangerous ? 'hidden-call' : undefined;
};

export function ranFrom(flags: number): RuleId | undefined {
  if (flags & (FROM.network | FROM.socket)) return 'download-and-run';
  return flags & FROM.decoding ? 'obfuscated-payload' : undefined;
}

function ruleForName({ value, form }: ConstantText): RuleId | undefined {
  if (form === 'plain') return undefined;
  const [root = ''] = value.split('.', 1);
  return DANGEROUS_MODULES.has(root) ? 'hidden-call' : form === 'coded' ? 'computed-import' : undefined;
}

/** A loop over written names, none of which is dangerous. */
function isHarmlessList(expression: Expression, scope: Scope): boolean {
  const bounds = expression.kind === 'name' ? (lookUp(scope, expression.id) ?? []) : [];
  return (
    bounds.length > 0 &&
    bounds.every((bound) => {
      if (bound.kind !== 'value') return false;
      const values = bound.value.kind === 'sequence' ? bound.value.items : [bound.value];
      const names = values.map((value) => (value.kind === 'text' ? value.value : 'os'));
      return names.every((name) => !DANGEROUS_MODULES.has(name.split('.', 1)[0] ?? ''));
    })
  );
}
