import * as fc from 'fast-check';

/** One step of an interview. A step that is not possible at its time has no effect. */
export interface InterviewStep {
  readonly name: 'connect' | 'disconnect' | 'lose' | 'ask' | 'answer' | 'cutOff' | 'skip' | 'finish';
  readonly turn: number;
  /** Also the id of a client message: an equal value is the same message, sent again. */
  readonly value: number;
  /** Whether it comes by a connection that was already replaced. */
  readonly stale: boolean;
}

/** An attempt to change an organisation's settings or members. */
export type MemberAction =
  | { readonly name: 'settings'; readonly pick: number; readonly value: number }
  | { readonly name: 'member'; readonly pick: number; readonly who: number; readonly role: number }
  | { readonly name: 'signIn'; readonly pick: number; readonly who: number }
  | { readonly name: 'memberRole'; readonly pick: number; readonly who: number; readonly role: number }
  | { readonly name: 'removeMember'; readonly pick: number; readonly who: number };

/** An attempt in an organisation. */
export type OrganisationAction =
  | MemberAction
  | {
      readonly name: 'role' | 'ticket' | 'webhook' | 'apiKey' | 'savedView' | 'dataExport' | 'import';
      readonly pick: number;
      readonly value: number;
    };

/** An attempt that concerns one application. */
export type ApplicationAction =
  | { readonly name: 'accommodate'; readonly pick: number; readonly value: number }
  | { readonly name: 'candidateSignIn'; readonly pick: number }
  | { readonly name: 'extend'; readonly pick: number; readonly hours: number }
  | { readonly name: 'activity'; readonly pick: number; readonly ids: readonly number[] }
  | { readonly name: 'handIn'; readonly pick: number; readonly value: number }
  | { readonly name: 'start' | 'complete' | 'withdraw' | 'cancel'; readonly pick: number }
  | { readonly name: 'interview'; readonly pick: number; readonly steps: readonly InterviewStep[] }
  | { readonly name: 'generate' | 'fail' | 'regenerate'; readonly pick: number }
  | { readonly name: 'outcome'; readonly pick: number; readonly value: number }
  | { readonly name: 'retract'; readonly pick: number }
  | { readonly name: 'share' | 'operate' | 'mail' | 'contest'; readonly pick: number; readonly value: number }
  | { readonly name: 'identity'; readonly pick: number; readonly value: number };

/** An erasure of a candidate, which reaches only the first `reached` streams. */
export interface ErasureAction {
  readonly name: 'erase';
  readonly pick: number;
  readonly reached: number;
}

/** One attempt of a person. Numbers choose among the records of that time, so that any sequence is possible. */
export type Action = { readonly minutes: number; readonly twice: boolean } & (
  | { readonly name: 'organisation' }
  | OrganisationAction
  | { readonly name: 'renameRole'; readonly pick: number; readonly value: number }
  | { readonly name: 'invite'; readonly pick: number; readonly who: number; readonly hours: number }
  | { readonly name: 'expireAll' }
  | ApplicationAction
  | ErasureAction
);

/** Small numbers, so that several actions choose the same record. */
const pick = fc.nat({ max: 9 });
const who = fc.nat({ max: 5 });
const role = fc.nat({ max: 3 });
const hours = fc.integer({ min: 2, max: 48 });
const value = fc.nat({ max: 20 });
const common = { minutes: fc.nat({ max: 20 }), twice: fc.boolean() };

const action = (
  weight: number,
  name: Action['name'],
  fields: Readonly<Record<string, fc.Arbitrary<unknown>>>,
) => ({
  weight,
  // The fields of each name are those of its kind in `Action`.
  arbitrary: fc.record({ ...common, name: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<Action>,
});

/** Sometimes a long batch, so that a session's evidence fills more than one document. */
const ids = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.nat({ max: 150 }), { maxLength: 20 }) },
  { weight: 1, arbitrary: fc.constant(Array.from({ length: 60 }, (_, id) => id)) },
);

/** Mostly a question and its answer in turn; sometimes an answer is late, repeated, or from a lost connection. */
const step: fc.Arbitrary<InterviewStep> = fc.record({
  name: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('ask' as const, 'answer' as const) },
    { weight: 1, arbitrary: fc.constantFrom('connect', 'disconnect', 'lose', 'cutOff', 'skip') },
  ),
  turn: fc.integer({ min: 1, max: 4 }),
  value: fc.nat({ max: 30 }),
  stale: fc.nat({ max: 9 }).map((one) => one === 0),
});
const last: fc.Arbitrary<readonly InterviewStep[]> = fc.constantFrom(
  [],
  [],
  [{ name: 'finish', turn: 1, value: 1, stale: false }],
);
/** The steps of an interview, from its first connection on. */
export const steps: fc.Arbitrary<readonly InterviewStep[]> = fc
  .tuple(fc.array(step, { minLength: 4, maxLength: 24, size: 'max' }), last)
  .map(([some, end]) => [{ name: 'connect', turn: 1, value: 3, stale: false } as const, ...some, ...end]);

/** Weighted so that many sessions are completed with evidence. */
export const actions: fc.Arbitrary<Action> = fc.oneof(
  action(1, 'organisation', {}),
  action(1, 'settings', { pick, value }),
  action(2, 'member', { pick, who, role }),
  action(2, 'signIn', { pick, who }),
  action(1, 'memberRole', { pick, who, role }),
  action(1, 'removeMember', { pick, who }),
  action(3, 'role', { pick, value }),
  action(2, 'renameRole', { pick, value }),
  action(8, 'invite', { pick, who, hours }),
  action(2, 'candidateSignIn', { pick }),
  action(2, 'extend', { pick, hours }),
  action(12, 'start', { pick }),
  action(6, 'activity', { pick, ids }),
  action(6, 'handIn', { pick, value: fc.nat({ max: 5 }) }),
  action(8, 'interview', { pick, steps }),
  action(14, 'complete', { pick }),
  action(1, 'withdraw', { pick }),
  action(1, 'cancel', { pick }),
  action(1, 'expireAll', {}),
  action(10, 'generate', { pick }),
  action(1, 'fail', { pick }),
  action(5, 'regenerate', { pick }),
  action(14, 'outcome', { pick, value }),
  action(5, 'retract', { pick }),
  action(8, 'share', { pick, value }),
  action(4, 'contest', { pick, value }),
  action(1, 'operate', { pick, value }),
  action(4, 'mail', { pick, value }),
  action(2, 'identity', { pick, value }),
  action(1, 'apiKey', { pick, value }),
  action(1, 'savedView', { pick, value }),
  action(1, 'dataExport', { pick, value }),
  action(1, 'import', { pick, value }),
  // An erasure reaches mostly all streams, sometimes only the first ones.
  action(5, 'webhook', { pick, value }),
  action(1, 'ticket', { pick, value }),
  action(1, 'accommodate', { pick, value }),
  action(2, 'erase', { pick, reached: fc.constantFrom(99, 99, 99, 0, 1, 2, 4) }),
);
