import type { Contest, ContestedKind } from '../../../packages/client/src/index.js';

/** The parts of an evaluation's page, as the address names them. */
export const PARTS = ['scores', 'transcript', 'findings'] as const;
export type Part = (typeof PARTS)[number];

/** The part that an address asks for, if there is such a one; else the scores. */
export const partOf = (asked: string | undefined): Part => PARTS.find((one) => one === asked) ?? 'scores';

/** Where what is contested is shown: beside what it disputes. */
const SHOWN_AT: Readonly<Record<ContestedKind, Part>> = {
  score: 'scores',
  quote: 'transcript',
  transcript: 'transcript',
  finding: 'findings',
};

/** What is contested of a part of the page. */
export const contestsOf = (part: Part, contests: readonly Contest[]): readonly Contest[] =>
  contests.filter(({ about }) => SHOWN_AT[about.kind] === part);

/** How many contests of a part wait for an answer. */
export const unansweredIn = (part: Part, contests: readonly Contest[]): number =>
  contestsOf(part, contests).filter(({ answer }) => answer === null).length;
