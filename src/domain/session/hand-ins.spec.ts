import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { fold, NOW, specification } from '../../../test/support/given-when-then.js';
import {
  ids,
  invitationFor,
  openingFor,
  person,
  roleWith,
  startedWith,
} from '../../../test/support/invited-session.js';
import { refuseWork } from '../../work/tree.js';
import type { TreeFile } from '../ticket/events.js';
import { MAX_EVIDENCE_EVENTS, storedBytes } from './budget.js';
import { completeTrial, eraseTrial, expireTrial, withdrawTrial } from './decider.js';
import type { AnnouncedWork, IdentityCheck, RefusedWork, TrialEvent } from './events.js';
import { beginHandIn, handIn, refuseHandIn } from './hand-in-decider.js';
import {
  awaitedHandIns,
  handInById,
  handInOf,
  isOpen,
  MAX_HAND_INS,
  MAX_MANIFEST_BYTES,
  MAX_MANIFESTS_BYTES,
  MAX_REFUSED_HAND_INS,
} from './hand-ins.js';
import { trial, type TrialState } from './state.js';

const spec = specification(trial);
const role = roleWith('files', 'text', 'elsewhere');
const opening = openingFor(role);
const invitation = invitationFor(role);
const work = { visibleChecks: false, hiddenChecks: false };

const started = startedWith(
  { ticketId: 'files', version: 3, work: { kind: 'files', ...work } },
  { ticketId: 'text', version: 1, work: { kind: 'text', ...work } },
  { ticketId: 'elsewhere', version: 1 },
);
const sha = (n: number): string => n.toString(16).padStart(64, '0');
const announced = (n: number, ticketId = 'files', handInId = `h${n}`): AnnouncedWork => ({
  handInId,
  ticketId,
  bytes: 100,
  sha256: sha(n),
});
const manifest: readonly TreeFile[] = [{ path: 'a.ts', bytes: 3, sha256: sha(99) }];
const begun = (n: number, sequenceNumber: number, ticketId = 'files'): TrialEvent => ({
  type: 'work.hand_in_begun',
  data: { ...ids, sequenceNumber, ...announced(n, ticketId) },
  person,
  personal: { name: 'work.zip' },
});
const handedIn = (n: number, sequenceNumber: number, ticketId = 'files', ticketVersion = 3): TrialEvent => ({
  type: 'work.handed_in',
  data: {
    ...ids,
    sequenceNumber,
    ...announced(n, ticketId),
    ticketVersion,
    files: 1,
    treeSha256: sha(7),
  },
  person,
  personal: { name: 'work.zip', manifest },
});

const refused = (
  n: number,
  sequenceNumber: number,
  message = 'It has a link: a.',
  reason: RefusedWork['reason'] = 'work_refused',
): TrialEvent => ({
  type: 'work.refused',
  data: { ...ids, sequenceNumber, ...{ handInId: `h${n}`, ticketId: 'files', reason } },
  person,
  personal: { message },
});

const on = { invitation, now: NOW, identity: 'verified' as IdentityCheck };
const begin =
  (announcedWork: AnnouncedWork, over: Partial<Parameters<typeof beginHandIn>[1]> = {}) =>
  (state: TrialState) =>
    beginHandIn(state, { ...on, work: announcedWork, name: 'work.zip', ...over });
const arrive =
  (handInId: string, over: Partial<Parameters<typeof handIn>[1]> = {}) =>
  (state: TrialState) =>
    handIn(state, { ...on, handInId, name: 'work.zip', manifest, treeSha256: sha(7), ...over });
const turnDown =
  (handInId: string, over: Partial<Parameters<typeof refuseHandIn>[1]> = {}) =>
  (state: TrialState) =>
    refuseHandIn(state, { ...on, handInId, refused: refuseWork('It has a link: a.'), ...over });

describe('work that arrives in a session whose notice says that it is compared', () => {
  it('says so itself', () => {
    const comparing = { ...started, data: { ...started.data, comparesWork: true } } as TrialEvent;
    const [event] = spec.given(comparing, begun(1, 2)).when(arrive('h1')).events();
    expect(event?.data).toMatchObject({ handInId: 'h1', compared: true });
    const [other] = spec.given(started, begun(1, 2)).when(arrive('h1')).events();
    expect(other?.data).not.toHaveProperty('compared');
  });
});

describe('beginning a hand-in', () => {
  it('records what is announced', () => {
    spec
      .given(started)
      .when(begin(announced(1)))
      .then(begun(1, 2));
  });

  it.each([
    ['begun', [begun(1, 2)]],
    ['handed in', [begun(1, 2), handedIn(1, 3)]],
  ])('of bytes that were %s for the ticket changes nothing', (_, history) => {
    spec
      .given(started, ...history)
      .when(begin(announced(1, 'files', 'other')))
      .then();
  });

  it('of earlier work to which the candidate returns is a further hand-in, so that it is the last one', () => {
    const history = [started, begun(1, 2), handedIn(1, 3), begun(2, 4), handedIn(2, 5)];
    const again = announced(1, 'files', 'h3');
    const returned = spec.given(...history).when(begin(again));
    returned.then({ ...begun(1, 6), data: { ...ids, sequenceNumber: 6, ...again } } as TrialEvent);
    const state = returned.state()!;
    expect(handInOf(state.handIns, again, 'work.zip')?.handInId).toBe('h3');
    const arrived = spec.given(...history, ...returned.events()).when(arrive('h3'));
    expect(arrived.state()?.handIns.last.get('files')).toBe('h3');
  });

  it('of the same bytes for another ticket is another hand-in', () => {
    const outcome = spec.given(started, begun(1, 2)).when(begin(announced(1, 'text', 'h9')));
    expect(outcome.state()?.handIns.all).toHaveLength(2);
  });

  it('with another size announced for the same hash is another hand-in: the first can never arrive', () => {
    const outcome = spec
      .given(started, begun(1, 2))
      .when(begin({ ...announced(1, 'files', 'h9'), bytes: announced(1).bytes + 1 }));
    expect(outcome.state()?.handIns.all.map(({ handInId }) => handInId)).toEqual(['h1', 'h9']);
  });

  it('is refused where nothing is handed in, or nothing can be', () => {
    const first = begin(announced(1));
    spec.given().when(first).thenRefused('not_started');
    spec
      .given(started)
      .when(begin(announced(1, 'elsewhere')))
      .thenRefused('nothing_to_hand_in');
    spec
      .given(started)
      .when(begin(announced(1, 'unknown')))
      .thenRefused('not_found');
    spec
      .given(started)
      .when(begin(announced(1), { now: opening.expiresAt }))
      .thenRefused('session_ended');
  });

  it('records first that another identity hands in', () => {
    const outcome = spec.given(started).when(begin(announced(1), { identity: 'mismatch' }));
    expect(outcome.events().map(({ type, data }) => [type, data.sequenceNumber])).toEqual([
      ['trial.identity_checked', 2],
      ['work.hand_in_begun', 3],
    ]);
  });

  it('leaves room for the end of a session', () => {
    const activity: TrialEvent = {
      type: 'trial.activity_recorded',
      data: {
        ...ids,
        sequenceNumber: 2,
        items: Array.from({ length: MAX_EVIDENCE_EVENTS - 1 }, () => ({ occurredAt: NOW })),
      },
      person,
      personal: null,
    };
    spec
      .given(started, activity)
      .when(begin(announced(1)))
      .thenRefused('session_full');
  });
});

describe('a hand-in that has arrived', () => {
  it('is recorded with the version of its ticket that the session began with', () => {
    spec.given(started, begun(1, 2)).when(arrive('h1')).then(handedIn(1, 3));
    spec
      .given(started, begun(1, 2, 'text'))
      .when(arrive('h1'))
      .then(handedIn(1, 3, 'text', 1));
  });

  it('is recorded once', () => {
    spec.given(started, begun(1, 2), handedIn(1, 3)).when(arrive('h1')).then();
  });

  it('must have been begun in this session', () => {
    spec.given(started, begun(1, 2)).when(arrive('h2')).thenRefused('not_found');
    spec.given().when(arrive('h1')).thenRefused('not_found');
  });

  it('is refused for good if it holds paths that no event can', () => {
    const long = Array.from({ length: 1_000 }, (_, n) => ({
      path: `${n}${'x'.repeat(200)}`,
      bytes: 1,
      sha256: '',
    }));
    expect(JSON.stringify(long).length).toBeLessThan(MAX_MANIFEST_BYTES + 1);
    const longer = long.map((file) => ({ ...file, path: `${file.path}${'y'.repeat(60)}` }));
    spec
      .given(started, begun(1, 2))
      .when(arrive('h1', { manifest: longer }))
      .then(
        refused(
          1,
          3,
          'The paths of these files are too long in all: hand in fewer files, or give them shorter names.',
        ),
      );
  });

  it('is taken as the last of as many as can be under way: it does not count beside itself', () => {
    const all = Array.from({ length: MAX_HAND_INS }, (_, n) => begun(n + 1, n + 2));
    const outcome = spec.given(started, ...all).when(arrive('h1'));
    expect(outcome.events()).toMatchObject([{ type: 'work.handed_in' }]);
  });

  it('says first that another identity hands in, each under a number of its own', () => {
    const outcome = spec.given(started, begun(1, 2)).when(arrive('h1', { identity: 'mismatch' }));
    expect(outcome.events().map(({ type, data }) => [type, data.sequenceNumber])).toEqual([
      ['trial.identity_checked', 3],
      ['work.handed_in', 4],
    ]);
  });

  it('is taken up to the last byte that the manifests of a session may take up', () => {
    const bytes = storedBytes(JSON.stringify(manifest));
    const arriving = (manifestBytes: number) =>
      spec
        .given(started, begun(1, 2))
        .when((state) => arrive('h1')(state && { ...state, handIns: { ...state.handIns, manifestBytes } }))
        .events();
    expect(arriving(MAX_MANIFESTS_BYTES - bytes)).toMatchObject([{ type: 'work.handed_in' }]);
    expect(arriving(MAX_MANIFESTS_BYTES - bytes + 1)).toMatchObject([
      { type: 'work.refused', data: { reason: 'hand_ins_full' } },
    ]);
  });

  it('is taken with the largest manifest that an event may hold, and with no larger one', () => {
    const fileOf = (length: number): TreeFile => ({ path: 'x'.repeat(length), bytes: 1, sha256: '' });
    const most = MAX_MANIFEST_BYTES - Buffer.byteLength(JSON.stringify([fileOf(0)]));
    const arriving = (length: number) =>
      spec
        .given(started, begun(1, 2))
        .when(arrive('h1', { manifest: [fileOf(length)] }))
        .events();
    expect(arriving(most)).toMatchObject([{ type: 'work.handed_in' }]);
    expect(arriving(most + 1)).toMatchObject([{ type: 'work.refused' }]);
  });

  it.each([
    ['withdrawn', (state: TrialState) => withdrawTrial(state, { ...on, expectedVersion: null })],
    ['expired', (state: TrialState) => expireTrial(state, { invitation, now: opening.expiresAt })],
    [
      'completed',
      (state: TrialState) => completeTrial(state, { ...on, expectedVersion: null, evaluationId: 'e' }),
    ],
  ])('and a first one are refused once the session is %s', (_, end) => {
    const history = [started, begun(1, 2)];
    const ended = spec
      .given(...history)
      .when(end)
      .events();
    spec
      .given(...history, ...ended)
      .when(arrive('h1'))
      .thenRefused('session_ended');
    spec
      .given(...history, ...ended)
      .when(begin(announced(2)))
      .thenRefused('session_ended');
    spec
      .given(...history, ...ended)
      .when(begin(announced(1, 'files', 'again')))
      .then();
  });

  it('is forgotten with its candidate', () => {
    const outcome = spec
      .given(started, begun(1, 2), handedIn(1, 3))
      .when((state) => eraseTrial(state, { invitation }));
    expect(outcome.state()?.handIns.all).toEqual([]);
  });
});

describe('a hand-in that is refused', () => {
  const history = [started, begun(1, 2), refused(1, 3)];
  const reason = 'It has a link: a.';

  it('is recorded once, with its sentence, and is awaited no more', () => {
    const outcome = spec.given(started, begun(1, 2), begun(2, 3)).when(turnDown('h1'));
    outcome.then(refused(1, 4));
    expect(awaitedHandIns(outcome.state()!.handIns, NOW).map(({ id }) => id)).toEqual(['h2']);
    spec
      .given(...history)
      .when(turnDown('h1'))
      .then();
  });

  it('stays refused if these bytes arrive again, and what arrived is never refused afterwards', () => {
    const again = spec.given(...history).when(arrive('h1'));
    again.then();
    expect(handInById(again.state()!.handIns, 'h1')).toMatchObject({
      ...{
        handedIn: false,
        treeSha256: null,
        refused: { refusal: { code: 'work_refused', message: reason } },
      },
    });
    spec.given(started, begun(1, 2), handedIn(1, 3)).when(turnDown('h1')).then();
  });

  it('is the same hand-in under its name, and another one under a name that may be read otherwise', () => {
    spec
      .given(...history)
      .when(begin(announced(1, 'files', 'h2')))
      .then();
    const renamed = spec
      .given(...history)
      .when(begin(announced(1, 'files', 'h2'), { name: 'work.tgz' }))
      .state()!;
    expect(renamed.handIns.all.map(({ handInId }) => handInId)).toEqual(['h1', 'h2']);
    for (const name of ['work.tgz', 'work.zip'])
      expect(handInOf(renamed.handIns, announced(1), name)?.handInId).toBe('h2');
  });

  it('must have been begun, in a session that goes on', () => {
    spec.given(started).when(turnDown('h1')).thenRefused('not_found');
    spec
      .given(started, begun(1, 2))
      .when(turnDown('h1', { now: opening.expiresAt }))
      .thenRefused('session_ended');
  });

  it('locks out no one who mends an archive again and again, and fills no stream without end', () => {
    const often = (count: number): readonly TrialEvent[] =>
      Array.from({ length: count }, (_, n) => [begun(n, 2), refused(n, 3)]).flat();
    const next = begin(announced(1_000, 'files', 'next'));
    expect(
      spec
        .given(started, ...often(MAX_REFUSED_HAND_INS - 1))
        .when(next)
        .events(),
    ).toHaveLength(1);
    const full = [started, ...often(MAX_REFUSED_HAND_INS)];
    spec
      .given(...full)
      .when(next)
      .thenRefused('hand_ins_full');
    // What was begun before may still arrive, and another ticket has its own.
    expect(
      spec
        .given(...full, begun(1_001, 4))
        .when(arrive('h1001'))
        .events(),
    ).toMatchObject([{ type: 'work.handed_in' }]);
    expect(
      spec
        .given(...full)
        .when(begin(announced(1_000, 'text', 'next')))
        .events(),
    ).toHaveLength(1);
  });
});

describe('the hand-ins of a ticket', () => {
  const of = (count: number, withArrival: boolean): readonly TrialEvent[] =>
    Array.from({ length: count }, (_, n) => [begun(n, 2), ...(withArrival ? [handedIn(n, 3)] : [])]).flat();

  it.each([true, false])('are at most 20, and as many that have not arrived: arrived %s', (arrived) => {
    const full = spec.given(started, ...of(MAX_HAND_INS, arrived)).when(begin(announced(100)));
    if (arrived) full.thenRefused('hand_ins_full');
    else expect(full.state()!.handIns.all.filter(isOpen)).toHaveLength(MAX_HAND_INS);
    expect(
      spec
        .given(started, ...of(MAX_HAND_INS, arrived))
        .when(begin(announced(100, 'text')))
        .events(),
    ).toHaveLength(1);
    const oneLess = spec.given(started, ...of(MAX_HAND_INS - 1, arrived)).when(begin(announced(100)));
    expect(oneLess.events()).toMatchObject([{ type: 'work.hand_in_begun' }]);
  });

  it('that were begun and whose bytes are lost never lock the candidate out: a new one takes the place of the first', () => {
    const lost = of(MAX_HAND_INS, false);
    const next = spec.given(started, begun(200, 2, 'text'), ...lost).when(begin(announced(100)));
    expect(next.events()).toMatchObject([
      {
        type: 'work.refused',
        data: { handInId: 'h0', ticketId: 'files', reason: 'hand_ins_full' },
        personal: { message: expect.stringContaining('20 hand-ins were begun after it') },
      },
      { type: 'work.hand_in_begun', data: { handInId: 'h100' } },
    ]);
    const [first, second] = next.events().map(({ data }) => Number(data['sequenceNumber' as never]));
    expect(second! - first!).toBe(1);
    const history = [started, begun(200, 2, 'text'), ...lost, ...next.events()];
    // All the others may still arrive, and nothing waits for the first.
    for (const id of ['h1', 'h19', 'h100', 'h200'])
      expect(
        spec
          .given(...history)
          .when(arrive(id))
          .events(),
      ).toMatchObject([{ type: 'work.handed_in' }]);
    expect(awaitedHandIns(next.state()!.handIns, NOW).map(({ id }) => id)).not.toContain('h0');
    // If its bytes are found again, they are a further hand-in.
    const again = spec.given(...history).when(begin(announced(0, 'files', 'again')));
    expect(again.events().at(-1)).toMatchObject({ type: 'work.hand_in_begun', data: { handInId: 'again' } });
    expect(handInOf(again.state()!.handIns, announced(0), 'work.zip')?.handInId).toBe('again');
  });

  it('that are begun without end are refused some time, so that no stream grows without end', () => {
    let history: readonly TrialEvent[] = [started];
    let begins = 0;
    for (; begins < 1_000; begins++) {
      const decided = begin(announced(begins))(fold(trial, history));
      if (decided.kind === 'refused') break;
      history = [...history, ...decided.events];
    }
    expect(begins).toBe(MAX_HAND_INS + MAX_REFUSED_HAND_INS);
  });

  it('are at most 20 that arrive', () => {
    const [event] = spec
      .given(started, begun(100, 2), ...of(MAX_HAND_INS, true))
      .when(arrive('h100'))
      .events();
    expect(event).toMatchObject({
      ...{ type: 'work.refused', data: { handInId: 'h100', reason: 'hand_ins_full' } },
      personal: { message: expect.stringContaining('handed in 20 times') },
    });
  });

  it('are one for the same bytes, whatever is sent how often and in which order', () => {
    const step = fc.record({
      ...{ content: fc.nat({ max: 5 }), text: fc.boolean() },
      what: fc.constantFrom('begins', 'arrives', 'is refused'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let history: readonly TrialEvent[] = [started];
        for (const [place, { content, text, what }] of steps.entries()) {
          const ticketId = text ? 'text' : 'files';
          const state = fold(trial, history);
          const known = state?.handIns.all.find(
            (one) => one.ticketId === ticketId && one.sha256 === sha(content),
          );
          const decided =
            what === 'begins'
              ? begin(announced(content, ticketId, `h${place}`))(state)
              : (what === 'arrives' ? arrive : turnDown)(known?.handInId ?? 'none')(state);
          if (decided.kind === 'accepted') history = [...history, ...decided.events];
        }
        const all = fold(trial, history)?.handIns.all ?? [];
        expect(new Set(all.map(({ ticketId, sha256 }) => `${ticketId} ${sha256}`)).size).toBe(all.length);
        expect(new Set(all.map(({ handInId }) => handInId)).size).toBe(all.length);
        const arrivals = history.filter(({ type }) => type === 'work.handed_in').length;
        expect(all.filter(({ handedIn: isIn }) => isIn)).toHaveLength(arrivals);
        expect(all.filter((one) => one.handedIn && one.refused)).toEqual([]);
      }),
    );
  });
});
