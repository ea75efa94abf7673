import type { Modules } from '../python/modules.ts';
import { parseSource } from '../python/parse-source.ts';
import { readCodeScope, type Scope } from '../python/scopes.ts';
import { type Call, type Expression, type Index, partsOf, type Statement } from '../python/syntax.ts';
import { createCallGraph } from './call-graph.ts';
import { codesOf, constantText } from './constant-text.ts';
import { fixedPlace } from './fixed-place.ts';
import { createFlows } from './flows.ts';
import { judgeExecution, type Knowledge } from './judges.ts';
import { createOrigins } from './origins.ts';
import { RULES, type RuleId, type Severity } from './rules.ts';
import { namesSecretPlace } from './secret-places.ts';
import { FROM } from './sources.ts';
import { judgesOf } from './watched-names.ts';

export interface Danger {
  readonly rule: RuleId;
  readonly severity: Severity;
  readonly file: string;
  readonly at: number;
}

/** So many character codes in a row are meant to be a text. */
const CODES = 6;
const DEEPEST_CODE = 3;
const PATH_WRITES = new Set([
  'write_text',
  'write_bytes',
  'unlink',
  'rmdir',
  'symlink_to',
  'rename',
  'replace',
]);
/** Rules that are broken worse by a function that is reached by a detour. */
const WORSE_HIDDEN = new Set<RuleId>(['dynamic-execution', 'process-start', 'package-install']);
const MESSAGE =
  /^(?:print|log|debug|info|warn|warning|error|exception|critical|add_argument|[A-Z]\w*(?:Error|Exception|Warning))$/;

/** Everything in the pack's Python that a person should look at before others run it. */
export function findDangers(modules: Modules): Danger[] {
  const graph = createCallGraph(modules);
  const origins = createOrigins(modules);
  const knowledge: Knowledge = { origins, flows: createFlows(graph, origins) };
  const dangers: Danger[] = [];

  for (const scope of graph.scopes) {
    const runsOnLoad = graph.runsOnLoad(scope);
    const report = (rule: RuleId, at: number) => {
      const { severity } = RULES[rule];
      const actual = severity === 'by-time' ? (runsOnLoad ? 'high' : 'medium') : severity;
      dangers.push({ rule, severity: actual, file: scope.file, at });
    };
    inspectScope(scope, { knowledge, report, depth: 0 });
  }
  return dangers;
}

interface Context {
  readonly knowledge: Knowledge;
  readonly report: (rule: RuleId, at: number) => void;
  /** How many strings of code this code was found in. */
  readonly depth: number;
}

function inspectScope(scope: Scope, context: Context): void {
  for (const { expression } of scope.roots) inspect(expression, scope, context);
}

function inspect(expression: Expression, scope: Scope, context: Context): void {
  const { kind, at } = expression;
  if (kind === 'call') {
    inspectCall(expression, scope, context);
    return;
  }
  if (kind === 'name' || kind === 'attribute' || kind === 'index')
    judge(expression, undefined, scope, context);
  if (kind === 'text' && namesSecretPlace(expression.value)) context.report('secret-files', at);
  if (kind === 'index' && isHiddenItem(expression, scope, context)) context.report('hidden-call', at);
  if (
    kind === 'operation' &&
    expression.operator === '+' &&
    expression.operands.filter(isCode).length >= CODES
  ) {
    context.report('hidden-text', at);
  }
  for (const part of partsOf(expression)) inspect(part, scope, context);
}

function inspectCall(call: Call, scope: Scope, context: Context): void {
  const { callee, args, at } = call;
  judge(callee, call, scope, context);
  const id = callee.kind === 'name' || callee.kind === 'attribute' ? callee.id : '';
  if (id === '__pyarmor__') context.report('obfuscated-payload', at);
  if (
    args.some(({ name, value }) => name === 'trust_remote_code' && value.kind === 'constant' && value.value)
  ) {
    context.report('remote-code', at);
  }
  const [first] = args;
  if (id === 'join' && first && (codesOf(first.value)?.length ?? 0) >= CODES)
    context.report('hidden-text', at);
  if (callee.kind === 'attribute') {
    inspectMethod(call, callee.of, id, scope, context);
    inspect(callee.of, scope, context);
  } else if (callee.kind !== 'name') inspect(callee, scope, context);

  const isMessage = MESSAGE.test(id);
  for (const { value } of args) {
    if (!isMessage || (value.kind !== 'text' && value.kind !== 'format')) inspect(value, scope, context);
  }
}

/** Methods of objects whose class is not known, by their names. */
function inspectMethod(
  call: Call,
  of: Expression,
  id: string,
  scope: Scope,
  { knowledge, report }: Context,
): void {
  if (PATH_WRITES.has(id) && fixedPlace(of, scope)) report('absolute-write', call.at);
  if (id === 'chmod' && knowledge.flows.of(of, scope) & FROM.network) report('download-and-run', call.at);
}

function judge(callee: Expression, call: Call | undefined, scope: Scope, context: Context): void {
  const { knowledge, report } = context;
  const at = call?.at ?? callee.at;
  for (const origin of knowledge.origins.of(callee, scope)) {
    // A class is named in annotations and tests as well; only its call does something.
    if (!call && /\.[A-Z]\w*$/.test(origin.name)) continue;
    for (const one of judgesOf(origin.name)) {
      const rule = one({ origin, call, scope }, knowledge);
      if (call && one === judgeExecution) inspectCode(call, scope, context);
      const isWorse = rule === undefined ? one === judgeExecution : WORSE_HIDDEN.has(rule);
      if (origin.isHidden && isWorse) report('hidden-call', at);
      else if (rule) report(rule, at);
    }
  }
}

/** Code that stands in a string is inspected as if it stood there itself. */
function inspectCode(call: Call, scope: Scope, { knowledge, report, depth }: Context): void {
  const [code] = call.args;
  const text = code && constantText(code.value, scope)?.value;
  if (text === undefined || depth >= DEEPEST_CODE) return;
  const statements = parseOrNothing(text.trimStart());
  if (!statements) {
    report('dynamic-execution', call.at);
    return;
  }
  const inner = readCodeScope(scope, statements);
  const here = { knowledge, depth: depth + 1, report: (rule: RuleId) => report(rule, call.at) };
  const all = [inner];
  for (let one = all.pop(); one; one = all.pop()) {
    inspectScope(one, here);
    all.push(...one.inner);
  }
}

function parseOrNothing(code: string): readonly Statement[] | undefined {
  try {
    return parseSource(code).statements;
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
