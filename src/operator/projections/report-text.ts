import type { Finding, Report } from '../../engine/documents/findings.js';

/** What two sides of a comparison are called. */
export interface Sides {
  readonly left: string;
  readonly right: string;
}

/** A comparison in lines: the count, the first documents that differ and where, and how many there are besides. */
export const reportText = <Kind extends string>(of: string, report: Report<Kind>, sides: Sides): string => {
  const { compared, different, kinds, moving, first } = report;
  const counts = Object.entries<number>(kinds).flatMap(([kind, count]) =>
    count > 0 ? [`${count} ${kind}`] : [],
  );
  const result = different === 0 ? 'all alike' : counts.join(', ');
  const rest = different - first.length;
  return [
    `${of}: ${documents(compared)} compared, ${result}.`,
    ...first.flatMap((finding) => findingLines(finding, sides)),
    ...(rest > 0 ? [`  … and ${rest} more.`] : []),
    ...(moving > 0 ? [`  ${documents(moving)} changed faster than they could be compared.`] : []),
  ].join('\n');
};

export const documents = (count: number): string => `${count} ${count === 1 ? 'document' : 'documents'}`;

const findingLines = <Kind extends string>(
  { id, kind, fields, more, note }: Finding<Kind>,
  { left, right }: Sides,
): readonly string[] => [
  `  ${id}  ${kind}${note === null ? '' : `: ${note}`}`,
  ...fields.map(
    (field) =>
      `    ${field.path === '' ? '(all of it)' : field.path}  ${left}: ${field.left ?? 'nothing'}  ${right}: ${field.right ?? 'nothing'}`,
  ),
  ...(more ? ['    … and elsewhere'] : []),
];
