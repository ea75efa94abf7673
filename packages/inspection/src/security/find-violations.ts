import type { Module, Modules } from '../python/modules.ts';
import { createParseBudget, type ParseBudget } from '../python/parse-budget.ts';
import { parseSource } from '../python/parse-source.ts';
import { unreachedTests } from '../python/reached-modules.ts';
import { readScope, type Scope } from '../python/scopes.ts';
import { type Call, calledName, type Expression, type Index, partsOf } from '../python/syntax.ts';
import { findInBrokenParts } from './broken-parts.ts';
import { createCallGraph } from './call-graph.ts';
import { CODE_FILE, checkExecution, type Knowledge } from './checks.ts';
import { checkCodeText, codeTexts, namesArchive } from './code-checks.ts';
import { codesOf, constantText, isLiteral } from './constant-text.ts';
import { isFixedPath } from './fixed-path.ts';
import { createFlows } from './flows.ts';
import { createMissingModules } from './missing-modules.ts';
import { createModuleValues, isComparison, isPowerful, type ModuleValues } from './module-values.ts';
import { createOrigins, type Origin } from './origins.ts';
import { RULES, type RuleId, type Severity } from './rules.ts';
import { isSecretPath } from './secret-paths.ts';
import { ruleForSetting, settingsIn, settingsStored } from './settings.ts';
import { CLONING, FROM, NETWORK } from './sources.ts';
import { checksFor, namesRunner } from './watched-functions.ts';

export interface Violation {
  readonly rule: RuleId;
  /** A note is not a finding: it does not stop the pack. */
  readonly severity: Severity | 'note';
  readonly file: string;
  readonly at: number;
}

export interface Surroundings {
  readonly paths: ReadonlySet<string>;
  readonly archives: readonly string[];
}

/** A run of this many character codes is a text. */
const CODES = 6;
const MAX_CODE_DEPTH = 3;
const PATH_WRITES = /^(?:write_text|write_bytes|unlink|rmdir|symlink_to|rename|replace)$/;
/** Rules whose violation is worse if the function is hidden. */
const WORSE_HIDDEN = new Set<RuleId>(['dynamic-execution', 'process-start', 'package-install']);
const MESSAGE =
  /^(?:print|log|debug|info|warn|warning|error|exception|critical|add_argument|[A-Z]\w*(?:Error|Exception|Warning))$/;

/** For code in texts, all together. Longer code is not inspected, which is a finding. */
const CODE_LIMITS = { pythonFileTokens: 300_000, pythonTokens: 300_000, pythonRepairs: 20_000 };
const PYTHON_FILE = /\.pyw?$/i;
/** Python runs their lines in the folder of its libraries. Elsewhere they are weights. */
const START_FILE = /\.pth$/i;
const LIBRARY_FOLDER =
  /(?:site|dist)-packages|getsitepackages|getusersitepackages|get_paths?\b|purelib|platlib/;
/** Methods of event loops that start programs, whatever the name of the loop. */
const LOOP_METHODS = /^subprocess_(?:shell|exec)$/;
/** The way to the base class of all classes. */
const UP_TO_OBJECT = new Set(['__class__', '__base__', '__bases__', '__mro__', 'mro']);

/** Everything in the Python of a pack that a person should review. */
export function findViolations(modules: Modules, { paths, archives }: Surroundings): Violation[] {
  const graph = createCallGraph(modules);
  const origins = createOrigins(modules);
  const names = archives.map((path) => path.slice(path.lastIndexOf('/') + 1));
  const knowledge: Knowledge = { origins, flows: createFlows(graph, origins), archives: new Set(names) };
  const tests = unreachedTests(modules);
  const isMissing = createMissingModules(modules, paths);
  const downloads = graph.scopes.some(
    (scope) =>
      !tests.has(scope.file) && scope.calls.some(({ callee }) => isDownload(origins.of(callee, scope))),
  );
  const values = createModuleValues(origins, graph.scopes);
  const budget = createParseBudget(CODE_LIMITS);
  const violations: Violation[] = [];

  for (const scope of graph.scopes) {
    const runsOnLoad = graph.runsOnLoad(scope);
    // Using a pack runs no tests. Code without any honest use has none in tests either.
    const isTest = tests.has(scope.file);
    const report = (rule: RuleId, at: number, isNote = false) => {
      const { severity } = RULES[rule];
      const actual = severity === 'by-time' ? (runsOnLoad ? 'high' : 'medium') : severity;
      const isNoted = isNote || (isTest && severity !== 'high');
      violations.push({ rule, severity: isNoted ? 'note' : actual, file: scope.file, at });
    };
    inspectScope(scope, { knowledge, values, report, runsOnLoad, budget, depth: 0 });
    for (const statement of downloads && !isTest ? scope.imports : []) {
      if (isMissing(statement, scope)) report('download-and-run', statement.at);
    }
  }
  for (const module of modules.all)
    violations.push(...inBrokenParts(module, violations, tests.has(module.file)));
  return violations;
}

/** Names that run code where the parser got lost, if no other rule has found them. */
function inBrokenParts(module: Module, violations: readonly Violation[], isTest: boolean): Violation[] {
  const { file } = module;
  if (module.errors.length === 0) return [];
  const seen = violations.filter((one) => one.file === file).map(({ at }) => at);
  return findInBrokenParts(module)
    .filter(({ from, to }) => !seen.some((at) => at >= from && at <= to))
    .map(({ from }) => ({ rule: 'unread-source', severity: isTest ? 'note' : 'medium', file, at: from }));
}

function isDownload(origins: readonly Origin[]): boolean {
  return origins.some(({ name }) => NETWORK.test(name) || CLONING.test(name));
}

interface Context {
  readonly knowledge: Knowledge;
  readonly values: ModuleValues;
  readonly report: (rule: RuleId, at: number, isNote?: boolean) => void;
  readonly runsOnLoad: boolean;
  readonly budget: ParseBudget;
  /** The number of code strings around this code. */
  readonly depth: number;
}

function inspectScope(scope: Scope, context: Context): void {
  // Names of functions and modules are followed. Those of a class are used through it.
  const isFollowed = scope.kind !== 'class' && context.depth === 0;
  for (const { expression, isAlias, isDropped } of scope.roots) {
    const isAccess = (isAlias && isFollowed) || (isDropped && context.depth === 0);
    inspect(expression, scope, context, isAccess ? 'access' : 'kept');
  }
  const given = [...scope.returns, ...scope.parameters.flatMap((one) => one.default ?? [])];
  for (const value of given) checkPassedValue(value, scope, context);
  reportSettings(settingsStored(scope), context);
  const { origins, flows, archives } = context.knowledge;
  for (const { target, value } of scope.stores) {
    const stored = target.kind === 'index' ? target.of : target;
    const isPath = origins.of(stored, scope).some(({ name }) => name === 'sys.path');
    if (isPath && namesArchive(value, scope, flows, archives)) context.report('archive-import', target.at);
  }
}

/** The use of a value: it is accessed, kept or returned, or passed on. */
type Fate = 'access' | 'kept' | 'given';

function inspect(expression: Expression, scope: Scope, context: Context, fate: Fate): void {
  const { kind, at } = expression;
  if (fate !== 'access' && context.values.isModule(expression, scope, fate === 'given'))
    context.report('module-as-value', at);
  if (kind === 'call') {
    inspectCall(expression, scope, context);
    return;
  }
  if (kind === 'name' || kind === 'attribute' || kind === 'index')
    checkUse(expression, undefined, scope, context);
  reportSettings(settingsIn(expression), context);
  if (kind === 'text' && isSecretPath(expression.value)) context.report('secret-files', at);
  if (kind === 'text' && fate !== 'access' && namesRunner(expression.value))
    context.report('named-function', at);
  if (kind === 'index' && isHiddenItem(expression, scope, context)) context.report('hidden-call', at);
  if (
    kind === 'operation' &&
    expression.operator === '+' &&
    expression.operands.filter(isCode).length >= CODES
  ) {
    context.report('hidden-text', at);
  }
  for (const part of partsOf(expression)) inspect(part, scope, context, fateOf(part, expression, fate));
}

function reportSettings(settings: ReturnType<typeof settingsIn>, { report }: Context): void {
  for (const setting of settings) {
    const rule = ruleForSetting(setting);
    if (rule) report(rule, setting.at);
  }
}

function fateOf(part: Expression, of: Expression, fate: Fate): Fate {
  if (of.kind === 'attribute' || isComparison(of)) return 'access';
  if (of.kind === 'index') return part === of.of ? 'access' : 'kept';
  if (of.kind === 'operation' || of.kind === 'walrus') return fate;
  return of.kind === 'sequence' || of.kind === 'dictionary' ? 'given' : 'kept';
}

function inspectCall(call: Call, scope: Scope, context: Context): void {
  const { callee, args, at } = call;
  checkUse(callee, call, scope, context);
  const id = calledName(callee);
  if (id === '__pyarmor__') context.report('obfuscated-payload', at);
  if (id === '__subclasses__' && callee.kind === 'attribute' && leadsToObject(callee.of))
    context.report('dynamic-execution', at);
  inspectWrite(call, scope, context);
  reportSettings(settingsIn(call), context);
  const [first] = args;
  if (id === 'join' && first && (codesOf(first.value)?.length ?? 0) >= CODES)
    context.report('hidden-text', at);
  if (callee.kind === 'attribute') {
    inspectMethod(call, callee.of, id, scope, context);
    inspect(callee.of, scope, context, 'access');
  } else if (callee.kind !== 'name') inspect(callee, scope, context, 'access');

  const isMessage = MESSAGE.test(id);
  for (const [place, { value }] of args.entries()) {
    const onlyReads = context.values.onlyReads(call, place, scope);
    if (!onlyReads) checkPassedValue(value, scope, context);
    if (!isMessage || (value.kind !== 'text' && value.kind !== 'format'))
      inspect(value, scope, context, onlyReads ? 'access' : 'given');
  }
}

/** Code in a file is there to be run, though the source does not show by what. */
function inspectWrite(call: Call, scope: Scope, context: Context): void {
  const { report } = context;
  const { flows } = context.knowledge;
  const write = flows.writeOf(call, scope);
  if (!write) return;
  const endings = flows.endingsOf(write.path, scope);
  if (!(write.flags & (FROM.network | FROM.socket))) {
    if (!endings.some((ending) => CODE_FILE.test(ending))) return;
    const [content] = call.args;
    const isReadable = content && constantText(content.value, scope) && isLiteral(content.value, scope);
    if (isReadable && endings.every((ending) => PYTHON_FILE.test(ending)))
      inspectCode(content.value, call.at, scope, context);
    else report('written-code', call.at);
    return;
  }
  const isStarted = () => flows.wordsOf(write.path, scope).some((word) => LIBRARY_FOLDER.test(word));
  if (endings.some((ending) => CODE_FILE.test(ending) || (START_FILE.test(ending) && isStarted())))
    report('download-and-run', call.at);
}

/** `map(subprocess.Popen, commands)`: the function that gets a class calls it. */
function checkPassedValue(value: Expression, scope: Scope, context: Context): void {
  const { knowledge, report } = context;
  if (value.kind === 'sequence') for (const item of value.items) checkPassedValue(item, scope, context);
  if (value.kind === 'dictionary')
    for (const { value: inner } of value.entries) checkPassedValue(inner, scope, context);
  if (value.kind !== 'name' && value.kind !== 'attribute') return;
  if (knowledge.origins.of(value, scope).some(({ name }) => name === 'subprocess.Popen'))
    report('process-start', value.at);
}

/** `().__class__.__base__`, `object`: from there, every class of the process can be reached. */
function leadsToObject(expression: Expression): boolean {
  if (expression.kind === 'name') return expression.id === 'object' || expression.id === 'type';
  if (expression.kind === 'call') return leadsToObject(expression.callee);
  if (expression.kind === 'index') return leadsToObject(expression.of);
  return expression.kind === 'attribute' && (UP_TO_OBJECT.has(expression.id) || leadsToObject(expression.of));
}

/** Methods by name, of objects whose class is unknown. */
function inspectMethod(call: Call, of: Expression, id: string, scope: Scope, { knowledge, report }: Context) {
  if (PATH_WRITES.test(id) && isFixedPath(of, scope)) report('absolute-write', call.at);
  const from = knowledge.origins.of(of, scope);
  const isKnownItem = call.args[0] && constantText(call.args[0].value, scope);
  if (!isKnownItem && from.some(({ name }) => name.endsWith('.__dict__') && isPowerful(name)))
    report('hidden-call', call.at);
  if (/^(?:values|items)$/.test(id) && from.some(({ name }) => name === 'sys.modules'))
    report('hidden-call', call.at, true);
  // For databases, which then load machine code.
  if (id === 'enable_load_extension') report('native-code', call.at);
  if (LOOP_METHODS.test(id)) report('process-start', call.at);
  if (id === 'write_text' && knowledge.flows.endingsOf(of, scope).some((ending) => START_FILE.test(ending)))
    report('absolute-write', call.at);
  if (id === 'load_module' && isPowerful(constantText(call.args[0]?.value ?? of, scope)?.value ?? ''))
    report('hidden-call', call.at);
  if (id === 'chmod' && knowledge.flows.of(of, scope) & FROM.network) report('download-and-run', call.at);
}

function checkUse(callee: Expression, call: Call | undefined, scope: Scope, context: Context): void {
  const { knowledge, report, runsOnLoad } = context;
  const at = call?.at ?? callee.at;
  const all = call ? knowledge.origins.called(call, scope) : knowledge.origins.of(callee, scope);
  for (const origin of all) {
    // Annotations and tests name classes too; only a call does something.
    if (!call && /\.[A-Z]\w*$/.test(origin.name)) continue;
    for (const one of checksFor(origin.name)) {
      const result = typeof one === 'string' ? one : one({ origin, call, scope, runsOnLoad }, knowledge);
      if (call && one === checkExecution) inspectCode(call.args[0]?.value, at, scope, context, true);
      if (call && one === checkCodeText) {
        for (const code of codeTexts(call)) inspectCode(code, at, scope, context);
      }
      const rule = typeof result === 'object' ? result.note : result;
      const isWorse = rule === undefined ? one === checkExecution : WORSE_HIDDEN.has(rule);
      if (origin.isHidden && isWorse) report('hidden-call', at);
      else if (rule) report(rule, at, typeof result === 'object');
    }
  }
}

function inspectCode(
  code: Expression | undefined,
  at: number,
  scope: Scope,
  context: Context,
  bindsNames = false,
): void {
  const { report, depth, budget } = context;
  const text = code && constantText(code, scope)?.value;
  if (text === undefined || depth >= MAX_CODE_DEPTH) return;
  const statements = tryParse(text.trimStart(), budget);
  if (!statements) {
    report('dynamic-execution', at);
    return;
  }
  const inner = readScope(scope.file, statements, scope);
  let isReported = false;
  const here: Context = {
    ...context,
    depth: depth + 1,
    report: (rule, _, isNote) => {
      isReported = true;
      report(rule, at, isNote);
    },
  };
  const all = [inner];
  for (let one = all.pop(); one; one = all.pop()) {
    inspectScope(one, here);
    all.push(...one.inner);
  }
  // Later code can use names unseen that only this code binds.
  const imported = inner.imports.flatMap(({ from, names }) =>
    from === undefined ? names.map(({ name }) => name) : [from],
  );
  if (bindsNames && !isReported && imported.some(isPowerful)) report('dynamic-execution', at);
}

function tryParse(code: string, budget: ParseBudget) {
  try {
    return parseSource(code, budget).statements;
  } catch {
    return undefined;
  }
}

/** `__builtins__[name]`, `vars(os)[name]` */
function isHiddenItem({ of, keys }: Index, scope: Scope, { knowledge }: Context): boolean {
  const [key] = keys;
  if (!key || constantText(key, scope)) return false;
  return knowledge.origins
    .of(of, scope)
    .some(({ name }) => name === 'builtins' || /^(?:os|subprocess|builtins|importlib)\.__dict__$/.test(name));
}

function isCode(expression: Expression): boolean {
  return (
    expression.kind === 'call' &&
    expression.callee.kind === 'name' &&
    expression.callee.id === 'chr' &&
    expression.args[0]?.value.kind === 'number'
  );
}
