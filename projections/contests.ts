import { type ApplicationRef, applicationRefOf } from '../src/domain/candidate/events.js';
import type { Contested } from '../src/domain/evaluation/events.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView } from './view.js';

/** What a candidate disputes of an evaluation, by the evaluation's id, with the answers of staff. */
export interface ContestsDocument extends ViewDocument, ApplicationRef {
  /** Oldest first. */
  readonly contests: readonly ContestFacts[];
  /** No answer is awaited any more. */
  readonly erased: boolean;
  /** `null` once the candidate is erased. */
  readonly personal: {
    /** Texts by the id of the contest. */
    readonly texts: Readonly<Record<string, ContestTexts>>;
  } | null;
}

/** A contest without its texts. */
export interface ContestFacts {
  readonly contestId: string;
  readonly kind: Contested;
  readonly contestedAt: string;
  /** `null` until staff answer. */
  readonly answer: { readonly answeredAt: string; readonly answeredBy: string } | null;
}

/** The personal texts of a contest. */
export interface ContestTexts {
  /** What it is about, as the candidate names it; `null`: they name nothing. */
  readonly reference: string | null;
  readonly text: string;
  /** `null` until it is answered. */
  readonly answer: string | null;
}

export const contests = defineView<ContestsDocument>()({
  name: 'contests',
  version: 2,
  documentId: (event) => event.data.evaluationId,
  initial: () => ({
    organisationId: '',
    candidateId: '',
    applicationId: '',
    trialSessionId: '',
    roleId: '',
    contests: [],
    erased: false,
    person: null,
    personal: null,
  }),
  every: (document, event) => ({
    ...document,
    ...applicationRefOf(event.data),
    person: event.person ?? document.person ?? null,
  }),
  on: {
    'evaluation.contested': (document, { data, personal, metadata }) => {
      const { contestId, kind } = data;
      const one = { contestId, kind, contestedAt: metadata.recordedAt, answer: null };
      const { texts } = document.personal ?? { texts: {} };
      return {
        ...document,
        contests: [...document.contests, one],
        personal: personal && { texts: { ...texts, [contestId]: { ...personal, answer: null } } },
      };
    },
    'evaluation.contest_answered': (document, { data, personal, metadata }) => {
      const { contestId, answeredBy } = data;
      const answer = { answeredAt: metadata.recordedAt, answeredBy };
      const { texts } = document.personal ?? { texts: {} };
      const own = texts[contestId];
      return {
        ...document,
        contests: document.contests.map((one) => (one.contestId === contestId ? { ...one, answer } : one)),
        personal:
          personal && own ? { texts: { ...texts, [contestId]: { ...own, answer: personal.text } } } : null,
      };
    },
    'evaluation.erased': (document) => ({ ...document, erased: true, personal: null }),
  },
  keys: {
    /** Since when a contest waits for its answer. */
    contested: ({ erased, contests: all }) =>
      erased ? null : (all.find(({ answer }) => answer === null)?.contestedAt ?? null),
  },
  indexes: {
    byOrganisationContested: ['organisationId', 'contested'],
    byOrganisationRoleContested: ['organisationId', 'roleId', 'contested'],
  },
});
