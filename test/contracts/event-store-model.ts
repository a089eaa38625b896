import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { EncodedEvent, EventStore, Expected, StreamName } from '../../src/core/event-store.js';
import { collect, event, plain, type LogUnderTest } from './event-store-kit.js';

/** The port in its simplest form: lists of events. */
class Model {
  readonly all: { stream: StreamName; revision: number; event: EncodedEvent }[] = [];
  /** Every append that succeeded, to be sent again. */
  readonly past: { stream: StreamName; expected: Expected; batch: EncodedEvent[] }[] = [];

  of(stream: StreamName) {
    return this.all.filter((one) => one.stream === stream);
  }

  revision(stream: StreamName): Expected {
    return this.of(stream).length === 0 ? 'no-stream' : this.of(stream).length - 1;
  }
}

interface Real {
  readonly store: EventStore;
  readonly other: EventStore;
}

type Command = fc.AsyncCommand<Model, Real>;

const STREAMS = ['thing-a', 'thing-b', 'thing-a-b'] as StreamName[];

/** Runs random commands against an adapter and the model; they must never disagree. */
export async function eventStoreModel(open: () => Promise<LogUnderTest>): Promise<void> {
  const commands = fc.commands(
    [
      fc
        .tuple(
          fc.constantFrom(...STREAMS),
          fc.integer({ min: -2, max: 2 }),
          fc.integer({ min: 1, max: 4 }),
          fc.boolean(),
        )
        .map((drawn) => new Append(...drawn)),
      fc.tuple(fc.nat(), fc.boolean()).map((drawn) => new Resend(...drawn)),
      fc
        .tuple(fc.constantFrom(...STREAMS), fc.nat(12), fc.boolean(), fc.nat(6))
        .map((drawn) => new ReadStream(...drawn)),
      fc.tuple(fc.nat(30), fc.nat(30), fc.boolean()).map((drawn) => new ReadAll(...drawn)),
      fc
        .array(fc.constantFrom(...STREAMS), { minLength: 2, maxLength: 6 })
        .map((streams) => new Race(streams)),
    ],
    { maxCommands: 60 },
  );
  await fc.assert(
    fc.asyncProperty(commands, async (drawn) => {
      const log = await open();
      const other = await log.another();
      try {
        await fc.asyncModelRun(
          async () => ({ model: new Model(), real: { store: log.store, other } }),
          drawn,
        );
      } finally {
        await Promise.all([log.store.close(), other.close()]);
        await log.remove();
      }
    }),
    { numRuns: 15 },
  );
}

class Append implements Command {
  constructor(
    private readonly stream: StreamName,
    private readonly off: number,
    private readonly count: number,
    private readonly elsewhere: boolean,
  ) {}

  check = (): boolean => true;

  async run(model: Model, { store, other }: Real): Promise<void> {
    const actual = model.revision(this.stream);
    // An offset of 0 is the stream's current revision.
    const place = (actual === 'no-stream' ? -1 : actual) + this.off;
    const expected: Expected = place < 0 ? 'no-stream' : place;
    const batch = Array.from({ length: this.count }, () => event());
    const outcome = await (this.elsewhere ? other : store).append(this.stream, expected, batch);
    if (expected !== actual) {
      expect(outcome).toEqual({ kind: 'conflict', actual });
      return;
    }
    const first = expected === 'no-stream' ? 0 : expected + 1;
    batch.forEach((one, index) =>
      model.all.push({ stream: this.stream, revision: first + index, event: one }),
    );
    model.past.push({ stream: this.stream, expected, batch });
    expect(outcome).toMatchObject({ kind: 'appended', revision: first + this.count - 1 });
  }

  toString = (): string => `append ${this.count} to ${this.stream}, off by ${this.off}`;
}

class Resend implements Command {
  constructor(
    private readonly which: number,
    private readonly elsewhere: boolean,
  ) {}

  check = (model: Readonly<Model>): boolean => model.past.length > 0;

  async run(model: Model, { store, other }: Real): Promise<void> {
    const { stream, expected, batch } = model.past[this.which % model.past.length]!;
    const outcome = await (this.elsewhere ? other : store).append(stream, expected, batch);
    const revision = (expected === 'no-stream' ? -1 : expected) + batch.length;
    expect(outcome).toMatchObject({ kind: 'appended', revision });
    const [last] = await collect(store.readStream(stream, { from: revision, limit: 1 }));
    expect(outcome).toMatchObject({ position: last?.position });
  }

  toString = (): string => `send append ${this.which} again`;
}

class ReadStream implements Command {
  constructor(
    private readonly stream: StreamName,
    private readonly from: number,
    private readonly backward: boolean,
    private readonly limit: number,
  ) {}

  check = (): boolean => true;

  async run(model: Model, { store }: Real): Promise<void> {
    const direction = this.backward ? 'backward' : 'forward';
    const read = await collect(
      store.readStream(this.stream, { from: this.from, direction, limit: this.limit }),
    );
    const mine = model.of(this.stream);
    const wanted = this.backward ? mine.slice(0, this.from + 1).reverse() : mine.slice(this.from);
    expect(read.map(plain)).toEqual(wanted.slice(0, this.limit).map(asPlain));
  }

  toString = (): string => `read ${this.limit} of ${this.stream} from ${this.from}`;
}

class ReadAll implements Command {
  constructor(
    private readonly skipped: number,
    private readonly limit: number,
    private readonly inclusive: boolean,
  ) {}

  check = (): boolean => true;

  async run(model: Model, { store, other }: Real): Promise<void> {
    const all = await collect(other.readAll());
    expect(all.map(plain)).toEqual(model.all.map(asPlain));
    const at = all[this.skipped - 1]?.position;
    const beginning = at === undefined ? {} : this.inclusive ? { from: at } : { after: at };
    const rest = await collect(store.readAll({ ...beginning, limit: this.limit }));
    const first = at === undefined ? 0 : this.skipped - (this.inclusive ? 1 : 0);
    expect(rest).toEqual(all.slice(first, first + this.limit));
    if (all.length > 0) expect(await store.head()).toBe(all.at(-1)?.position);
  }

  toString = (): string => `read ${this.limit} ${this.inclusive ? 'from' : 'after'} ${this.skipped}`;
}

/** Several writers append at once, each at its stream's current revision: one of each stream wins. */
class Race implements Command {
  constructor(private readonly streams: readonly StreamName[]) {}

  check = (): boolean => true;

  async run(model: Model, { store, other }: Real): Promise<void> {
    const attempts = this.streams.map((stream) => ({
      stream,
      expected: model.revision(stream),
      one: event(),
    }));
    const outcomes = await Promise.all(
      attempts.map(({ stream, expected, one }, index) =>
        (index % 2 ? other : store).append(stream, expected, [one]),
      ),
    );
    const won = attempts
      .map((attempt, index) => ({ ...attempt, outcome: outcomes[index]! }))
      .flatMap(({ outcome, ...attempt }) => (outcome.kind === 'appended' ? [{ ...attempt, outcome }] : []))
      .sort((a, b) => (a.outcome.position < b.outcome.position ? -1 : 1));
    expect(won.map(({ stream }) => stream).sort()).toEqual([...new Set(this.streams)].sort());
    for (const { stream, expected, one, outcome } of won) {
      model.all.push({ stream, revision: outcome.revision, event: one });
      model.past.push({ stream, expected, batch: [one] });
    }
  }

  toString = (): string => `race for ${this.streams.join(', ')}`;
}

const asPlain = ({ stream, revision, event: one }: Model['all'][number]) =>
  plain({ ...one, stream, revision, position: '' as never });
