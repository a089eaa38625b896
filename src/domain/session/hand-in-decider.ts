import {
  accept,
  type Decision,
  isRefused,
  type RefusalCodes,
  refuse,
  type Refused,
} from '../../core/decider.js';
import { EVIDENCE_FULL, MAX_EVIDENCE_EVENTS, storedBytes } from './budget.js';
import { identityChecked, type SessionCode, type SessionCommand, whenOver, whenTooEarly } from './decider.js';
import type {
  AnnouncedWork,
  HandedInNames,
  HandedInWork,
  IdentityCheck,
  RefusedWork,
  TrialEvent,
} from './events.js';
import {
  type HandIn,
  handInById,
  handInOf,
  isOpen,
  isTooLong,
  MAX_HAND_INS,
  MAX_MANIFESTS_BYTES,
  MAX_REFUSED_HAND_INS,
} from './hand-ins.js';
import { isRunning } from './lifecycle.js';
import { sessionEvent, type Trial, trialOf, type TrialState } from './state.js';

/** What work is refused with, beside the codes of sessions. */
export const HAND_IN_CODES = {
  nothing_to_hand_in: { kind: 'conflict', meaning: 'Nothing is handed in for this ticket.' },
  hand_ins_full: { kind: 'conflict', meaning: 'The ticket has as many hand-ins as it may have.' },
  hand_in_incomplete: {
    kind: 'conflict',
    meaning: 'Not all of the content has arrived, or it is not the content that was announced.',
  },
} as const satisfies RefusalCodes;

export type HandInCode = keyof typeof HAND_IN_CODES;

interface HandInCommand extends Omit<SessionCommand, 'expectedVersion'> {
  /** How the caller's token names the candidate. */
  readonly identity: IdentityCheck;
}

export interface BeginHandIn extends HandInCommand {
  readonly work: AnnouncedWork;
  /** What the candidate calls the file. */
  readonly name: string;
}

/**
 * Begins a hand-in; records nothing if the ticket has one of the same bytes, see `handInOf`. If as many as may be open have
 * not arrived, the one that was begun first is refused in its place: its bytes may be lost, and it must not lock the
 * candidate out.
 */
export const beginHandIn = (state: TrialState, input: BeginHandIn): Decision<TrialEvent> => {
  const session = trialOf(state, input.invitation);
  const { work, name } = input;
  if (!session.role.ticketIds.includes(work.ticketId)) return NO_SUCH_TICKET;
  if (handInOf(session.handIns, work, name)) return accept();
  const refusal =
    whenOver(session, input.now) ??
    whenTooEarly(isRunning(session)) ??
    whenNothing(session, work) ??
    whenFull(session, work) ??
    whenRefusedOften(session, work);
  if (refusal) return refusal;
  const before = [...identityChecked(session, input.identity)];
  const replaced = replacedBy(session, work);
  if (replaced)
    before.push(
      sessionEvent(
        session,
        'work.refused',
        refusedWork(replaced, REPLACED),
        { message: REPLACED.refusal.message },
        before.length,
      ),
    );
  if (session.lastSequenceNumber + before.length + 1 > MAX_EVIDENCE_EVENTS)
    return refuse<SessionCode>('session_full', EVIDENCE_FULL);
  return accept(...before, sessionEvent(session, 'work.hand_in_begun', work, { name }, before.length));
};

/** The hand-in that is refused if work begins: of as many as may be open, the one that was begun first. */
export const replacedBy = (
  { handIns }: Pick<Trial, 'handIns'>,
  { ticketId }: Pick<AnnouncedWork, 'ticketId'>,
): HandIn | undefined =>
  handIns.all.filter((one) => one.ticketId === ticketId && isOpen(one)).at(-MAX_HAND_INS);

const REPLACED = refuse<HandInCode>(
  'hand_ins_full',
  `This did not arrive, and ${MAX_HAND_INS} hand-ins were begun after it. If you need it, hand it in again.`,
);

export interface HandIntoSession extends HandInCommand, Omit<HandedInNames, 'name'> {
  readonly handInId: string;
  /** What the candidate calls the file. */
  readonly name: string;
  /** The hash of the manifest, lower-case hex. */
  readonly treeSha256: string;
}

/**
 * Records that a hand-in has arrived, or that it is refused: the ticket has too many, or its manifest is too long. A
 * repeated command records nothing.
 */
export const handIn = (state: TrialState, input: HandIntoSession): Decision<TrialEvent> =>
  endHandIn(state, input, (session, begun, offset) => {
    const refused = whenFull(session, begun) ?? whenTooLong(session, input);
    if (refused) return refused;
    const { name, manifest } = input;
    return sessionEvent(
      session,
      'work.handed_in',
      handedInWork(session, begun, input),
      { name, manifest },
      offset,
    );
  });

export interface RefuseHandIn extends HandInCommand {
  readonly handInId: string;
  /** Its code is `work_refused`; its message is the reason, for the candidate. */
  readonly refused: Refused;
}

/** Records that the content of a hand-in is refused for good. A repeated command records nothing. */
export const refuseHandIn = (state: TrialState, input: RefuseHandIn): Decision<TrialEvent> =>
  endHandIn(state, input, () => input.refused);

const endHandIn = (
  state: TrialState,
  input: HandInCommand & { readonly handInId: string },
  endOf: (session: Trial, begun: HandIn, offset: number) => TrialEvent | Refused,
): Decision<TrialEvent> => {
  const session = trialOf(state, input.invitation);
  const begun = handInById(session.handIns, input.handInId);
  if (!begun) return NO_SUCH_HAND_IN;
  if (!isOpen(begun)) return accept();
  const refusal = whenOver(session, input.now) ?? whenTooEarly(isRunning(session));
  if (refusal) return refusal;
  const checked = identityChecked(session, input.identity);
  const end = endOf(session, begun, checked.length);
  if (!isRefused(end)) return accept(...checked, end);
  const { message } = end.refusal;
  return accept(
    ...checked,
    sessionEvent(session, 'work.refused', refusedWork(begun, end), { message }, checked.length),
  );
};

/** The plain part of work that is refused. */
export const refusedWork = ({ handInId, ticketId }: HandIn, { refusal }: Refused): RefusedWork => ({
  ...{ handInId, ticketId },
  reason: refusal.code === 'hand_ins_full' ? 'hand_ins_full' : 'work_refused',
});

/** The plain part of work that has arrived. */
export const handedInWork = (
  { ticketVersions, comparesWork }: Trial,
  { handInId, ticketId, bytes, sha256 }: HandIn,
  { manifest, treeSha256 }: Pick<HandIntoSession, 'manifest' | 'treeSha256'>,
): HandedInWork => ({
  ...{ handInId, ticketId, bytes, sha256 },
  ticketVersion: ticketVersions.get(ticketId) ?? null,
  files: manifest.length,
  treeSha256,
  ...(comparesWork && { compared: true as const }),
});

/** The session has no hand-in with that id. */
export const NO_SUCH_HAND_IN = refuse('not_found', 'There is no such hand-in.');

/** The hand-in exists, but its content cannot be read. */
export const NO_CONTENT = refuse<HandInCode>(
  'hand_in_incomplete',
  'There is no content: this hand-in has not arrived, or was refused.',
);

const NO_SUCH_TICKET = refuse('not_found', 'This session has no such ticket.');

const whenNothing = ({ ticketWork }: Trial, { ticketId }: AnnouncedWork): Refused | null =>
  ticketWork.has(ticketId)
    ? null
    : refuse<HandInCode>('nothing_to_hand_in', 'Nothing is handed in for this ticket.');

/** The refusal if the ticket has as many hand-ins that arrived as it may have; else `null`. */
export const whenFull = (
  { handIns }: Pick<Trial, 'handIns'>,
  { ticketId, handInId }: AnnouncedWork,
): Refused | null => {
  const others = handIns.all.filter((one) => one.ticketId === ticketId && one.handInId !== handInId);
  return others.filter(({ handedIn }) => handedIn).length < MAX_HAND_INS
    ? null
    : refuse<HandInCode>(
        'hand_ins_full',
        `You have handed in ${MAX_HAND_INS} times for this ticket: there can be no more. The last one counts.`,
      );
};

/** Refused hand-ins have a limit of their own, so that repeated attempts to mend an archive leave room for the mended one. */
const whenRefusedOften = ({ handIns }: Trial, { ticketId }: AnnouncedWork): Refused | null =>
  handIns.all.filter((one) => one.ticketId === ticketId && one.refused).length < MAX_REFUSED_HAND_INS
    ? null
    : refuse<HandInCode>(
        'hand_ins_full',
        `${MAX_REFUSED_HAND_INS} hand-ins for this ticket were refused: no further one can be begun. Ask those who invited you.`,
      );

/** The refusal of a manifest that is too long for its event, or for all that the session may hold; else `null`. */
export const whenTooLong = (
  { handIns }: Pick<Trial, 'handIns'>,
  { manifest }: Pick<HandIntoSession, 'manifest'>,
): Refused | null => {
  if (isTooLong(manifest))
    return refuse<'work_refused'>(
      'work_refused',
      'The paths of these files are too long in all: hand in fewer files, or give them shorter names.',
    );
  return handIns.manifestBytes + storedBytes(JSON.stringify(manifest)) <= MAX_MANIFESTS_BYTES
    ? null
    : refuse<HandInCode>(
        'hand_ins_full',
        'This session holds as many hand-ins with many files as it can: hand in fewer files.',
      );
};
