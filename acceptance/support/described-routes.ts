import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

const PARAMETER = '[^/]+';
/** `npm test` checks that these are what a server answers. To ask each server takes it 0.3 s. */
const DESCRIPTIONS = ['openapi.json', 'openapi-cloud.json'];
const DOCS = join(import.meta.dirname, '../../docs');

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

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly mediaType: string;
  readonly body: unknown;
}

/** Says what is wrong with an answer that the description of the API does not know; `undefined` when nothing is. */
type CheckAnswer = (seen: Seen) => string | undefined;

/** A route that the descriptions do not name may answer what it likes. */
export const checkAnswer: CheckAnswer = readDescriptions();

function readDescriptions(): CheckAnswer {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const routes: DescribedRoute[] = [];
  for (const file of DESCRIPTIONS) {
    const description = JSON.parse(readFileSync(join(DOCS, file), 'utf8')) as Description;
    ajv.addSchema({ ...description, $id: file });
    for (const [template, methods] of Object.entries(description.paths)) {
      routes.push({
        pattern: toPattern(template),
        pointer: `${file}#/paths/${toPointer(template)}`,
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
    // Settings can take routes away.
    if (status === 404 && JSON.stringify(body).includes('route.unknown')) return undefined;
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
