/** A place at which two JSON values differ. */
export interface Difference {
  /** A JSON pointer (RFC 6901); empty: the whole value. */
  readonly path: string;
  /** As JSON text, cut off where it is long; `null`: nothing is there. */
  readonly left: string | null;
  readonly right: string | null;
}

/** What two values differ in, the first places of it. */
export interface Differences {
  readonly first: readonly Difference[];
  /** There are others, which were not looked for. */
  readonly more: boolean;
}

export const isNone = ({ first, more }: Differences): boolean => first.length === 0 && !more;

const MAX_TEXT = 200;

/**
 * The first places at which two plain JSON values differ, each as deep as both go: members in the order of the left
 * one, then those that only the right one has. The order of members is no difference.
 * @param most how many places are looked for
 */
export function differencesOf(left: unknown, right: unknown, most: number): Differences {
  const first: Difference[] = [];
  for (const difference of walk(left, right, '')) {
    if (first.length >= most) return { first, more: true };
    first.push(difference);
  }
  return { first, more: false };
}

function* walk(left: unknown, right: unknown, path: string): Generator<Difference, void, undefined> {
  if (left === right) return;
  if (Array.isArray(left) && Array.isArray(right)) {
    const length = Math.max(left.length, right.length);
    for (let index = 0; index < length; index++) yield* walk(left[index], right[index], `${path}/${index}`);
  } else if (isObject(left) && isObject(right)) {
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)]))
      yield* walk(memberOf(left, key), memberOf(right, key), `${path}/${escaped(key)}`);
  } else {
    yield { path, left: shown(left), right: shown(right) };
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Own members only: a document may well have one named `constructor`. */
const memberOf = (value: JsonObject, key: string): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined;

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

function shown(value: unknown): string | null {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}
