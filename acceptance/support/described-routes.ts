import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

const PARAMETER = '[^/]+';
const DESCRIPTIONS = ['/openapi', '/api/openapi.json'];

interface Media {
  readonly schema?: object;
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface DescribedRoute {
  readonly pattern: RegExp;
  readonly pointer: string;
  readonly methods: Readonly<Record<string, Operation>>;
}

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly mediaType: string;
  readonly body: unknown;
}

/** Says what is wrong with an answer that the server's own description does not know; `undefined` when nothing is. */
export type CheckAnswer = (seen: Seen) => string | undefined;

const checks = new Map<string, Promise<CheckAnswer>>();

/** Reads the server's descriptions once; a route that they do not name may answer what it likes. */
export async function describedRoutes(url: string): Promise<CheckAnswer> {
  const known = checks.get(url) ?? readDescriptions(url);
  checks.set(url, known);
  return await known;
}

async function readDescriptions(url: string): Promise<CheckAnswer> {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const routes: DescribedRoute[] = [];
  for (const address of DESCRIPTIONS) {
    const description = (await (await fetch(new URL(address, url))).json()) as Description;
    ajv.addSchema({ ...description, $id: address });
    for (const [template, methods] of Object.entries(description.paths)) {
      routes.push({
        pattern: toPattern(template),
        pointer: `${address}#/paths/${toPointer(template)}`,
        methods,
      });
    }
  }
  // A template with fewer parameters is the closer match.
  routes.sort((left, right) => parametersOf(left) - parametersOf(right));
  const validators = new Map<string, ValidateFunction>();

  return ({ method, path, status, mediaType, body }) => {
    const route = routes.find(({ pattern }) => pattern.test(path));
    const verb = method.toLowerCase() === 'head' ? 'get' : method.toLowerCase();
    const operation = route?.methods[verb];
    if (!route || !operation) return undefined;
    const response = operation.responses[status];
    if (!response) {
      return `${status} is not described: only ${Object.keys(operation.responses).join(', ')} are`;
    }
    if (mediaType !== 'application/json' || !response.content?.[mediaType]?.schema) return undefined;
    const pointer = `${route.pointer}/${verb}/responses/${status}/content/${toPointer(mediaType)}/schema`;
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: pointer });
    validators.set(pointer, validate);
    return validate(body) ? undefined : `the body is not as described: ${ajv.errorsText(validate.errors)}`;
  };
}

function parametersOf({ pattern }: DescribedRoute): number {
  return pattern.source.split(PARAMETER).length;
}

function toPattern(template: string): RegExp {
  const parts = template.split(/\{[^}]+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join(PARAMETER)}$`);
}

function toPointer(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}
