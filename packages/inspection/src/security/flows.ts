import { getOrInsert } from '../maps.ts';
import { computeOnce, lookUp } from '../python/lookup.ts';
import type { Bound, Scope } from '../python/scopes.ts';
import { type Call, calledName, type Expression, partsOf } from '../python/syntax.ts';
import type { CallGraph } from './call-graph.ts';
import type { Origins } from './origins.ts';
import { FROM, sourceFlags } from './sources.ts';

const OWN_NAMES = new Set(['__file__', '__name__', '__package__', '__path__', '__spec__']);
/** Numbers and answers carry no content on. */
const MEASURES = new Set(['len', 'int', 'float', 'bool', 'isinstance', 'hasattr', 'id', 'round', 'type']);
const WHOLE_ENVIRONMENT = new Set(['items', 'keys', 'values', 'copy', 'read']);
const MAX_WORDS = 300;
const MAX_DEPTH = 40;

export type Flows = ReturnType<typeof createFlows>;

interface Write {
  /** The address, for a download that takes its name from there. */
  readonly path: Expression;
  readonly isAddress?: boolean;
  readonly flags: number;
}

interface Place {
  readonly value: Expression;
  readonly scope: Scope;
}

/** Follows values through names, calls, returns and files, inside the pack and without running anything. */
export function createFlows(graph: CallGraph, origins: Origins) {
  let names = new Map<Scope, Map<string, number>>();
  const returned = new Map<Scope, number>();
  const attributes = new Map<readonly Bound[], number>();
  /** Names and constant paths of files that were written with something from elsewhere. */
  const written = new Map<Scope, Map<string, number>>();
  const writtenPaths = new Map<string, number>();
  let depth = 0;

  function of(expression: Expression, scope: Scope): number {
    if (depth > MAX_DEPTH) return 0;
    depth += 1;
    const flags = find(expression, scope);
    depth -= 1;
    return flags;
  }

  const all = (expressions: readonly Expression[], scope: Scope) =>
    expressions.reduce((flags, one) => flags | of(one, scope), 0);

  function find(expression: Expression, scope: Scope): number {
    if (expression.kind === 'name') return ofName(expression.id, scope);
    if (expression.kind === 'text') return ofPath(expression.value);
    if (expression.kind === 'call') return ofCall(expression, scope);
    if (expression.kind === 'index' && isEnvironment(expression.of, scope))
      return all(expression.keys, scope);
    if (expression.kind !== 'attribute') return all(partsOf(expression), scope);
    if (isEnvironment(expression, scope)) return FROM.environment;
    const isOwn = expression.of.kind === 'name' && scope.parameters[0]?.name === expression.of.id;
    return of(expression.of, scope) | (isOwn ? ofAttribute(expression.id, scope) : 0);
  }

  /** What any code assigns to `self.id`. */
  function ofAttribute(id: string, scope: Scope): number {
    const bounds = scope.attributes.get(id);
    return bounds ? computeOnce(attributes, bounds, 0, () => ofBounds(bounds)) : 0;
  }

  function ofCall(call: Call, scope: Scope): number {
    const { callee, args } = call;
    const from = origins.of(callee, scope);
    if (from.some(({ name }) => MEASURES.has(name.replace('builtins.', '')))) return 0;
    let flags = from.reduce((sum, { name }) => sum | sourceFlags(name), 0);
    for (const target of graph.targetsOf(call)) flags |= ofReturns(target);
    for (const { value } of args) flags |= of(value, scope);
    if (callee.kind === 'attribute') {
      const isOneVariable = isEnvironment(callee.of, scope) && !WHOLE_ENVIRONMENT.has(callee.id);
      if (!isOneVariable) flags |= of(callee.of, scope);
    } else flags |= of(callee, scope);
    return flags;
  }

  function isEnvironment(expression: Expression, scope: Scope): boolean {
    return origins.of(expression, scope).some(({ name }) => name === 'os.environ');
  }

  function ofReturns(target: Scope): number {
    return computeOnce(returned, target, 0, () => all(target.returns, target));
  }

  function ofName(name: string, scope: Scope): number {
    if (OWN_NAMES.has(name)) return FROM.pack;
    return computeOnce(
      getOrInsert(names, scope, () => new Map()),
      name,
      0,
      () => {
        let flags = ofBounds(lookUp(scope, name) ?? []);
        for (const { value, scope: caller } of givenTo(name, scope)) flags |= of(value, caller);
        for (let here: Scope | undefined = scope; here; here = here.parent)
          flags |= written.get(here)?.get(name) ?? 0;
        return isEnvironment({ kind: 'name', at: 0, id: name }, scope) ? flags | FROM.environment : flags;
      },
    );
  }

  function ofBounds(bounds: readonly Bound[]): number {
    return bounds.reduce(
      (flags, bound) => (bound.kind === 'value' ? flags | of(bound.value, bound.scope) : flags),
      0,
    );
  }

  function ofPath(text: string): number {
    for (const [path, flags] of writtenPaths) if (text.includes(path)) return flags;
    return 0;
  }

  /** What the callers of a function give for one of its parameters. */
  function givenTo(name: string, scope: Scope): Place[] {
    const owner = ownerOfParameter(name, scope);
    if (!owner) return [];
    const isMethod = owner.parent?.kind === 'class';
    const place = owner.parameters.findIndex((parameter) => parameter.name === name) - (isMethod ? 1 : 0);
    const isRest = (owner.parameters.find((parameter) => parameter.name === name)?.stars ?? 0) > 0;
    return graph.sitesOf(owner).flatMap(({ call, scope: caller }) => {
      const named = call.args.filter((argument) => argument.name === name);
      const placed = isRest ? call.args : call.args.slice(Math.max(place, 0), place + 1);
      const others = placed.filter((argument) => isRest || argument.name === undefined);
      return [...named, ...others].map(({ value }) => ({ value, scope: caller }));
    });
  }

  /** A file filled with something from elsewhere passes it on under its path. */
  function noteWrites(): void {
    for (const scope of graph.scopes) {
      for (const call of scope.calls) {
        const write = writeOf(call, scope);
        if (write && !write.isAddress) note(write.path, write.flags, scope);
      }
    }
    names = new Map();
    returned.clear();
    attributes.clear();
  }

  /** What a call writes to a file: where to, and where it comes from. */
  function writeOf({ callee, args }: Call, scope: Scope): Write | undefined {
    const [first, second] = args.map(({ value }) => value);
    if (callee.kind === 'attribute' && /^write(?:_bytes|_text|lines)?$/.test(callee.id)) {
      return first && { path: callee.of, flags: of(first, scope) };
    }
    const from = origins.of(callee, scope);
    const name = calledName(callee);
    if (name === 'copyfileobj') return first && second && { path: second, flags: of(first, scope) };
    // By its own name, whatever it is called here.
    const isDownload = [name, ...from.map((one) => one.name)].some((one) =>
      /(?:^|\.)(?:urlretrieve|download_url_to_file|download)$/.test(one),
    );
    const flags = isDownload ? from.reduce((sum, one) => sum | sourceFlags(one.name), 0) : 0;
    const named = args.find(
      (one) => one.name !== undefined && /^(?:filename|out|output|dst)$/.test(one.name),
    );
    const path = named?.value ?? second;
    if (flags === 0) return undefined;
    return path ? { path, flags } : first && { path: first, flags, isAddress: true };
  }

  function note(target: Expression, flags: number, scope: Scope, level = 0): void {
    const carried = flags & (FROM.network | FROM.decoding | FROM.socket);
    if (carried === 0 || level > 6) return;
    if (target.kind === 'text') {
      if (target.value.length > 3) writtenPaths.set(target.value, carried);
      return;
    }
    if (target.kind === 'name') {
      const marks = getOrInsert(written, scope, () => new Map());
      const before = marks.get(target.id) ?? 0;
      if ((before | carried) === before) return;
      marks.set(target.id, before | carried);
      for (const bound of lookUp(scope, target.id) ?? []) {
        if (bound.kind === 'value' && isFile(bound.value)) note(bound.value, carried, bound.scope, level + 1);
      }
      return;
    }
    // For `open(path, 'wb')` and `Path(path)` only the path matters.
    const [path] = target.kind === 'call' && isFile(target) ? target.args : [];
    for (const part of path ? [path.value] : partsOf(target)) note(part, carried, scope, level + 1);
  }

  /** How the path of a file ends, as far as the source says; of one that is opened too. */
  function endingsOf(path: Expression, scope: Scope): readonly string[] {
    const endings: string[] = [];
    const seen = new Set<Expression>();
    const collect = (one: Expression | undefined, here: Scope): void => {
      if (!one || seen.has(one) || seen.size > MAX_WORDS) return;
      seen.add(one);
      if (one.kind === 'text') endings.push(one.value);
      else if (one.kind === 'format') {
        const last = one.parts.at(-1);
        if (typeof last === 'string') endings.push(last);
        else collect(last, here);
      } else if (one.kind === 'operation') {
        for (const operand of one.operator === 'if else' ? one.operands : one.operands.slice(-1))
          collect(operand, here);
      } else if (one.kind === 'call') for (const part of pathParts(one)) collect(part, here);
      else if (one.kind === 'walrus') collect(one.value, here);
      else if (one.kind === 'attribute') ofBoundPaths(here.attributes.get(one.id) ?? []);
      else if (one.kind === 'name') {
        ofBoundPaths(lookUp(here, one.id) ?? []);
        for (const { value, scope: caller } of givenTo(one.id, here)) collect(value, caller);
      }
    };
    const ofBoundPaths = (bounds: readonly Bound[]) => {
      for (const bound of bounds) if (bound.kind === 'value') collect(bound.value, bound.scope);
    };
    collect(path, scope);
    return endings;
  }

  /** Constant texts in an expression and in what its names stand for. */
  function wordsOf(expression: Expression, scope: Scope): readonly string[] {
    const words: string[] = [];
    const seen = new Set<string>();
    const collect = (one: Expression, here: Scope, level: number): void => {
      if (words.length >= MAX_WORDS || level > MAX_DEPTH) return;
      if (one.kind === 'text') words.push(one.value);
      if (one.kind === 'format') words.push(...one.parts.filter((part) => typeof part === 'string'));
      if (one.kind === 'name' && !seen.has(`${here.file}\n${here.name}\n${one.id}`)) {
        seen.add(`${here.file}\n${here.name}\n${one.id}`);
        for (const bound of lookUp(here, one.id) ?? []) {
          if (bound.kind === 'value') collect(bound.value, bound.scope, level + 1);
        }
        for (const { value, scope: caller } of givenTo(one.id, here)) collect(value, caller, level + 1);
      }
      for (const part of partsOf(one)) collect(part, here, level + 1);
    };
    collect(expression, scope, 0);
    return words;
  }

  noteWrites();
  return { of, wordsOf, writeOf, endingsOf };
}

function ownerOfParameter(name: string, scope: Scope): Scope | undefined {
  for (let here: Scope | undefined = scope; here; here = here.parent) {
    if (here.parameters.some((parameter) => parameter.name === name)) return here;
    if (here.names.has(name)) return undefined;
  }
  return undefined;
}

function pathParts({ callee, args }: Call): readonly Expression[] {
  const id = calledName(callee);
  const suffix = args.find(({ name }) => name === 'suffix');
  if (suffix) return [suffix.value];
  const placed = args.filter(({ name }) => name === undefined).map(({ value }) => value);
  const file = args.find(({ name }) => name === 'file')?.value;
  const isMethod = id === 'open' && callee.kind === 'attribute' && !isLibrary(callee.of);
  const mode = args.find(({ name }) => name === 'mode')?.value ?? placed[isMethod ? 0 : 1];
  // A file that is only read is not written, even if the same name is used for another file elsewhere.
  if (id === 'open' && (!mode || (mode.kind === 'text' && !/[wax+]/.test(mode.value)))) return [];
  if (isMethod) return [callee.of];
  if (id === 'open' || id === 'fdopen') return [file ?? placed[0]].filter((part) => part !== undefined);
  // `"{}.py".format(name)`: what the method is of.
  if (callee.kind === 'attribute' && /^(?:format|resolve|absolute|expanduser|strip)$/.test(id))
    return [callee.of];
  return placed.slice(-1);
}

/** `io.open(path)`, not `path.open()` */
function isLibrary(of: Expression): boolean {
  return of.kind === 'name' && /^(?:io|os|codecs|gzip|aiofiles|builtins)$/.test(of.id);
}

function isFile(expression: Expression): boolean {
  return expression.kind === 'call' && /^(?:open|Path|fdopen)$/.test(calledName(expression.callee));
}
