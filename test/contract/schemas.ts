import { isDeepStrictEqual } from 'node:util';

/** A part of a document. */
export type Part = Readonly<Record<string, unknown>>;

/** Whether clients send what a schema describes (`taken`), or the service does (`given`). */
export type Direction = 'taken' | 'given';

/** The former and the present form of a document, or of a part of it. */
export interface Versions<T> {
  readonly before: T;
  readonly after: T;
}

export const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a value holds below a key, `{}` if there is no object. */
export const below = (value: unknown, key: string): Part => {
  const part = isPart(value) ? value[key] : undefined;
  return isPart(part) ? part : {};
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Keywords that do not change which values are valid. */
const NOTES = ['title', 'description', 'examples', 'example', 'deprecated', '$comment'];

/** Keywords with a number. 1: fewer values are valid with a larger number. -1: with a smaller one. */
const BOUNDS: Readonly<Record<string, 1 | -1>> = {
  minimum: 1,
  exclusiveMinimum: 1,
  minLength: 1,
  minItems: 1,
  minProperties: 1,
  maximum: -1,
  exclusiveMaximum: -1,
  maxLength: -1,
  maxItems: -1,
  maxProperties: -1,
};

/** Keywords that make fewer values valid. */
const RESTRICTIONS = ['format', 'pattern', 'multipleOf', 'uniqueItems', 'not'];

const COMPARED = [
  ...Object.keys(BOUNDS),
  ...RESTRICTIONS,
  'type',
  'const',
  'enum',
  'required',
  'properties',
  'additionalProperties',
  'items',
];

const TYPES = ['null', 'boolean', 'object', 'array', 'string', 'integer', 'number'];

const typesOf = ({ type }: Part): readonly unknown[] => {
  const types = type === undefined ? TYPES : [type].flat();
  return types.includes('number') ? [...types, 'integer'] : types;
};

/** The values that `enum` or `const` allows; `null`: neither limits the values. */
const valuesOf = (schema: Part): readonly unknown[] | null => {
  if ('const' in schema) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : null;
};

const UNIONS = ['anyOf', 'oneOf'];

/** Compares schemas of two versions of one document. */
export class SchemaComparison {
  /** Pairs of references that are being compared: schemas may hold themselves. */
  private readonly open = new Set<string>();

  constructor(private readonly documents: Versions<Part>) {}

  /** The part itself, or what it refers to. */
  resolve(version: keyof Versions<Part>, part: unknown): unknown {
    const reference = isPart(part) ? part.$ref : undefined;
    if (typeof reference !== 'string') return part;
    const keys = reference
      .slice('#/'.length)
      .split('/')
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const found = keys.reduce<unknown>(
      (at, key) => (isPart(at) ? at[key] : undefined),
      this.documents[version],
    );
    if (found === undefined) throw new Error(`${reference} leads nowhere.`);
    return this.resolve(version, found);
  }

  /**
   * What breaks clients that know the former schema, as sentences.
   * - of what clients send: that something is refused now
   * - of what the service sends: that something comes now which did not, or no longer comes
   */
  broken(at: string, versions: Versions<unknown>, direction: Direction): readonly string[] {
    const references = [versions.before, versions.after].map((one) => (isPart(one) ? one.$ref : undefined));
    const pair = references.every((one) => typeof one === 'string')
      ? `${references.join(' ')} ${direction}`
      : null;
    if (pair !== null && this.open.has(pair)) return [];
    if (pair !== null) this.open.add(pair);
    const before = this.resolve('before', versions.before);
    const after = this.resolve('after', versions.after);
    const found = isPart(before) && isPart(after) ? this.brokenParts(at, { before, after }, direction) : [];
    if (pair !== null) this.open.delete(pair);
    if (isPart(before) && isPart(after)) return found;
    return isDeepStrictEqual(before, after) ? [] : [`${at}: is another schema`];
  }

  private brokenParts(at: string, versions: Versions<Part>, direction: Direction): readonly string[] {
    const { before, after } = versions;
    const branches = { before: this.branchesOf('before', before), after: this.branchesOf('after', after) };
    if (branches.before !== null || branches.after !== null)
      return this.brokenBranches(
        at,
        { before: branches.before ?? [before], after: branches.after ?? [after] },
        direction,
      );
    // Of `wide`, everything must be valid under `narrow`, too.
    const [wide, narrow] = direction === 'taken' ? [before, after] : [after, before];
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return [
      ...this.brokenValues(at, versions, direction),
      ...names.flatMap((name) => {
        const sign = BOUNDS[name];
        const bounds = [wide[name], narrow[name]] as const;
        const isNarrower =
          sign !== undefined &&
          bounds[1] !== undefined &&
          (bounds[0] === undefined || sign * (Number(bounds[1]) - Number(bounds[0])) > 0);
        const mayDiffer =
          NOTES.includes(name) ||
          (COMPARED.includes(name) && !(RESTRICTIONS.includes(name) && narrow[name] !== undefined));
        return isNarrower || (!mayDiffer && !isDeepStrictEqual(before[name], after[name]))
          ? [`${at}: ${name} was ${JSON.stringify(before[name])}, is ${JSON.stringify(after[name])}`]
          : [];
      }),
      ...listOf(narrow.required)
        .filter((name) => !listOf(wide.required).includes(name))
        .filter((name) => !this.isGone(String(name), versions))
        .map(
          (name) => `${at}.${String(name)}: ${direction === 'taken' ? 'is required' : 'may be absent'} now`,
        ),
      ...this.brokenProperties(at, versions, direction),
      ...('items' in before || 'items' in after
        ? this.broken(`${at}[]`, { before: before.items ?? {}, after: after.items ?? {} }, direction)
        : []),
    ];
  }

  /** The branches of a union, each together with the keywords beside the union; `null`: the schema is no union. */
  private branchesOf(version: keyof Versions<Part>, schema: Part): readonly unknown[] | null {
    const name = UNIONS.find((one) => Array.isArray(schema[one]));
    if (name === undefined) return null;
    const rest = Object.fromEntries(
      Object.entries(schema).filter(([key]) => key !== name && !NOTES.includes(key)),
    );
    if (Object.keys(rest).length === 0) return listOf(schema[name]);
    return listOf(schema[name]).map((one) => {
      const branch = this.resolve(version, one) as Part;
      return {
        ...rest,
        ...branch,
        required: [...new Set([...listOf(rest.required), ...listOf(branch.required)])],
        properties: { ...below(rest, 'properties'), ...below(branch, 'properties') },
      };
    });
  }

  private isGone(property: string, { before, after }: Versions<Part>): boolean {
    return property in below(before, 'properties') && !(property in below(after, 'properties'));
  }

  private brokenValues(
    at: string,
    { before, after }: Versions<Part>,
    direction: Direction,
  ): readonly string[] {
    const was = valuesOf(before);
    const is = valuesOf(after);
    const [wide, narrow] = direction === 'taken' ? [was, is] : [is, was];
    const shown = (values: readonly unknown[] | null): string =>
      values ? JSON.stringify(values) : 'any value';
    // A client may branch on the values: a value that is no longer sent leaves a branch without use.
    const gone = (was ?? []).filter(
      (value) => is !== null && !is.some((one) => isDeepStrictEqual(one, value)),
    );
    const further = (wide ?? []).filter(
      (value) => narrow !== null && !narrow.some((one) => isDeepStrictEqual(one, value)),
    );
    if (gone.length > 0 || further.length > 0 || (wide === null && narrow !== null))
      return [`${at}: was ${shown(was)}, is ${shown(is)}`];
    const [types, taken] = direction === 'taken' ? [before, after] : [after, before];
    return wide === null && typesOf(types).some((type) => !typesOf(taken).includes(type))
      ? [`${at}: type was ${JSON.stringify(before.type)}, is ${JSON.stringify(after.type)}`]
      : [];
  }

  private brokenProperties(
    at: string,
    { before, after }: Versions<Part>,
    direction: Direction,
  ): readonly string[] {
    const [wide, narrow] = direction === 'taken' ? [before, after] : [after, before];
    const [was, is] = [below(before, 'properties'), below(after, 'properties')];
    const closed =
      narrow.additionalProperties === false && wide.additionalProperties !== false
        ? [`${at}: further fields are refused now`]
        : [];
    const others = [wide, narrow].map(({ additionalProperties }) => additionalProperties ?? true);
    const free = others.every(isPart)
      ? this.broken(
          `${at}{}`,
          { before: before.additionalProperties, after: after.additionalProperties },
          direction,
        )
      : [];
    return [
      ...closed,
      ...free,
      ...Object.entries(was).flatMap(([name, schema]) =>
        this.isGone(name, { before, after })
          ? [`${at}.${name}: is gone`]
          : this.broken(`${at}.${name}`, { before: schema, after: is[name] }, direction),
      ),
    ];
  }

  /** Each branch of the wide union must fit a branch of the narrow one. Each former branch must still exist. */
  private brokenBranches(
    at: string,
    { before: was, after: is }: Versions<readonly unknown[]>,
    direction: Direction,
  ): readonly string[] {
    const fits = (one: unknown, others: readonly unknown[], turned: boolean): boolean =>
      others.some((other) => {
        const versions = turned ? { before: other, after: one } : { before: one, after: other };
        return this.broken(at, versions, direction).length === 0;
      });
    // A client that handles null is not broken if a field of an answer is never null any more.
    const missed = was.filter((one) => direction === 'taken' || !(isPart(one) && one.type === 'null'));
    return [
      ...missed.filter((one) => !fits(one, is, false)).map((one) => `${at}: no longer ${this.named(one)}`),
      ...(direction === 'given'
        ? is.filter((one) => !fits(one, was, true)).map((one) => `${at}: also ${this.named(one)}`)
        : []),
    ];
  }

  private named(schema: unknown): string {
    const text = JSON.stringify(schema);
    return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
  }
}
