import type { Scope } from '../python/scopes.ts';
import { type Call, calledName, type Expression } from '../python/syntax.ts';
import type { RuleId } from './rules.ts';

/** Variables from which programs take code or commands. */
const INJECTING = new Set(
  'LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES PYTHONBREAKPOINT PYTHONSTARTUP BASH_ENV NODE_OPTIONS GIT_SSH_COMMAND BROWSER'.split(
    ' ',
  ),
);
const SETTERS = /^(?:setdefault|putenv|__setitem__|setitem|setenv)$/;

interface Setting {
  readonly key: string;
  readonly value: Expression | undefined;
  readonly at: number;
}

export function ruleForSetting({ key, value }: Setting): RuleId | undefined {
  if (INJECTING.has(key)) return 'injected-environment';
  const isTrue = value?.kind === 'constant' && value.value === true;
  return key === 'trust_remote_code' && isTrue ? 'remote-code' : undefined;
}

/** `{key: value}`, `f(key=value)`, `x.setdefault(key, value)` */
export function settingsIn(expression: Expression): readonly Setting[] {
  if (expression.kind === 'dictionary')
    return expression.entries.flatMap(({ key, value }) => setting(key, value));
  return expression.kind === 'call' ? settingsOfCall(expression) : [];
}

/** `x[key] = value` */
export function settingsStored({ stores }: Scope): readonly Setting[] {
  return stores.flatMap(({ target, value }) =>
    target.kind === 'index' && target.keys.length === 1 ? setting(target.keys[0], value) : [],
  );
}

function settingsOfCall({ callee, args, at }: Call): readonly Setting[] {
  const named = args.flatMap(({ name, value }) => (name === undefined ? [] : [{ key: name, value, at }]));
  const id = calledName(callee);
  const [first, second] = args;
  return first && SETTERS.test(id) ? [...named, ...setting(first.value, second?.value)] : named;
}

function setting(key: Expression | undefined, value: Expression | undefined): Setting[] {
  return key?.kind === 'text' ? [{ key: key.value, value, at: key.at }] : [];
}
