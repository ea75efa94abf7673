import { isObject } from '@atelier/contracts/is-object';
import { closestName, didYouMean } from '@atelier/engine';
import type { FastifyRequest } from 'fastify';

const MAX_WARNINGS = 10;
const MAX_NAME = 100;

interface Schema {
  readonly properties?: Properties;
}
type Properties = Readonly<Record<string, Schema>>;

/** The `warnings` of an answer: a sentence for each field that is not in the schema of the route. */
export function warnOfUnknownFields({ routeOptions, body }: FastifyRequest): { warnings?: string[] } {
  const { properties = {} } = (routeOptions.schema?.body ?? {}) as Schema;
  const warnings = warningsOf(properties, body, '').slice(0, MAX_WARNINGS);
  return warnings.length === 0 ? {} : { warnings };
}

function warningsOf(properties: Properties, body: unknown, prefix: string): string[] {
  if (!isObject(body)) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known) return known.properties ? warningsOf(known.properties, value, `${prefix}${name}.`) : [];
    const meant = closestName(name, Object.keys(properties));
    return [
      `${prefix}${name.slice(0, MAX_NAME)} is not a field of this request and is ignored.${didYouMean(meant)}`,
    ];
  });
}
