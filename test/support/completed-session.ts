import type { Decision } from '../../src/core/decider.js';
import { completeTrial } from '../../src/domain/session/decider.js';
import type { TicketVersion, TrialEvent } from '../../src/domain/session/events.js';
import { beginHandIn, handIn, refuseHandIn } from '../../src/domain/session/hand-in-decider.js';
import { trial, type Trial, type TrialState } from '../../src/domain/session/state.js';
import { refuseWork } from '../../src/work/tree.js';
import { fold, NOW } from './given-when-then.js';
import { invitationFor, roleWith, startedWith } from './invited-session.js';

/** A text of the form of a SHA-256 in hex, from a number. */
export const sha = (n: number): string => n.toString(16).padStart(64, '0');
/** The files of every hand-in that arrives. */
export const manifest = [{ path: 'a.ts', bytes: 3, sha256: sha(99) }];

/** Hand-in `n` of a ticket; the ticket `T` has no checks. */
export const work = (n: number, ticketId = 'T') => ({
  ...{ handInId: `h${n}`, ticketId, bytes: 100, sha256: sha(n) },
});

const versionOf = (ticketId: string, visibleChecks: boolean, hiddenChecks: boolean): TicketVersion => ({
  ...{ ticketId, version: 3, work: { kind: 'files', visibleChecks, hiddenChecks } },
});
const tickets = [versionOf('T', false, false), versionOf('V', true, false), versionOf('H', false, true)];

/**
 * A step of a session: a hand-in, by its number, begins (for `T` by default), arrives or is refused; or the session is
 * completed.
 */
export type Step =
  | { readonly begins: number; readonly of?: string }
  | { readonly arrives: number }
  | { readonly refuses: number }
  | 'completes';

/**
 * The events of a session with these steps, as the deciders make them. A refused step has no events. The session's
 * evaluation is `e`. The ticket `T` has no checks, `V` visible ones, `H` hidden ones.
 */
export const eventsOf = (steps: readonly Step[]): readonly TrialEvent[] => {
  const invitation = invitationFor(roleWith(...tickets.map(({ ticketId }) => ticketId)));
  const command = { invitation, now: NOW, identity: 'verified' } as const;
  let events: readonly TrialEvent[] = [startedWith(...tickets)];
  const decide = (state: TrialState, step: Step): Decision<TrialEvent> => {
    if (step === 'completes')
      return completeTrial(state, { ...command, expectedVersion: null, evaluationId: 'e' });
    if ('begins' in step)
      return beginHandIn(state, { ...command, work: work(step.begins, step.of), name: 'work.zip' });
    if ('refuses' in step)
      return refuseHandIn(state, { ...command, handInId: `h${step.refuses}`, refused: refuseWork('No.') });
    const arrived = { handInId: `h${step.arrives}`, name: 'work.zip', manifest, treeSha256: sha(7) };
    return handIn(state, { ...command, ...arrived });
  };
  for (const step of steps) {
    const decision = decide(fold(trial, events), step);
    if (decision.kind === 'accepted') events = [...events, ...decision.events];
  }
  return events;
};

/** The session after these steps and its completion. */
export const completedAfter = (steps: readonly Step[]): Trial & { readonly evaluationId: string } => {
  const session = fold(trial, eventsOf([...steps, 'completes']));
  if (session?.evaluationId !== 'e') throw new Error('It is not completed.');
  return { ...session, evaluationId: 'e' };
};

/** A completed session with hand-ins for `T`. @param begun how many began @param arrived how many of them arrived */
export const completedWith = (begun: number, arrived = 0): Trial & { readonly evaluationId: string } =>
  completedAfter(
    Array.from({ length: begun }, (_, place) => place + 1).flatMap((n): readonly Step[] =>
      n <= arrived ? [{ begins: n }, { arrives: n }] : [{ begins: n }],
    ),
  );
