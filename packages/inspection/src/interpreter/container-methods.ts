import type { Machine } from './machine.ts';
import { joinText } from './operations.ts';
import {
  type ArgumentValue,
  type Dict,
  GAP,
  gapsOf,
  isKind,
  keyText,
  type List,
  UNKNOWN,
  type Value,
} from './values.ts';

const MAX_TEXT_LENGTH = 2000;

/** `object.id(args)` for objects of the language. */
export function callMethod(
  machine: Machine,
  object: string | List | Dict,
  id: string,
  args: readonly ArgumentValue[],
): Value {
  if (typeof object === 'string') return ofText(object, id, args);
  return object.kind === 'list' ? ofList(machine, object, id, args) : ofDict(machine, object, id, args);
}

export function updateDict(machine: Machine, dict: Dict, added: Value): void {
  const isMaybe = machine.isMaybe(dict.born);
  if (isKind(added, 'dict')) {
    machine.step(added.entries.size);
    for (const [key, value] of added.entries) dict.entries.set(key, value);
  } else if (
    isKind(added, 'list') &&
    added.items.every((item) => isKind(item, 'list') && item.items.length === 2)
  ) {
    for (const item of added.items) {
      if (isKind(item, 'list')) setItem(machine, dict, item.items[0] ?? UNKNOWN, item.items[1] ?? UNKNOWN);
    }
  }
  dict.gaps |= gapsOf(added) | (isMaybe ? GAP.maybe : 0);
}

export function setItem(machine: Machine, object: List | Dict, key: Value, value: Value): void {
  if (machine.isMaybe(object.born)) object.gaps |= GAP.maybe;
  const text = keyText(key);
  if (object.kind === 'dict' && text !== undefined) object.entries.set(text, value);
  else if (object.kind === 'list' && typeof key === 'number' && object.items.at(key) !== undefined)
    object.items.splice(key, 1, value);
  else object.gaps |= object.kind === 'dict' ? gapsOf(key) : GAP.unread;
}

export function deleteItem(machine: Machine, object: List | Dict, key: Value): void {
  const text = keyText(key);
  if (object.kind !== 'dict' || text === undefined) object.gaps |= GAP.unread;
  // After a removal that may not happen, the item may still be there.
  else if (machine.isMaybe(object.born)) object.gaps |= GAP.maybe;
  else object.entries.delete(text);
}

function ofDict(machine: Machine, dict: Dict, id: string, args: readonly ArgumentValue[]): Value {
  const [first = UNKNOWN, second = null] = args.map(({ value }) => value);
  const key = keyText(first);
  switch (id) {
    case 'update':
      for (const { name, value, stars } of args) {
        if (name === undefined) updateDict(machine, dict, stars === 1 ? UNKNOWN : value);
        else setItem(machine, dict, name, value);
      }
      return null;
    case 'setdefault':
      if (key === undefined || !dict.entries.has(key)) setItem(machine, dict, first, second);
      return key === undefined ? UNKNOWN : (dict.entries.get(key) ?? UNKNOWN);
    case 'get': {
      const known = key === undefined ? undefined : dict.entries.get(key);
      return known ?? (key !== undefined && dict.gaps === 0 ? second : UNKNOWN);
    }
    case 'pop': {
      const known = key === undefined ? UNKNOWN : (dict.entries.get(key) ?? second);
      deleteItem(machine, dict, first);
      return known;
    }
    case 'clear':
      for (const name of dict.entries.keys()) deleteItem(machine, dict, name);
      return null;
    case 'copy':
      return machine.dict(dict.entries, dict.gaps);
    case 'keys':
      return machine.list([...dict.entries.keys()], dict.gaps);
    case 'values':
      return machine.list([...dict.entries.values()], dict.gaps);
    case 'items':
      return machine.list(
        [...dict.entries].map((entry) => machine.list(entry)),
        dict.gaps,
      );
    default:
      dict.gaps |= GAP.unread;
      return UNKNOWN;
  }
}

function ofList(machine: Machine, list: List, id: string, args: readonly ArgumentValue[]): Value {
  const [first = UNKNOWN, second = UNKNOWN] = args.map(({ value }) => value);
  if (id === 'copy') return machine.list(list.items, list.gaps);
  if (id === 'index' || id === 'count') return UNKNOWN;
  if (machine.isMaybe(list.born)) list.gaps |= GAP.maybe;
  switch (id) {
    case 'append':
    case 'add':
      machine.step();
      list.items.push(first);
      return null;
    case 'extend':
      if (isKind(first, 'list')) {
        machine.step(first.items.length);
        // A copy, because a list may be extended by itself.
        for (const item of first.items.slice()) list.items.push(item);
        list.gaps |= first.gaps;
      } else list.gaps |= GAP.unread;
      return null;
    case 'insert':
      if (typeof first === 'number') list.items.splice(first, 0, second);
      else list.gaps |= GAP.unread;
      return null;
    default:
      list.gaps |= GAP.unread;
      return UNKNOWN;
  }
}

function ofText(text: string, id: string, args: readonly ArgumentValue[]): Value {
  const [first, second] = args.map(({ value }) => value);
  if (text.length > MAX_TEXT_LENGTH) return UNKNOWN;
  switch (id) {
    case 'upper':
      return text.toUpperCase();
    case 'lower':
      return text.toLowerCase();
    case 'replace':
      if (typeof first !== 'string' || typeof second !== 'string' || first === '' || args.length > 2)
        return UNKNOWN;
      return joinText(text.split(first).flatMap((part, index) => (index === 0 ? [part] : [second, part])));
    case 'join':
      if (!isKind(first, 'list') || first.gaps !== 0) return UNKNOWN;
      return joinText(first.items.flatMap((part, index) => (index === 0 ? [part] : [text, part])));
    case 'format':
      return formatText(text, args);
    default:
      return UNKNOWN;
  }
}

/** `"{} {name}".format(…)`, without format specs. */
function formatText(text: string, args: readonly ArgumentValue[]): Value {
  let place = 0;
  const parts = text.split(/(\{\w*\})/).map((part): Value => {
    if (!/^\{\w*\}$/.test(part)) return /[{}]/.test(part) ? UNKNOWN : part;
    const name = part.slice(1, -1);
    if (name !== '' && !/^\d+$/.test(name)) return args.find((one) => one.name === name)?.value ?? UNKNOWN;
    const argument = args[name === '' ? place : Number(name)];
    place += 1;
    return argument?.stars === 0 && argument.name === undefined ? argument.value : UNKNOWN;
  });
  return joinText(parts);
}
