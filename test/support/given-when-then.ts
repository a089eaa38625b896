import { expect } from '@jest/globals';
import type { Decider, Decision } from '../../src/core/decider.js';
import type { Position, StreamName } from '../../src/core/event-store.js';
import type { Actor, AnyEvent, Stored } from '../../src/core/event.js';
import { deepFreeze } from '../../src/core/json.js';
import type { RefusalCode } from '../../src/domain/refusal-codes.js';

/** The time of specifications, unless an event is paired with another one. */
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

/** An event as a store returns it. Its position and id are made from its place. */
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

/** A valid UUID v7 from a name of at most 9 ASCII characters: the same for the same name. */
export const uuid = (name: string): string => {
  if (name.length > 9) throw new Error(`${name} is too long to stand in an id.`);
  const hex = Buffer.from(name.padStart(9, '_'), 'latin1').toString('hex');
  return `018f0000-0000-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6)}`;
};

/** Folds events, in order, into the state of one stream. An event is recorded at `NOW` unless paired with another time. */
export const fold = <S, E extends AnyEvent>(
  decider: Decider<S, E>,
  events: readonly E[],
  recordedAt: (index: number) => string = () => NOW,
): S =>
  events.reduce((state, event, revision) => {
    const next = decider.evolve(state, stored(event, { revision, recordedAt: recordedAt(revision) }));
    return deepFreeze(next);
  }, deepFreeze(decider.initial));

/** A specification of a decider: given past events, when a command is decided, then these events or this refusal. */
export const specification = <S, E extends AnyEvent>(decider: Decider<S, E>) => ({
  given: (...past: readonly E[]) => ({
    when: (decide: (state: S) => Decision<E>) => {
      const state = fold(decider, past);
      const decision = decide(state);
      return {
        /** Expects exactly these events. */
        then: (...events: readonly E[]) => expect(decision).toEqual({ kind: 'accepted', events }),
        /** Expects that the command is accepted without events. */
        thenNothing: () => expect(decision).toEqual({ kind: 'accepted', events: [] }),
        thenRefused: (code: RefusalCode, ...paths: readonly string[]) => {
          expect(decision).toMatchObject({ kind: 'refused', refusal: { code } });
          if (decision.kind === 'refused') {
            expect(decision.refusal.message).toMatch(/\S.*\.$/u);
            expect((decision.refusal.details ?? []).map(({ path }) => path)).toEqual(paths);
          }
        },
        /** The state after the past and the new events. */
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
