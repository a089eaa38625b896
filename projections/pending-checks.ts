import { type ApplicationRef, applicationRefOf } from '../src/domain/candidate/events.js';
import { askedBy } from '../src/domain/evaluation/awaited.js';
import type { CheckedWork, CheckFailure } from '../src/domain/session/check-events.js';
import type { AwaitedWork } from '../src/domain/session/events.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView, onEach } from './view.js';

/** Checks that are to run over a hand-in. */
export interface WaitingCheck {
  readonly handInId: string;
  readonly scope: CheckedWork['scope'];
  readonly askedAt: string;
  /** The id of the event that asks for them. */
  readonly causedBy: string;
  readonly correlationId: string;
}

/** Checks of a completed session that ended without a result. */
export interface FailedCheck {
  readonly handInId: string;
  readonly ticketId: string;
  readonly reason: CheckFailure;
  readonly at: string;
}

/**
 * The checks that a session waits for, by the session's id: they run one after the other. It also has those that count for
 * its evaluation and failed: operators can run them again.
 */
export interface PendingChecksDocument extends ViewDocument, ApplicationRef {
  /** `null` until the session is completed. */
  readonly evaluationId: string | null;
  /** The evaluation's generation; 0 until the session is completed. */
  readonly generation: number;
  /** The tickets with checks that candidates see. */
  readonly visible: readonly string[];
  /** In the order in which they run. */
  readonly waiting: readonly WaitingCheck[];
  /** In the order in which they failed, until they have a result or another hand-in counts. */
  readonly failed: readonly FailedCheck[];
  /** By ticket, the id of the hand-in that arrived last after the completion: it counts, and no other one. */
  readonly late: Readonly<Record<string, string>>;
  /** No visible checks are run any more. */
  readonly isOver: boolean;
}

export const pendingChecks = defineView<PendingChecksDocument>()({
  name: 'pending-checks',
  version: 2,
  documentId: ({ data }) => data.trialSessionId,
  initial: (trialSessionId) => ({
    organisationId: '',
    candidateId: '',
    applicationId: '',
    trialSessionId,
    roleId: '',
    evaluationId: null,
    generation: 0,
    visible: [],
    waiting: [],
    failed: [],
    late: {},
    isOver: false,
  }),
  on: {
    'trial.started': (document, { data }) => ({
      ...document,
      ...applicationRefOf(data),
      visible: (data.tickets ?? []).flatMap(({ ticketId, work }) => (work?.visibleChecks ? [ticketId] : [])),
    }),
    'work.handed_in': (document, event) => {
      const { handInId, ticketId } = event.data;
      if (!document.visible.includes(ticketId)) return document;
      return { ...document, waiting: [...document.waiting, waitingFor(handInId, 'visible', event)] };
    },
    'trial.completed': (document, event) => ({
      ...document,
      ...applicationRefOf(event.data),
      evaluationId: event.data.evaluationId,
      generation: 1,
      waiting: allOf(event.data.awaits ?? [], event),
      isOver: true,
    }),
    ...onEach(
      ['evaluation.work_handed_in', 'evaluation.regeneration_requested'],
      (document: PendingChecksDocument, event) => ({
        ...document,
        ...applicationRefOf(event.data),
        evaluationId: event.data.evaluationId,
        generation: event.data.generation,
        waiting: [...document.waiting, ...allOf(askedBy(event), event)],
        ...(event.type === 'evaluation.work_handed_in' && withLate(document, event.data)),
        isOver: true,
      }),
    ),
    ...onEach(['work.checked', 'evaluation.work_checked'], (document: PendingChecksDocument, event) => {
      const isOther = ({ handInId }: { readonly handInId: string }) => handInId !== event.data.handInId;
      return {
        ...document,
        waiting: document.waiting.filter(isOther),
        failed: [...document.failed.filter(isOther), ...failureOf(document, event)],
      };
    }),
    ...onEach(
      ['trial.withdrawn', 'trial.expired', 'trial.erased', 'evaluation.erased'],
      (document: PendingChecksDocument) => ({ ...document, waiting: [], failed: [], isOver: true }),
    ),
  },
  removed: ({ waiting, failed, visible, isOver }) =>
    waiting.length === 0 && failed.length === 0 && (isOver || visible.length === 0),
  keys: {
    since: ({ waiting }) => waiting[0]?.askedAt ?? null,
    failedAt: ({ failed }) => failed.at(-1)?.at ?? null,
  },
  indexes: { bySince: ['since'], byFailure: ['failedAt'] },
});

type Asking = { readonly id: string; readonly metadata: { recordedAt: string; correlationId: string } };

const waitingFor = (
  handInId: string,
  scope: WaitingCheck['scope'],
  { id, metadata }: Asking,
): WaitingCheck => ({
  ...{ handInId, scope, askedAt: metadata.recordedAt },
  ...{ causedBy: id, correlationId: metadata.correlationId },
});

/**
 * The checks after a hand-in has arrived: an earlier one of its ticket no longer counts, whatever the results of its
 * checks are.
 */
const withLate = (
  { failed, late }: PendingChecksDocument,
  { ticketId, handInId }: Pick<CheckedWork, 'ticketId' | 'handInId'>,
): Pick<PendingChecksDocument, 'failed' | 'late'> => ({
  failed: failed.filter((one) => one.ticketId !== ticketId),
  late: { ...late, [ticketId]: handInId },
});

const failureOf = (
  { late }: PendingChecksDocument,
  { data, metadata }: { readonly data: CheckedWork; readonly metadata: { readonly recordedAt: string } },
): readonly FailedCheck[] => {
  const { handInId, ticketId, scope, reason } = data;
  const counts = scope === 'all' && (late[ticketId] ?? handInId) === handInId;
  return counts && reason !== null ? [{ handInId, ticketId, reason, at: metadata.recordedAt }] : [];
};

const allOf = (awaited: readonly AwaitedWork[], event: Asking): readonly WaitingCheck[] =>
  awaited.flatMap(({ kind, id }) => (kind === 'check' ? [waitingFor(id, 'all', event)] : []));
