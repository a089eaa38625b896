import { expect } from '@jest/globals';
import type { Decider, Decision } from '../../src/core/decider.js';
import type { Position, StreamName } from '../../src/core/event-store.js';
import type { Actor, AnyEvent, Stored } from '../../src/core/event.js';
import { deepFreeze } from '../../src/core/json.js';
import type { RefusalCode } from '../../src/domain/refusal-codes.js';

/** The clock of specifications stands here unless an event says otherwise. */
export const NOW = '2026-03-01T09:00:00.000Z';

/** A time `ms` milliseconds after another. */
export const after = (ms: number, from = NOW): string => new Date(Date.parse(from) + ms).toISOString();

interface StoredAs {
  readonly stream?: string;
  readonly revision?: number;
  /** The event's place in the whole log. */
  readonly index?: number;
  readonly recordedAt?: string;
  readonly actor?: Actor;
}

/** An event as it would be read back, everything about it made from its place. */
export const stored = <E extends AnyEvent>(event: E, at: StoredAs = {}): Stored<E> => {
  const { stream = 'test-1', revision = 0, index = revision, recordedAt = NOW } = at;
  return {
    ...event,
    id: uuid(`e${index}`),
    stream: stream as StreamName,
    revision,
    position: index.toString().padStart(16, '0') as Position,
    metadata: {
      schemaVersion: 1,
      recordedAt,
      actor: at.actor ?? { type: 'system', id: 'test' },
      commandId: uuid(`c${index}`),
      requestHash: null,
      correlationId: `r${index}`,
      causationId: null,
    },
    chain: null,
  };
};

/** The same well-formed UUID v7 for the same short name, of at most 9 ASCII characters. */
export const uuid = (name: string): string => {
  if (name.length > 9) throw new Error(`${name} is too long to stand in an id.`);
  const hex = Buffer.from(name.padStart(9, '_'), 'latin1').toString('hex');
  return `018f0000-0000-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6)}`;
};

/** Folds events as one stream, in order. An event is recorded at `NOW` unless paired with another time. */
export const fold = <S, E extends AnyEvent>(
  decider: Decider<S, E>,
  events: readonly E[],
  recordedAt: (index: number) => string = () => NOW,
): S =>
  events.reduce((state, event, revision) => {
    const next = decider.evolve(state, stored(event, { revision, recordedAt: recordedAt(revision) }));
    return deepFreeze(next);
  }, deepFreeze(decider.initial));

/** A specification of a decider: given past events, when a command comes, then these events or this refusal. */
export const specification = <S, E extends AnyEvent>(decider: Decider<S, E>) => ({
  given: (...past: readonly E[]) => ({
    when: (decide: (state: S) => Decision<E>) => {
      const state = fold(decider, past);
      const decision = decide(state);
      return {
        /** Exactly these events follow. */
        then: (...events: readonly E[]) => expect(decision).toEqual({ kind: 'accepted', events }),
        /** Accepted, and nothing follows. */
        thenNothing: () => expect(decision).toEqual({ kind: 'accepted', events: [] }),
        thenRefused: (code: RefusalCode, ...paths: readonly string[]) => {
          expect(decision).toMatchObject({ kind: 'refused', refusal: { code } });
          if (decision.kind === 'refused') {
            expect(decision.refusal.message).toMatch(/\S.*\.$/u);
            expect((decision.refusal.details ?? []).map(({ path }) => path)).toEqual(paths);
          }
        },
        /** The state that past and new events fold to. */
        state: (): S => fold(decider, [...past, ...eventsOf(decision)]),
        events: (): readonly E[] => eventsOf(decision),
      };
    },
  }),
});

/** @throws {Error} the decision is a refusal */
export const eventsOf = <E extends AnyEvent>(decision: Decision<E>): readonly E[] => {
  if (decision.kind === 'refused')
    throw new Error(`Refused: ${decision.refusal.code}: ${decision.refusal.message}`);
  return decision.events;
};
