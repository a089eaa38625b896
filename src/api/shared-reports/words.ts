import { fitted } from '../../domain/organisation/logo.js';
import { timesIn } from '../../languages/en/times.js';
import type { SharedReport } from './report.js';

/** The texts of a report, as a page and as a PDF. Functions that take a moment take it in words or as markup. */
export const WORDS = {
  kind: 'Assessment report',
  title: ({ roleName }: SharedReport): string => `Assessment report: ${roleName}`,
  generated: <T>(when: T) => ['Generated on ', when] as const,
  overall: 'Overall score',
  /** The picture of the overall score, for those who do not see it. */
  picture: ({ overallScore }: SharedReport): string =>
    overallScore === null ? 'No overall score' : `Overall score ${overallScore} of 100`,
  figure: ({ overallScore }: SharedReport): string => (overallScore === null ? '–' : `${overallScore}`),
  outOf: 'of 100',
  passesAt: ({ overallScore, overallThreshold }: SharedReport): string =>
    overallScore === null ? '' : `${overallScore}, passes at ${overallThreshold}`,
  verdict: ({ passed }: SharedReport): string =>
    passed === null ? 'No result' : passed ? 'Passed' : 'Not passed',
  scores: 'Scores by dimension',
  noScores: 'The role has no dimensions.',
  purpose: 'Scores go from 0 to 100. They support people’s decisions and do not take their place.',
  expires: <T>(when: T) => ['The link shows the latest report until ', when, '.'] as const,
} as const;

/**
 * A moment of a report, in the time zone of its organisation. The page and the PDF are in English, as their recipient is
 * not known.
 */
export const momentIn = timesIn('en-GB', 'long');

/** The size in which a logo is shown, in pixels of a page. */
export const shownLogo = (size: NonNullable<SharedReport['organisationLogo']>): ReturnType<typeof fitted> =>
  fitted(size, { width: 240, height: 56 });

/** A score within the drawing. */
export const drawnScore = (score: number): number => Math.min(100, Math.max(0, score));
