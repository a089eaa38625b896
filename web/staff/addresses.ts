// Addresses of the console's pages: `/console/{organisation}/{page}…`, and a page's state in the query.

/** The parts of a path below the console's. @param base the console's path, ending in a slash */
export const placeOf = (base: string, path: string): { readonly orgId: string; readonly page: string } => {
  const [orgId = '', ...rest] = path.startsWith(base) ? path.slice(base.length).split('/') : [];
  return { orgId, page: rest.filter((segment) => segment !== '').join('/') };
};

/** The page of another organisation that matches this one: of a record's page, its list. */
export const samePageOf = (page: string): string => page.split('/')[0] ?? '';

/**
 * An address's query with other values.
 * @param changes `null` and '' take a value out
 * @returns with its question mark, or '' if nothing is left
 */
export const queryWith = (
  query: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | null>>,
): string => {
  const all = Object.entries({ ...query, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== null && entry[1] !== '',
  );
  return all.length === 0 ? '' : `?${new URLSearchParams(all)}`;
};

/** What an address's query has, by its names. */
export type Query = Readonly<Record<string, string | undefined>>;

/** The value that is asked for; `undefined`: none, or not one of these. */
export const oneOf = <T extends string>(values: readonly T[], asked: string | undefined): T | undefined =>
  values.find((value) => value === asked);

/** A saved view's filter, whichever list it is of. */
export type AnyFilter = Readonly<Record<string, string | number | boolean | undefined>>;

/** A filter's values as an address has them. @param names in the address, by the filter's */
export const valuesOf = (
  filter: AnyFilter,
  names: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(names).flatMap(([field, name]) => {
      const value = filter[field];
      return value === undefined ? [] : [[name, `${value}`] as const];
    }),
  );

/** Whether a filter leaves anything out. */
export const isNarrowed = (filter: AnyFilter): boolean =>
  Object.entries(filter).some(([field, value]) => field !== 'sort' && value !== undefined);

/**
 * The person that a link signs in as, by its fragment `#as=…`, which browsers do not send to servers. Only the development
 * issuer allows it.
 * @returns their e-mail address, and the link's address without the fragment; `null`: the link has no such fragment
 */
export const askedAs = (address: string): { readonly email: string; readonly address: string } | null => {
  const [path = '', fragment = ''] = address.split('#');
  const email = new URLSearchParams(fragment).get('as');
  return email ? { email, address: path } : null;
};

/** Where a sign-in may return to: a page of the console; any other address becomes its first page. */
export const returnAddress = (base: string, asked: string): string =>
  asked.startsWith(base) && !asked.startsWith(`${base}callback`) && !asked.includes('\\') ? asked : base;

/** The parameters that are given: a query's values may be missing. */
export const given = <T extends object>(
  values: T,
): { readonly [Name in keyof T]?: Exclude<T[Name], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
