import type { RoleChange } from '../../../packages/client/src/index.js';

/**
 * A changed part as a text. Lists have a line for each item.
 * @param categoryOf what the category of a dimension means to its reader
 * @returns '' if there is none
 */
export const changedText = (value: unknown, categoryOf: (category: string) => string): string => {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((one) => changedText(one, categoryOf)).join('\n');
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value);
  const { name, text, weight, category, threshold, rubric, version, dimensionName } = value as Partial<
    Readonly<Record<string, string | number | null>>
  >;
  const head = [name ?? version, weight ?? text].filter((one) => one != null).join(': ');
  const rest = [
    category == null ? null : categoryOf(`${category}`),
    threshold != null && `≥ ${threshold}`,
    rubric,
    dimensionName,
  ].filter(Boolean);
  return [head, ...rest].join(', ');
};

/** The parts of a role that changed, each once, in the order of the changes. */
export const changedFields = (changes: readonly Pick<RoleChange, 'path'>[]): readonly string[] => [
  ...new Set(changes.map(({ path }) => path)),
];

/** Two versions to compare, of the query's texts; `null`: they are not both versions of the role. */
export const versionsOf = (
  from: string | undefined,
  to: string | undefined,
): { readonly from: number; readonly to: number } | null => {
  const one = /^[1-9]\d{0,8}$/;
  return from !== undefined && to !== undefined && one.test(from) && one.test(to)
    ? { from: Number(from), to: Number(to) }
    : null;
};
