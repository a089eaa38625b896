import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type SignalSummary, summaryOf } from '../src/api/signal/signal.js';
import type { Stored } from '../src/core/event.js';
import type { OutcomeEvent, OutcomeValues } from '../src/domain/application/events.js';
import type { RoleEvent } from '../src/domain/role/events.js';
import type { TrialEvent } from '../src/domain/session/events.js';
import { trial, type TrialState } from '../src/domain/session/state.js';
import type { AnyView, ViewDocument } from '../src/engine/view.js';
import { assertIndexKey } from '../src/stores/index-key.js';
import { expectSameWhateverThePages, type Folded, foldView } from '../test/support/given-view.js';
import { histories, type History, SECRET, unreadable } from '../test/support/histories.js';
import { assertPlainJson } from '../test/support/plain-json.js';
import { applications } from './applications.js';
import { evidenceChunk } from './evidence.js';
import { signal, type SignalCounts } from './signal.js';
import { views } from './index.js';

/**
 * An organisation's signal, counted from the state at the end of a log: which sessions are completed, and which outcome
 * each of them has. The view counts event by event and must have the same result.
 */
const countSignal = (log: readonly Stored[], organisationId: string): SignalSummary => {
  const own = (log as readonly Stored<RoleEvent | TrialEvent | OutcomeEvent>[]).filter(
    (event) => event.data.organisationId === organisationId,
  );
  const names = new Map<string, string>();
  const completed = new Map<string, string>();
  const standing = new Map<string, OutcomeValues>();
  for (const event of own) {
    if (event.type === 'role.created' || event.type === 'role.updated')
      names.set(event.data.roleId, event.data.definition.name);
    if (event.type === 'trial.completed') completed.set(event.data.trialSessionId, event.data.roleId);
    if (event.type === 'outcome.recorded') standing.set(event.data.trialSessionId, event.data);
    if (event.type === 'outcome.retracted') standing.delete(event.data.trialSessionId);
  }
  const count = (isOurs: (roleId: string) => boolean): SignalCounts => {
    const sessions = [...completed].filter(([, roleId]) => isOurs(roleId)).map(([session]) => session);
    const outcomes = sessions.flatMap((session) => standing.get(session) ?? []);
    const having = (values: Partial<OutcomeValues>) =>
      outcomes.filter((outcome) =>
        Object.entries(values).every(([key, value]) => outcome[key as keyof OutcomeValues] === value),
      ).length;
    return {
      trialCompletedCount: sessions.length,
      outcomeRecordedCount: outcomes.length,
      awaitingOutcomeCount: sessions.length - outcomes.length,
      humanRound: { passed: having({ humanRound: 'passed' }), failed: having({ humanRound: 'failed' }) },
      disposition: { hired: having({ disposition: 'hired' }), declined: having({ disposition: 'declined' }) },
    };
  };
  const rows = [...names].map(([roleId, roleName]) => ({
    ...count((one) => one === roleId),
    roleId,
    roleName,
  }));
  return {
    roles: rows.sort((a, b) =>
      a.roleName === b.roleName ? (a.roleId < b.roleId ? -1 : 1) : a.roleName < b.roleName ? -1 : 1,
    ),
    totals: count(() => true),
  };
};

/** Tries a law on every view with each of many histories; a failure names the view. */
const always = (law: (view: AnyView, history: History, pick: number) => void, numRuns = 30): void => {
  fc.assert(
    fc.property(histories(), fc.nat(), (history, pick) => {
      for (const view of views) {
        try {
          law(view, history, pick);
        } catch (error) {
          throw new Error(`The view ${view.name} breaks the law.`, { cause: error });
        }
      }
    }),
    { numRuns },
  );
};

/** Candidates of a history who were erased. */
const erasedIn = (history: History): ReadonlySet<string> =>
  new Set(
    history.flatMap(({ type, person }) => (type === 'candidate.erased' && person !== null ? [person] : [])),
  );

/** The folded documents as they are read: the personal parts of erased persons cannot be opened. */
const opened = (view: AnyView, events: readonly Stored[], erased: ReadonlySet<string>): readonly string[] =>
  [...foldView(view, events)].map(([id, { document, removed, keys }]: [string, Folded<ViewDocument>]) => {
    const isErased = document.person != null && erased.has(document.person);
    return JSON.stringify([id, isErased ? { ...document, personal: null } : document, removed, keys]);
  });

/** The parts of folded documents that the store has unencrypted, index keys included. */
const plainParts = (view: AnyView, events: readonly Stored[]): readonly string[] =>
  [...foldView(view, events)].map(([id, { document, removed, keys }]: [string, Folded<object>]) =>
    JSON.stringify([id, { ...document, personal: null }, removed, keys]),
  );

describe('generated histories', () => {
  const sample = fc.sample(histories(), { numRuns: 300, seed: 10 });

  it('hold every event that a view handles, and sessions of several chunks', () => {
    const events = sample.flat();
    const held = new Set(events.map(({ type }) => type));
    expect(views.flatMap(({ handles }) => handles).filter((type) => !held.has(type))).toEqual([]);
    const numbers = events.map(({ data }) => ('sequenceNumber' in data ? Number(data.sequenceNumber) : 0));
    expect(evidenceChunk(Math.max(...numbers))).toBeGreaterThan(0);
  });

  it('are logs: revisions without a gap, ids and positions only once', () => {
    for (const history of sample) {
      const revisions = new Map<string, number>();
      for (const { stream, revision } of history) {
        expect(revision).toBe(revisions.get(stream) ?? 0);
        revisions.set(stream, revision + 1);
      }
      expect(new Set(history.map(({ id }) => id)).size).toBe(history.length);
      expect(history.map(({ position }) => position)).toEqual(history.map(({ position }) => position).sort());
    }
  });
});

describe('every view', () => {
  it('has a name of its own', () => {
    expect(new Set(views.map(({ name }) => name)).size).toBe(views.length);
  });

  it('sorts some index by each of its keys', () => {
    for (const { name, keys = {}, indexes = {} } of views)
      expect([name, ...new Set(Object.values(indexes).flat())].sort()).toEqual(
        [name, ...Object.keys(keys)].sort(),
      );
  });

  it('folds to the same bytes whatever the pages, in pages of 1, 2, 7 and all', () => {
    always(expectSameWhateverThePages, 20);
  });

  it('makes plain JSON documents, and keys that a store takes', () => {
    always((view, history) => {
      for (const [id, { document, keys }] of foldView(view, history)) {
        expect(id).toMatch(/^[0-9a-f:-]+$/u);
        assertPlainJson(document);
        for (const key of Object.values(keys)) assertIndexKey(key);
      }
    });
  });

  it('takes events that can no longer be read, and says in plain what it would have said', () => {
    always((view, history) => {
      expect(plainParts(view, unreadable(history))).toEqual(plainParts(view, history));
    });
  });

  it('keeps personal text in personal parts, under the key of a person', () => {
    always((view, history) => {
      expect(plainParts(view, history).filter((part) => part.includes(SECRET))).toEqual([]);
      for (const { document } of foldView(view, history).values())
        expect(document.personal == null || document.person != null).toBe(true);
    });
  });

  it('comes out the same of an erased person whether or not what was before could still be read', () => {
    always((view, history) => {
      const erased = erasedIn(history);
      expect(opened(view, unreadable(history, erased), erased)).toEqual(opened(view, history, erased));
    });
  });

  it('holds nothing personal where an event of the erasure is a document’s last', () => {
    always((view, history) => {
      const erased = erasedIn(history);
      const handled = new Set<string>(view.handles);
      const lasts = new Map<string, Stored>();
      for (const event of history) {
        const id = handled.has(event.type) ? view.documentId(event) : null;
        if (id !== null) lasts.set(id, event);
      }
      for (const [id, { document }] of foldView(view, history)) {
        const last = lasts.get(id);
        if (last?.person == null || !erased.has(last.person)) continue;
        if (last.type.endsWith('.erased')) expect(document.personal ?? null).toBeNull();
      }
    });
  });

  it('mixes no two persons: what one’s events say changes no document of another', () => {
    always((view, history, pick) => {
      const persons = [...new Set(history.flatMap(({ person }) => person ?? []))].sort();
      const erased = persons[pick % persons.length] ?? '';
      const others = (events: readonly Stored[]) =>
        [...foldView(view, events)].filter(([, { document }]) => document.person !== erased);
      expect(others(unreadable(history, new Set([erased])))).toEqual(others(history));
    });
  });
});

/** Its document has the notices that are not requested yet: it grows only while the reactor is late. */
const OF_ORGANISATIONS = ['notices'];

it('no view has a document that grows with its organisation', () => {
  always((view, history) => {
    const handled = new Set<string>(view.handles);
    const held = new Map<string, { readonly roles: Set<unknown>; readonly candidates: Set<unknown> }>();
    for (const event of history) {
      const id = handled.has(event.type) ? view.documentId(event) : null;
      if (id === null) continue;
      const { roles, candidates } = held.get(id) ?? { roles: new Set(), candidates: new Set() };
      const { roleId, candidateId } = event.data as Readonly<Record<string, unknown>>;
      if (roleId !== undefined) roles.add(roleId);
      if (candidateId !== undefined) candidates.add(candidateId);
      held.set(id, { roles, candidates });
    }
    if (OF_ORGANISATIONS.includes(view.name)) return;
    for (const { roles, candidates } of held.values())
      expect(Math.min(roles.size, candidates.size)).toBeLessThanOrEqual(1);
  });
});

it('a session is told of in the applications as its own stream tells of it', () => {
  always((view, history) => {
    if (view.name !== 'applications') return;
    const sessions = new Map<string, TrialState>();
    for (const event of history)
      if (event.stream.startsWith('trial-'))
        sessions.set(
          event.stream,
          trial.evolve(sessions.get(event.stream) ?? null, event as Stored<TrialEvent>),
        );
    const told = [...foldView(applications, history).values()].map(({ document }) => document);
    for (const session of sessions.values())
      expect(
        told.find(({ trialSessionId }) => trialSessionId === session?.trialSessionId)?.trial,
      ).toMatchObject({
        status: session?.status,
        startedAt: session?.startedAt,
        endedAt: session?.endedAt,
        expiresAt: session?.expiresAt,
        evaluationId: session?.evaluationId,
        version: session?.version,
      });
  });
});

describe('the signal', () => {
  it('is the same with every erasure as without', () => {
    fc.assert(
      fc.property(histories(), (history) => {
        const others = history.filter(({ type }) => !type.endsWith('.erased'));
        expect(foldView(signal, others)).toEqual(foldView(signal, history));
      }),
      { numRuns: 50 },
    );
  });

  it('equals what is counted from the end of the log, at every step', () => {
    fc.assert(
      fc.property(histories(), fc.nat(), (history, cut) => {
        const events = history.slice(0, 1 + (cut % history.length));
        const rows = [...foldView(signal, events).values()].map(({ document }) => document);
        for (const organisationId of new Set(rows.map((row) => row.organisationId))) {
          const own = rows.flatMap((one) =>
            one.organisationId === organisationId && one.row ? one.row : [],
          );
          expect(summaryOf(own)).toEqual(countSignal(events, organisationId));
        }
      }),
      { numRuns: 100 },
    );
  });
});
