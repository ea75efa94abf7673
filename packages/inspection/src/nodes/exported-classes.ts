import { memberOf } from '../interpreter/class-members.ts';
import type { Interpreter } from '../interpreter/machine.ts';
import { type ClassValue, type Frame, GAP, isKind, type Value } from '../interpreter/values.ts';
import type { Module } from '../python/modules.ts';
import { withAllowance } from './node-facts.ts';

export const REGISTERED = 'NODE_CLASS_MAPPINGS';
const ENTRY_POINT = 'comfy_entrypoint';

const MAX_NAME_LENGTH = 500;

/**
 * `named` has the entries of the mapping; the class is missing if the pack does not define it. `listed` has the classes that
 * name themselves in a schema, and `gaps` says why either may be incomplete.
 */
export function exportedBy(it: Interpreter, module: Module) {
  const { frame } = it.load(module);
  const mapping = frame.names.get(REGISTERED);
  const named = new Map<string, ClassValue | undefined>();
  let gaps = frame.isCut ? GAP.unread : 0;
  if (isKind(mapping, 'dict')) {
    gaps |= mapping.gaps;
    for (const [name, value] of mapping.entries) {
      if (name !== '' && name.length <= MAX_NAME_LENGTH)
        named.set(name, isKind(value, 'class') ? value : undefined);
    }
  } else if (mapping !== undefined || isSetUnseen(module, frame)) gaps |= GAP.unread;

  const listed = frame.names.has(ENTRY_POINT) ? listedBy(it, frame) : [];
  if (!listed) gaps |= GAP.unread;
  return { named, listed: listed ?? [], gaps };
}

/** `globals()["NODE_CLASS_MAPPINGS"] = …`, or a name of unknown origin in `__all__`. */
function isSetUnseen({ text }: Module, { names }: Frame): boolean {
  return !names.has(ENTRY_POINT) && /["'](?:NODE_CLASS_MAPPINGS|comfy_entrypoint)["']/.test(text);
}

/** `async def comfy_entrypoint(): return Extension()`, whose `get_node_list` returns the classes. */
function listedBy(it: Interpreter, frame: Frame): readonly ClassValue[] | undefined {
  const list = withAllowance(it, (): Value | undefined => {
    const entry = frame.names.get(ENTRY_POINT);
    const extension = isKind(entry, 'function') ? it.callFunction(entry, []) : undefined;
    if (!isKind(extension, 'instance')) return undefined;
    const method = memberOf(it, extension.of, 'get_node_list');
    if (!isKind(method, 'function')) return undefined;
    return it.callFunction(method.parameters.length > 0 ? { ...method, self: extension } : method, []);
  });
  if (!isKind(list, 'list') || list.gaps & ~GAP.maybe) return undefined;
  const classes = list.items.filter((item) => isKind(item, 'class'));
  return classes.length === list.items.length ? classes : undefined;
}

export function schemaClasses(it: Interpreter, module: Module): readonly ClassValue[] {
  const { names } = it.load(module).frame;
  return [...names.values()].filter(
    (value): value is ClassValue =>
      isKind(value, 'class') &&
      value.frame.file === module.file &&
      value.definition.body.some((one) => one.kind === 'function' && one.name === 'define_schema'),
  );
}
