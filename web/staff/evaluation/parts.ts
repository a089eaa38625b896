import type {
  Contest,
  ContestedKind,
  EvaluationRead,
  Permission,
  ShareLink,
} from '../../../packages/client/src/index.js';
import type { MeasureTexts } from '../../../src/languages/en/console-measures.js';
import type { Language } from '../../../src/languages/languages.js';
import { durationOf } from '../pages/signal-figures.js';

/** The parts of an evaluation's page, as the address names them. */
export const PARTS = ['scores', 'transcript', 'findings', 'sharing', 'reads', 'generations'] as const;
export type Part = (typeof PARTS)[number];

/** The permission that a part needs, beside that to read evaluations. */
const NEEDS: Readonly<Partial<Record<Part, Permission>>> = { sharing: 'reports.share', reads: 'reads.read' };

/** The parts that a reader may see. */
export const partsFor = (may: (permission: Permission) => boolean): readonly Part[] =>
  PARTS.filter((part) => {
    const needed = NEEDS[part];
    return needed === undefined || may(needed);
  });

/** The part that an address names, if the reader may see it; else the scores. @param parts that the reader may see */
export const partOf = (asked: string | undefined, parts: readonly Part[]): Part =>
  parts.find((one) => one === asked) ?? 'scores';

/** The part of the page that shows contests of each kind: beside what they dispute. */
const SHOWN_AT: Readonly<Record<ContestedKind, Part>> = {
  score: 'scores',
  quote: 'transcript',
  transcript: 'transcript',
  finding: 'findings',
};

/** The contests that a part of the page shows. */
export const contestsOf = (part: Part, contests: readonly Contest[]): readonly Contest[] =>
  contests.filter(({ about }) => SHOWN_AT[about.kind] === part);

/** How many contests of a part wait for an answer. */
export const unansweredIn = (part: Part, contests: readonly Contest[]): number =>
  contestsOf(part, contests).filter(({ answer }) => answer === null).length;

/** Whether a link opens the report. @param now milliseconds since 1970 */
export const linkState = (
  { revokedAt, expiresAt }: Pick<ShareLink, 'revokedAt' | 'expiresAt'>,
  now: number,
): 'valid' | 'expired' | 'revoked' =>
  revokedAt !== null ? 'revoked' : Date.parse(expiresAt) <= now ? 'expired' : 'valid';

/** Consecutive reads of one reader: opening a page makes several of them. */
export interface Reading extends EvaluationRead {
  readonly times: number;
}

const SAME_READING_MS = 60_000;

/** Reads as they are shown, newest first: those of one reader within a minute of the one before are one row. */
export const readingsOf = (reads: readonly EvaluationRead[]): readonly Reading[] => {
  const readings: Reading[] = [];
  let former = NaN;
  for (const read of reads) {
    const at = Date.parse(read.at);
    const last = readings.at(-1);
    const isSame = last?.actor.type === read.actor.type && last.actor.id === read.actor.id;
    if (last && isSame && former - at <= SAME_READING_MS)
      readings.splice(-1, 1, { ...last, times: last.times + 1 });
    else readings.push({ ...read, times: 1 });
    former = at;
  }
  return readings;
};

/** What a rule compared, in words: a time as a duration, a share in percent. */
export interface Measure {
  /** `null`: the measure is of a later version of the service, and has no name here. */
  readonly name: string | null;
  readonly value: string;
}

/** A measure of a finding in the reader's language. @param name as the service has it, such as `minimumGapMs` */
export const measureOf = (
  name: string,
  value: number | string,
  { measures, measured }: MeasureTexts,
  language: Language,
): Measure => {
  const label = Object.hasOwn(measures, name) ? (measures[name] ?? null) : null;
  if (typeof value === 'string') return { name: label, value: measured[value] ?? value };
  if (name.endsWith('Ms')) return { name: label, value: durationOf(Math.round(value / 1_000), language) };
  const figure = value.toLocaleString(language, { maximumFractionDigits: 2 });
  return { name: label, value: name.endsWith('Percent') ? `${figure}\u00a0%` : figure };
};
