import { memberOf } from '../interpreter/class-members.ts';
import type { Interpreter } from '../interpreter/machine.ts';
import { type ClassValue, DOUBT, type Frame, isKind, type Value } from '../interpreter/values.ts';
import type { Module } from '../python/modules.ts';
import { ask } from './node-facts.ts';

export const REGISTERED = 'NODE_CLASS_MAPPINGS';
const ENTRY_POINT = 'comfy_entrypoint';

const LONGEST_NAME = 500;

/** What the host would take from a module. */
export interface Exported {
  /** By name; a class is missing when it is not one of the pack's own. */
  readonly named: ReadonlyMap<string, ClassValue | undefined>;
  /** Classes whose schema has the name. */
  readonly listed: readonly ClassValue[];
  /** Why it may not be all: see `DOUBT`. */
  readonly doubts: number;
}

/** The mapping and the entry point of a module, after it was run. */
export function exportedBy(it: Interpreter, module: Module): Exported {
  const { frame } = it.load(module);
  const mapping = frame.names.get(REGISTERED);
  const named = new Map<string, ClassValue | undefined>();
  let doubts = frame.isCut ? DOUBT.unread : 0;
  if (isKind(mapping, 'dict')) {
    doubts |= mapping.doubts;
    for (const [name, value] of mapping.entries) {
      if (name !== '' && name.length <= LONGEST_NAME)
        named.set(name, isKind(value, 'class') ? value : undefined);
    }
  } else if (mapping !== undefined || isSetUnseen(module, frame)) doubts |= DOUBT.unread;

  const listed = frame.names.has(ENTRY_POINT) ? listedBy(it, frame) : [];
  if (!listed) doubts |= DOUBT.unread;
  return { named, listed: listed ?? [], doubts };
}

/** `globals()["NODE_CLASS_MAPPINGS"] = …`, or a name in `__all__` that comes from nobody knows where. */
function isSetUnseen({ text }: Module, { names }: Frame): boolean {
  return !names.has(ENTRY_POINT) && /["'](?:NODE_CLASS_MAPPINGS|comfy_entrypoint)["']/.test(text);
}

/** `async def comfy_entrypoint(): return Extension()`, whose `get_node_list` returns the classes. */
function listedBy(it: Interpreter, frame: Frame): readonly ClassValue[] | undefined {
  const list = ask(it, (): Value | undefined => {
    const entry = frame.names.get(ENTRY_POINT);
    const extension = isKind(entry, 'function') ? it.callFunction(entry, []) : undefined;
    if (!isKind(extension, 'instance')) return undefined;
    const method = memberOf(it, extension.of, 'get_node_list');
    if (!isKind(method, 'function')) return undefined;
    return it.callFunction(method.parameters.length > 0 ? { ...method, self: extension } : method, []);
  });
  if (!isKind(list, 'list') || list.doubts & ~DOUBT.maybe) return undefined;
  const classes = list.items.filter((item) => isKind(item, 'class'));
  return classes.length === list.items.length ? classes : undefined;
}

/** Every class of a module that describes itself by a schema. */
export function schemaClasses(it: Interpreter, module: Module): readonly ClassValue[] {
  const { names } = it.load(module).frame;
  return [...names.values()].filter(
    (value): value is ClassValue =>
      isKind(value, 'class') &&
      value.frame.file === module.file &&
      value.definition.body.some((one) => one.kind === 'function' && one.name === 'define_schema'),
  );
}
