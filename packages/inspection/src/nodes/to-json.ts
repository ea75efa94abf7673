import { isKind, UNKNOWN, type Value } from '../interpreter/values.ts';

/** Longer descriptions of inputs are left out. */
const MAX_JSON_LENGTH = 64 * 1024;
const MAX_DEPTH = 60;

/** JSON with `null` for unknown list items, and without unknown dictionary entries. */
export function toJson(value: Value): string | undefined {
  const writer = createWriter();
  return writer.finish(writer.write(value));
}

/**
 * The inputs of a node by group and name. A group that is not fully known leaves out everything, and an input with a known
 * name only is `null`.
 */
export function inputsToJson(value: Value): string | undefined {
  if (!isKind(value, 'dict') || value.gaps !== 0) return undefined;
  const writer = createWriter();
  const groups: string[] = [];
  for (const [name, group] of value.entries) {
    if (!isKind(group, 'dict') || group.gaps !== 0) {
      const text = writer.write(group);
      if (text === undefined) return undefined;
      groups.push(`${JSON.stringify(name)}:${text}`);
      continue;
    }
    const inputs = [...group.entries].map(
      ([key, input]) => `${JSON.stringify(key)}:${writer.write(input) ?? 'null'}`,
    );
    groups.push(`${JSON.stringify(name)}:{${inputs.join(',')}}`);
  }
  return writer.finish(`{${groups.join(',')}}`);
}

/** A few lines can share values that are endless when written out, so pieces are counted. */
function createWriter() {
  let left = MAX_JSON_LENGTH;
  const write = (value: Value, depth = 0): string | undefined => {
    left -= 1;
    if (left < 0 || depth > MAX_DEPTH || value === UNKNOWN) return undefined;
    if (isKind(value, 'list')) {
      if (value.gaps !== 0) return undefined;
      return `[${value.items.map((item) => write(item, depth + 1) ?? 'null').join(',')}]`;
    }
    if (isKind(value, 'dict')) {
      if (value.gaps !== 0) return undefined;
      const entries = [...value.entries].flatMap(([key, one]) => {
        const text = write(one, depth + 1);
        return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
      });
      return `{${entries.join(',')}}`;
    }
    // The 64-bit bounds of seeds stay exact.
    if (typeof value === 'bigint') return String(value);
    if (typeof value === 'number') return Number.isFinite(value) ? JSON.stringify(value) : undefined;
    if (typeof value === 'object' && value !== null) return undefined;
    const text = JSON.stringify(value);
    left -= text.length;
    return text;
  };
  return {
    write,
    finish: (text: string | undefined) =>
      left >= 0 && text !== undefined && text.length <= MAX_JSON_LENGTH ? text : undefined,
  };
}
