import { isDeepStrictEqual } from 'node:util';
import { below, type Direction, isPart, type Part, SchemaComparison, type Versions } from './schemas.js';

type Comparison = (at: string, versions: Versions<Part>) => readonly string[];

/** The value of a key, before and after. */
const both = ({ before, after }: Versions<unknown>, key: string): Versions<Part> => ({
  before: below(before, key),
  after: below(after, key),
});

/** Compares the parts that have the same name in both documents, and reports a part that the later one lacks. */
const byName = (
  at: (name: string) => string,
  { before, after }: Versions<Part>,
  compare: Comparison,
): readonly string[] =>
  Object.entries(before).flatMap(([name, was]) => {
    const is = after[name];
    if (is === undefined) return [`${at(name)}: is gone`];
    return isPart(was) && isPart(is) ? compare(at(name), { before: was, after: is }) : [];
  });

const different = (
  at: string,
  { before, after }: Versions<Part>,
  ...keys: readonly string[]
): readonly string[] =>
  keys
    .filter((key) => !isDeepStrictEqual(before[key], after[key]))
    .map((key) => `${at}: ${key} was ${JSON.stringify(before[key])}, is ${JSON.stringify(after[key])}`);

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'];

/** Operations by `GET /path`. */
const operationsOf = (paths: Part): Part =>
  Object.fromEntries(
    Object.entries(paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const operation = isPart(item) ? item[method] : undefined;
        return operation === undefined ? [] : [[`${method.toUpperCase()} ${path}`, operation] as const];
      }),
    ),
  );

/**
 * Lists what breaks clients of the former document, as sentences; empty if nothing does.
 * @param before an OpenAPI 3.1 document
 * @param after a later one
 */
export const openApiBreaks = (before: Part, after: Part): readonly string[] => {
  const documents = { before, after };
  const schemas = new SchemaComparison(documents);
  const resolved = ({ before: was, after: is }: Versions<Part>): Versions<Part> => ({
    before: schemas.resolve('before', was) as Part,
    after: schemas.resolve('after', is) as Part,
  });
  const schemaOf = (at: string, versions: Versions<Part>, direction: Direction): readonly string[] =>
    schemas.broken(
      at,
      { before: versions.before.schema ?? {}, after: versions.after.schema ?? {} },
      direction,
    );
  const content = (at: string, versions: Versions<Part>, direction: Direction): readonly string[] =>
    byName(
      (type) => `${at} ${type}`,
      both(versions, 'content'),
      (place, media) => schemaOf(place, media, direction),
    );
  const parametersOf = (version: keyof Versions<Part>, operation: Part): Part =>
    Object.fromEntries(
      (Array.isArray(operation.parameters) ? operation.parameters : []).map((one: unknown) => {
        const parameter = schemas.resolve(version, one) as Part;
        return [`${String(parameter.in)} ${String(parameter.name)}`, parameter];
      }),
    );

  const operation = (at: string, versions: Versions<Part>, direction: Direction): readonly string[] => {
    const answer: Direction = direction === 'taken' ? 'given' : 'taken';
    const parameters = {
      before: parametersOf('before', versions.before),
      after: parametersOf('after', versions.after),
    };
    const requires = ({ required }: Part): boolean => required === true;
    const body = resolved(both(versions, 'requestBody'));
    return [
      ...different(at, versions, 'operationId', 'security'),
      ...byName(
        (name) => `${at} ${name}`,
        parameters,
        (place, one) => [
          ...schemaOf(place, one, direction),
          ...(requires(direction === 'taken' ? one.after : one.before) &&
          !requires(direction === 'taken' ? one.before : one.after)
            ? [`${place}: ${direction === 'taken' ? 'is required' : 'may be absent'} now`]
            : []),
        ],
      ),
      ...Object.entries(parameters.after)
        .filter(
          ([name, one]) => direction === 'taken' && !(name in parameters.before) && requires(one as Part),
        )
        .map(([name]) => `${at} ${name}: is required now`),
      ...(direction === 'taken' && requires(body.after) && !requires(body.before)
        ? [`${at} body: is required now`]
        : []),
      ...content(`${at} body`, body, direction),
      ...byName(
        (status) => `${at} ${status}`,
        both(versions, 'responses'),
        (place, responses) => {
          const response = resolved(responses);
          return [
            ...content(place, response, answer),
            ...byName(
              (name) => `${place} header ${name}`,
              both(response, 'headers'),
              (header, one) => schemaOf(header, resolved(one), answer),
            ),
          ];
        },
      ),
    ];
  };

  const operations = (version: keyof Versions<Part>, key: string): Part =>
    operationsOf(below(documents[version], key));
  const all = (key: string): Versions<Part> => ({
    before: operations('before', key),
    after: operations('after', key),
  });
  return [
    ...different('document', documents, 'security'),
    ...byName(
      (name) => name,
      all('paths'),
      (at, versions) => operation(at, versions, 'taken'),
    ),
    ...byName(
      (name) => `webhook ${name}`,
      all('webhooks'),
      (at, versions) => operation(at, versions, 'given'),
    ),
    ...namedSchemas(documents),
  ];
};

/** Generated clients have a type of each named schema. */
const namedSchemas = (documents: Versions<Part>): readonly string[] =>
  byName(
    (name) => `schema ${name}`,
    both(both(documents, 'components'), 'schemas'),
    () => [],
  );

/** The names of an operation's messages, with the messages. */
const messagesOf = (document: Part, operation: Part): Part => {
  const all = below(below(document, 'components'), 'messages');
  return Object.fromEntries<unknown>(
    (Array.isArray(operation.messages) ? operation.messages : []).map((one: unknown) => {
      const name = (isPart(one) ? String(one.$ref).split('/').at(-1) : undefined) ?? '';
      return [name, all[name]] as const;
    }),
  );
};

/**
 * Lists the same for two AsyncAPI 3.0 documents. Their `receive` operations are the messages that clients send.
 * @param before the former document
 * @param after a later one
 */
export const asyncApiBreaks = (before: Part, after: Part): readonly string[] => {
  const documents = { before, after };
  const schemas = new SchemaComparison(documents);
  return [
    ...byName(
      (name) => `channel ${name}`,
      both(documents, 'channels'),
      (at, channel) => different(at, channel, 'address'),
    ),
    ...byName(
      (name) => name,
      both(documents, 'operations'),
      (at, operation) => {
        const direction = operation.before.action === 'receive' ? 'taken' : 'given';
        const messages = {
          before: messagesOf(before, operation.before),
          after: messagesOf(after, operation.after),
        };
        return [
          ...different(at, operation, 'action'),
          ...byName(
            (name) => `${at} ${name}`,
            messages,
            (place, message) => [
              ...different(place, message, 'contentType'),
              ...schemas.broken(
                place,
                { before: message.before.payload, after: message.after.payload },
                direction,
              ),
            ],
          ),
        ];
      },
    ),
    ...namedSchemas(documents),
  ];
};

/**
 * Whether a version says that it breaks clients of another: a later major version or, before 1.0, a later minor one.
 * @param version `major.minor.patch`, as `from`
 */
export const mayBreak = (from: string, version: string): boolean => {
  const [major = 0, minor = 0] = from.split('.').map(Number);
  const [nextMajor = 0, nextMinor = 0] = version.split('.').map(Number);
  return nextMajor > major || (major === 0 && nextMajor === 0 && nextMinor > minor);
};
