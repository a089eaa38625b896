import openapi, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { below, isPart, type Part } from './schemas.js';

/** The client's file that is generated from the OpenAPI document. */
export const CLIENT = 'packages/client/src/contract.ts';

const HEAD = '// Generated from docs/contract/openapi.json by `npm run contract:write`.\n';

/** Keywords that limit a field. */
const LIMITS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'];

/** The types of a document, the values of its enumerations and the limits of its fields, in TypeScript. */
export const clientOf = async (document: Part): Promise<string> => {
  const types = await openapi(JSON.stringify(document), {
    immutable: true,
    enumValues: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
  });
  const text = [HEAD, astToString(types), limitsOf(document)].join('\n');
  return format(text, { ...(await resolveConfig(CLIENT)), filepath: CLIENT });
};

/**
 * Writes one constant for each schema that has limits, so that a bundle holds only those that it uses. Schemas of what
 * clients send are those with `additionalProperties: false`.
 */
const limitsOf = (document: Part): string => {
  const schemas = Object.entries(below(below(document, 'components'), 'schemas'));
  return schemas
    .filter(([, schema]) => isPart(schema) && schema['additionalProperties'] === false)
    .map(([name, schema]) => [name, fieldsWithLimits(below(schema, 'properties'))] as const)
    .filter(([, fields]) => Object.keys(fields).length > 0)
    .map(
      ([name, fields]) => `export const ${uncapitalised(name)}Limits = ${JSON.stringify(fields)} as const;\n`,
    )
    .join('\n');
};

const fieldsWithLimits = (properties: Part): Part => {
  const fields = Object.keys(properties).map((field) => {
    const limits = Object.entries(below(properties, field)).filter(([keyword]) => LIMITS.includes(keyword));
    return [field, Object.fromEntries(limits)] as const;
  });
  return Object.fromEntries(fields.filter(([, limits]) => Object.keys(limits).length > 0));
};

const uncapitalised = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
