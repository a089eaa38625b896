import type { Actor } from '../../../src/core/event.js';
import { applicationRefOf, type Invitation } from '../../../src/domain/candidate/events.js';
import { isHandIn } from '../../../src/domain/evaluation/awaited.js';
import { evaluationDecider } from '../../../src/domain/evaluation/decider.js';
import {
  endWait,
  handInLate,
  recordLateCheck,
  refuseLate,
} from '../../../src/domain/evaluation/late-work-decider.js';
import { awaitedBy } from '../../../src/domain/evaluation/late-work.js';
import { checkedWork, type CheckReport, recordCheck } from '../../../src/domain/session/check-decider.js';
import type { CheckedWork, CheckFailure } from '../../../src/domain/session/check-events.js';
import type { TicketVersion } from '../../../src/domain/session/events.js';
import { beginHandIn, handIn, refuseHandIn } from '../../../src/domain/session/hand-in-decider.js';
import { isOpen } from '../../../src/domain/session/hand-ins.js';
import { trial, type Trial } from '../../../src/domain/session/state.js';
import { refuseWork } from '../../../src/work/tree.js';
import { SECRET, type World } from './world.js';

const RUN_CHECKS: Actor = { type: 'system', id: 'run-checks' };

/** The tickets of every role's sessions. */
export const TICKETS: readonly TicketVersion[] = [
  { ticketId: 'T-1', version: 2, work: { kind: 'files', visibleChecks: true, hiddenChecks: false } },
];

/**
 * The candidate begins a hand-in. At an odd value, a begun one arrives; at larger ones it is checked, or refused.
 */
export const handInStep = (world: World, invitation: Invitation, value: number): void => {
  const { candidateId, trialSessionId } = invitation;
  const by: Actor = { type: 'candidate', id: candidateId };
  const on = { invitation, now: world.now, identity: 'verified', name: `${SECRET}work.zip` } as const;
  const sha256 = value.toString(16).padStart(64, '0');
  world.submit(trial, trialSessionId, by, (state) => {
    if (value % 2 === 0)
      return beginHandIn(state, {
        ...on,
        work: { handInId: world.newId(), ticketId: 'T-1', bytes: 12, sha256 },
      });
    const handInId = state?.handIns.all.find(isOpen)?.handInId ?? '';
    const manifest = [{ path: `${SECRET}path/a.ts`, bytes: 12, sha256 }];
    return handIn(state, { ...on, handInId, manifest, treeSha256: sha256 });
  });
  if (value === 4)
    world.submit(trial, trialSessionId, by, (state) => {
      const handInId = state?.handIns.all.findLast(isOpen)?.handInId ?? '';
      return refuseHandIn(state, { ...on, handInId, refused: refuseWork(`It has a link: ${SECRET}path/a.`) });
    });
  if (value > 2) checkStep(world, trialSessionId, value === 5 ? 'timed_out' : null);
};

/** Records a result for the first hand-in without one. */
const checkStep = (world: World, trialSessionId: string, reason: CheckFailure | null): void => {
  world.submit(trial, trialSessionId, RUN_CHECKS, (state) => {
    const next = state?.handIns.all.find(({ handedIn, checked }) => handedIn && !checked);
    return recordCheck(state, reportOf(next?.handInId ?? '', 'visible', reason));
  });
};

const reportOf = (
  handInId: string,
  scope: CheckedWork['scope'],
  reason: CheckFailure | null,
): CheckReport => {
  const of = { handInId, ticketId: 'T-1', scope, isolation: 'shared' } as const;
  const tests = reason ? null : [{ name: `${SECRET}test`, status: 'pass', message: null } as const];
  const runner = { name: 'command', digest: 'd' };
  const run = { hidden: false, treeSha256: 'f'.repeat(64), runner, ms: 9, tests, reason };
  return checkedWork(of, [{ ...run, output: `${SECRET}output`, detail: '' }]);
};

/**
 * Ends what a completed session's evaluation waits for: the first hand-in arrives in time, is refused, or expires; the
 * other hand-ins expire. Then every check gets a result.
 */
export const lateWorkStep = (world: World, session: Trial & { readonly evaluationId: string }): void => {
  const { candidateId, evaluationId, awaits, endedAt } = session;
  const ids = { ...applicationRefOf(session), evaluationId };
  const [first] = awaits.filter(isHandIn);
  const treeSha256 = 'e'.repeat(64);
  const manifest = [{ path: `${SECRET}path/late.ts`, bytes: 12, sha256: treeSha256 }];
  const arrived = { handInId: first?.id ?? '', name: `${SECRET}work.zip`, manifest, treeSha256 };
  const late = { handInId: arrived.handInId, session, now: endedAt ?? world.now };
  const by: Actor = { type: 'candidate', id: candidateId };
  if (/[1379]$/.test(arrived.handInId))
    world.submit(evaluationDecider, evaluationId, by, (state) => handInLate(state, { ...arrived, ...late }));
  if (/[5]$/.test(arrived.handInId))
    world.submit(evaluationDecider, evaluationId, by, (state) =>
      refuseLate(state, { ...late, refused: refuseWork(`It has a link: ${SECRET}path/late.`) }),
    );
  if (first)
    world.submit(evaluationDecider, evaluationId, { type: 'system', id: 'end-evaluation-wait' }, (state) =>
      endWait(state, { ids, awaits, now: first.until }),
    );
  for (const { kind, id } of awaitedBy(awaits, world.read(evaluationDecider, evaluationId).late))
    if (kind === 'check')
      world.submit(evaluationDecider, evaluationId, RUN_CHECKS, (state) =>
        recordLateCheck(state, session, reportOf(id, 'all', null)),
      );
};
