import { type ApplicationRef, applicationRefOf } from '../src/domain/candidate/events.js';
import type { CheckedWork, CheckFindings } from '../src/domain/session/check-events.js';
import type { AnnouncedWork, HandedInNames, HandedInWork } from '../src/domain/session/events.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView, onEach } from './view.js';

/** A candidate's work for a ticket, by the hand-in's id: a session's hand-ins in one document could not be stored. */
export interface HandInDocument extends ViewDocument, ApplicationRef, Omit<AnnouncedWork, 'handInId'> {
  readonly status: 'receiving' | 'handed_in' | 'refused';
  readonly begunAt: string;
  /** `null`: it has not arrived, or it is refused. */
  readonly handedInAt: string | null;
  /** Its candidate's notice said that it is compared with others’ work. */
  readonly compared: boolean;
  /** The results of its visible checks while the session was open, and of all checks after it; `null`: none yet. */
  readonly checks: { readonly visible: CheckedHandIn | null; readonly all: CheckedHandIn | null };
  /** `null` until it is handed in. */
  readonly work: Pick<HandedInWork, 'ticketVersion' | 'files' | 'treeSha256'> | null;
  /** `null` once the candidate is erased. */
  readonly personal: {
    readonly name: HandedInNames['name'];
    /** `null` until it is handed in. */
    readonly manifest: HandedInNames['manifest'] | null;
    /** The sentence that says why it is refused; `null`: it is not. */
    readonly refusal: string | null;
    /** The findings of each of the `checks`; `null`: there is no such result. */
    readonly findings: { readonly visible: CheckFindings | null; readonly all: CheckFindings | null };
  } | null;
}

/** A result of checks, as the log has it. */
export interface CheckedHandIn extends Omit<CheckedWork, 'handInId' | 'ticketId' | 'scope'> {
  readonly at: string;
}

export const handIns = defineView<HandInDocument>()({
  name: 'hand-ins',
  version: 6,
  documentId: (event) => event.data.handInId,
  initial: () => ({
    organisationId: '',
    candidateId: '',
    applicationId: '',
    trialSessionId: '',
    roleId: '',
    ticketId: '',
    bytes: 0,
    sha256: '',
    status: 'receiving',
    begunAt: '',
    handedInAt: null,
    compared: false,
    work: null,
    checks: { visible: null, all: null },
    person: null,
    personal: null,
  }),
  every: (document, event) => ({ ...document, person: event.person ?? document.person ?? null }),
  on: {
    'work.hand_in_begun': (document, { data, personal, metadata }) => ({
      ...document,
      ...applicationRefOf(data),
      ticketId: data.ticketId,
      bytes: data.bytes,
      sha256: data.sha256,
      begunAt: metadata.recordedAt,
      personal: personal && {
        ...{ name: personal.name, manifest: null, refusal: null },
        findings: { visible: null, all: null },
      },
    }),
    ...onEach(
      ['work.handed_in', 'evaluation.work_handed_in'],
      (document: HandInDocument, { data, personal, metadata }) => ({
        ...document,
        status: 'handed_in',
        handedInAt: metadata.recordedAt,
        compared: data.compared ?? false,
        work: { ticketVersion: data.ticketVersion, files: data.files, treeSha256: data.treeSha256 },
        personal: personal &&
          document.personal && { ...document.personal, name: personal.name, manifest: personal.manifest },
      }),
    ),
    ...onEach(['work.refused', 'evaluation.work_refused'], (document: HandInDocument, event) => ({
      ...document,
      status: 'refused',
      personal: document.personal && { ...document.personal, refusal: event.personal?.message ?? null },
    })),
    ...onEach(['work.checked', 'evaluation.work_checked'], (document: HandInDocument, event) => {
      const { scope, isolation, checks, runner, outcome, reason, visible, hidden, ms } = event.data;
      const at = event.metadata.recordedAt;
      const checked = { at, isolation, checks, runner, outcome, reason, visible, hidden, ms };
      const { personal } = document;
      return {
        ...document,
        checks: { ...document.checks, [scope]: checked },
        personal: personal && {
          ...personal,
          findings: { ...personal.findings, [scope]: event.personal },
        },
      };
    }),
  },
  keys: { comparedTicket: ({ compared, ticketId }) => (compared ? ticketId : null) },
  indexes: {
    byTicket: ['trialSessionId', 'ticketId', 'begunAt'],
    bySession: ['trialSessionId', 'begunAt'],
    byComparedTicket: ['comparedTicket', 'handedInAt'],
  },
});
