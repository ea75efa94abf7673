import { inheritedOf, memberOf } from './class-members.ts';
import { moduleMember } from './import-modules.ts';
import type { Interpreter } from './machine.ts';
import { type ClassValue, type External, external, isKind, lastName, UNKNOWN, type Value } from './values.ts';

export function attributeOf(it: Interpreter, object: Value, id: string): Value {
  if (isKind(object, 'module')) return moduleMember(it, object, id);
  if (isKind(object, 'class')) return ofClass(it, object, id);
  if (isKind(object, 'instance')) {
    const own = object.attributes.get(id);
    return own ?? methodOf(memberOf(it, object.of, id), object.of, object);
  }
  if (isKind(object, 'parent')) return methodOf(inheritedOf(it, object.of, id), object.of, object.self);
  if (isKind(object, 'external')) return ofExternal(object, id);
  return isKind(object, 'function') ? UNKNOWN : external(`?.${id}`);
}

function ofClass(it: Interpreter, owner: ClassValue, id: string): Value {
  if (id === '__name__') return owner.definition.name;
  const member = memberOf(it, owner, id);
  if (member !== undefined) return methodOf(member, owner, undefined);
  // Members of a library's base class are known by name only.
  const of: External = { kind: 'external', path: owner.definition.name };
  return owner.bases.some((base) => isKind(base, 'external'))
    ? external(`${of.path}.${id}`, { of })
    : UNKNOWN;
}

/** Binds a method to its object, its class or neither. */
function methodOf(member: Value | undefined, owner: ClassValue, self: Value | undefined): Value {
  if (!isKind(member, 'function')) return member ?? UNKNOWN;
  if (member.binding === 'static') return member;
  if (member.binding === 'class') return { ...member, self: isKind(self, 'class') ? self : owner };
  return self === undefined ? member : { ...member, self };
}

function ofExternal(object: External, id: string): Value {
  // `schema.inputs` of a schema made with `inputs=[...]`
  const given = object.args?.find(({ name }) => name === id);
  if (given) return given.value;
  if (/comfy_types(?:\.\w+)*\.IO$/.test(object.path) && !object.args) return typeNamed(id);
  return external(`${object.path}.${id}`, { of: object });
}

/** `IO.IMAGE` of ComfyUI's typing module. */
function typeNamed(id: string): Value {
  if (id === 'ANY') return '*';
  if (id === 'NUMBER') return 'FLOAT,INT';
  if (id === 'PRIMITIVE') return 'STRING,FLOAT,INT,BOOLEAN';
  return id;
}

/** Whether a value is the result of a call of that name. */
export function isCallOf(value: Value, name: string): value is External & Required<Pick<External, 'args'>> {
  return isKind(value, 'external') && value.args !== undefined && lastName(value) === name;
}
