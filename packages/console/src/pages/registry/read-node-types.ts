/** An input of an inner node, as far as it can be read from the sources. */
export interface NodeInput {
  readonly name: string;
  /** `INT`, `IMAGE`, or the choices of a list; absent if only running the code would show it. */
  readonly type: string | undefined;
  readonly isOptional: boolean;
  /** Default and bounds, such as `default 20 · min 1`. */
  readonly options: readonly (readonly [name: string, value: string])[];
}

export interface NodeOutput {
  readonly name: string;
  readonly type: string;
  readonly isList: boolean;
}

const GROUPS = ['required', 'optional'] as const;
const SHOWN_OPTIONS = ['default', 'min', 'max', 'step'] as const;
const MAX_CHOICES = 12;

/** Parses the inputs of an inner node from JSON text; `undefined` if they are unknown. */
export function readInputs(json: string | undefined): NodeInput[] | undefined {
  const groups = parse(json);
  if (!isRecord(groups)) return undefined;
  return GROUPS.flatMap((group) => {
    const inputs = groups[group];
    if (!isRecord(inputs)) return [];
    return Object.entries(inputs).map(([name, spec]) => ({
      name,
      isOptional: group === 'optional',
      ...readSpec(spec),
    }));
  });
}

function readSpec(spec: unknown): Pick<NodeInput, 'type' | 'options'> {
  const [type, options] = Array.isArray(spec) ? (spec as readonly unknown[]) : [];
  const known = isRecord(options) ? options : {};
  return {
    type: nameOfType(type, known),
    options: SHOWN_OPTIONS.filter((name) => isPlain(known[name])).map((name) => [name, String(known[name])]),
  };
}

function nameOfType(type: unknown, options: Readonly<Record<string, unknown>>): string | undefined {
  const choices = Array.isArray(type) ? type : options['options'];
  if (Array.isArray(choices)) {
    const shown = choices.slice(0, MAX_CHOICES).map((choice) => String(choice ?? '…'));
    return [...shown, ...(choices.length > MAX_CHOICES ? ['…'] : [])].join(' | ');
  }
  return typeof type === 'string' ? type : undefined;
}

interface OutputTexts {
  readonly return_types?: string;
  readonly return_names?: string;
  readonly output_is_list?: readonly boolean[];
}

export function readOutputs({ return_types, return_names, output_is_list }: OutputTexts): NodeOutput[] {
  const types = parse(return_types);
  const names = parse(return_names);
  if (!Array.isArray(types)) return [];
  return types.map((type: unknown, index) => {
    const name: unknown = Array.isArray(names) ? names[index] : undefined;
    const typeName = typeof type === 'string' ? type : '…';
    return {
      name: typeof name === 'string' ? name : typeName,
      type: typeName,
      isList: output_is_list?.[index] ?? false,
    };
  });
}

function parse(json: string | undefined): unknown {
  try {
    return JSON.parse(json ?? 'null');
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) && value !== '';
}
