import type { Modules } from '../python/modules.ts';
import { attributeOf } from './attributes.ts';
import { apply, callFunction } from './calls.ts';
import { evaluate } from './evaluate.ts';
import { createLoader } from './import-modules.ts';
import { createMachine, type Interpreter } from './machine.ts';
import { assign, runStatements } from './run-statements.ts';
import { UNKNOWN, type Value } from './values.ts';

/** For a whole pack. Code beyond it is not followed. */
const STEPS = 3_000_000;

/**
 * Follows the statements of a pack as Python would run them, for values that the sources spell out. Nothing outside is
 * called: its results are unknown, and everything that depends on them is in doubt.
 */
export function createInterpreter(modules: Modules): Interpreter {
  const machine = createMachine(STEPS);
  const orUnknown = (value: Value | undefined): Value => (value === undefined ? UNKNOWN : value);
  const it: Interpreter = {
    modules,
    machine,
    evaluate: (expression, frame) => orUnknown(machine.deeper(() => evaluate(it, expression, frame))),
    assign: (target, value, frame) => assign(it, target, value, frame),
    run: (statements, frame) => runStatements(it, statements, frame),
    apply: (callee, args) => apply(it, callee, args),
    callFunction: (called, args) => orUnknown(machine.deeper(() => callFunction(it, called, args))),
    attribute: (object, id) => attributeOf(it, object, id),
    load: createLoader(() => it),
  };
  return it;
}
