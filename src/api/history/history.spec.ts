import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { organisations } from '../../../projections/organisations.js';
import { foldedReader, recordedLog } from '../../../test/support/folded-reader.js';
import { type History as Log, histories } from '../../../test/support/histories.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { markingSealer } from '../../../test/support/projection-rig.js';
import { storedEvents } from '../../../test/support/stored-events.js';
import { Reads } from '../../application/reads.js';
import type { LogId, Position, StreamName } from '../../core/event-store.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { Budget } from '../../engine/documents/reading.js';
import { noOperations, type Operations } from '../../engine/generations/operations.js';
import { ConsistencyTokens } from '../../engine/reads/tokens.js';
import { EvaluationHistory } from '../evaluations/history.js';
import { StaffEvaluations } from '../evaluations/staff-evaluations.js';
import { readSummary, SignalHistory } from '../signal/signal.js';
import { History } from './history.js';
import { Past } from './past.js';

const ANY = { consistencyToken: null };
const tokensOf = ({ life }: { readonly life: LogId }) =>
  new ConsistencyTokens(life, (...parts) => new KeyedHasher(Buffer.alloc(32)).hmac(...parts));

/** Histories over a log whose live views have reached its end. */
const over = (log: Log, operations: Pick<Operations, 'readIntent'> = noOperations, events = 100_000) => {
  const { eventStore, codec } = recordedLog(log);
  const reads = new Reads(foldedReader(log), eventStore, tokensOf(eventStore));
  const limits = { events, ms: 10_000 };
  const history = new History(eventStore, codec, markingSealer, reads, operations, limits);
  const signals = new SignalHistory(reads, history);
  const evaluations = new EvaluationHistory(new StaffEvaluations(reads), history, new MemoryVault());
  const token = (position: Position) => tokensOf(eventStore).encode(position);
  return { eventStore, signals, evaluations, token };
};

/** What plain reads answer where the log ends here. */
const plain = (log: Log) => {
  const { eventStore } = recordedLog(log);
  const reads = new Reads(foldedReader(log), eventStore, tokensOf(eventStore));
  const staff = new StaffEvaluations(reads);
  return {
    signal: async (org: string) =>
      (await reads.get(organisations, org, ANY)) && (await readSummary(reads, org, ANY)).summary,
    evaluation: async (org: string, id: string, generation: number | null) => {
      const found = await staff.byId(org, id, ANY);
      return found && staff.record(found, generation, ANY);
    },
  };
};

interface Ids {
  readonly organisationId: string;
  readonly evaluationId: string;
}

const evaluationsOf = (log: Log): readonly Ids[] =>
  log.filter(({ type }) => type === 'trial.completed').map(({ data }) => data as Ids);
const organisationsOf = (log: Log): readonly string[] => [
  ...new Set(log.map(({ data }) => (data as Ids).organisationId)),
];

/** One log in which enough happens, and a time at its end. */
const log = fc
  .sample(histories(), { numRuns: 200, seed: 11 })
  .find((one) => evaluationsOf(one).length > 2 && one.some(({ type }) => type === 'role.updated'))!;
const end = log.at(-1)!.metadata.recordedAt;

describe('history', () => {
  it('at any point of any log equals the plain read of then, by position and by time', async () => {
    const seen = { rows: 0, records: 0, nothing: 0 };
    await fc.assert(
      fc.asyncProperty(
        histories(),
        fc.nat(),
        fc.option(fc.nat({ max: 3 })),
        async (log, pick, generation) => {
          const { signals, evaluations, token } = over(log);
          const length = 1 + (pick % log.length);
          const last = log[length - 1]!;
          const upTo = log.slice(0, length);
          const time = last.metadata.recordedAt;
          const byThen = log.filter(({ metadata }) => metadata.recordedAt <= time);
          for (const [at, then] of [
            [token(last.position), plain(upTo)],
            [time, plain(byThen)],
          ] as const) {
            for (const org of organisationsOf(log)) {
              const summary = await signals.read(org, { at }, ANY);
              expect(JSON.stringify(summary)).toBe(JSON.stringify(await then.signal(org)));
              seen.rows += summary?.roles.length ?? 0;
            }
            for (const { organisationId, evaluationId } of evaluationsOf(log)) {
              const record = await evaluations.read(organisationId, evaluationId, generation, { at }, ANY);
              const expected = await then.evaluation(organisationId, evaluationId, generation);
              expect(JSON.stringify(record)).toBe(JSON.stringify(expected));
              seen[record === null ? 'nothing' : 'records']++;
            }
          }
        },
      ),
      { numRuns: 40 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });

  it('leaves out what operators had left out', async () => {
    const renamed = log.findLast(({ type }) => type === 'role.updated')!;
    const without = log.filter(({ id }) => id !== renamed.id);
    const skipped = (view: string) => new Set(view === 'signal' ? [renamed.id] : []);
    const readIntent = async () => ({ open: [], paused: new Set<string>(), skipped });
    const { signals } = over(log, { readIntent });
    const { organisationId } = renamed.data as Ids;
    const summary = await signals.read(organisationId, { at: end }, ANY);
    expect(summary).toEqual(await plain(without).signal(organisationId));
    expect(summary).not.toEqual(await plain(log).signal(organisationId));
  });

  it('stops before the first event that claims to be later, whatever stands behind it', async () => {
    const [org = ''] = organisationsOf(log);
    const place = log.findIndex(({ type }) => type === 'role.updated');
    const ahead = log.map((event, index) =>
      index === place
        ? { ...event, metadata: { ...event.metadata, recordedAt: '2100-01-01T00:00:00.000Z' } }
        : event,
    );
    const summary = await over(ahead).signals.read(org, { at: end }, ANY);
    expect(summary).toEqual(await plain(log.slice(0, place)).signal(org));
  });

  it('takes what is still so from the live views, and reads the log for nothing but what has changed', async () => {
    const { signals, evaluations, token } = over(log, noOperations, 0);
    const { organisationId, evaluationId } = evaluationsOf(log)[0]!;
    const now = plain(log);
    for (const at of [token(log.at(-1)!.position), '2100-01-01T00:00:00Z']) {
      expect(await signals.read(organisationId, { at }, ANY)).toEqual(await now.signal(organisationId));
      const record = await evaluations.read(organisationId, evaluationId, null, { at }, ANY);
      expect(record).toEqual(await now.evaluation(organisationId, evaluationId, null));
    }
  });

  it('reads so much and no more', async () => {
    const { organisationId, evaluationId } = evaluationsOf(log)[0]!;
    const at = end;
    for (const [events, code] of [
      [log.length * 3, null],
      [5, 'too_far'],
    ] as const) {
      const { signals, evaluations } = over(log, noOperations, events);
      for (const read of [
        () => signals.read(organisationId, { at }, ANY),
        () => evaluations.read(organisationId, evaluationId, null, { at }, ANY),
      ]) {
        if (code === null) expect(await read()).toBeTruthy();
        else await expect(read()).rejects.toMatchObject({ code, status: 422 });
      }
    }
  });

  it('says that it cannot be read where an event cannot be folded, and only from that event on', async () => {
    const place = log.findIndex(({ type }) => type === 'role.updated');
    const { organisationId } = log[place]!.data as Ids;
    // A definition that is no more: the fold asks for its name.
    const broken = log.map((event, index) =>
      index === place ? { ...event, data: { ...event.data, definition: null } } : event,
    );
    const { signals, token } = over(log);
    const { eventStore, codec } = recordedLog(broken);
    const reads = new Reads(foldedReader(log), eventStore, tokensOf(eventStore));
    const limits = { events: 100_000, ms: 10_000 };
    const history = new History(eventStore, codec, markingSealer, reads, noOperations, limits);
    const read = (position: Position) =>
      new SignalHistory(reads, history).read(organisationId, { at: token(position) }, ANY);
    await expect(read(log[place]!.position)).rejects.toMatchObject({ code: 'view_parked' });
    const before = log[place - 1]!.position;
    expect(await read(before)).toEqual(await signals.read(organisationId, { at: token(before) }, ANY));
  });
});

describe('a stream’s last event of a type', () => {
  const events = storedEvents(
    Array.from({ length: 30 }, (_, n) => ({ type: n === 3 ? 'rare' : 'usual', data: {}, stream: 'trial-1' })),
  );
  const moment = { position: events.at(-1)!.position, until: null };
  const budget = new Budget({ events: 1000, ms: Infinity }, 'This');
  const past = new Past(recordedLog(events).eventStore, moment, budget);

  it.each([
    ['usual', [29]],
    ['rare', [3]],
    ['unknown', []],
  ])('is found wherever it stands: %s', async (type, revisions) => {
    const found = await past.last('trial-1' as StreamName, type);
    expect(found.map(({ revision }) => revision)).toEqual(revisions);
  });

  it('is none where there is no stream', async () => {
    expect(await past.last('trial-2' as StreamName, 'usual')).toEqual([]);
  });
});

describe('at', () => {
  const { signals, token } = over(log);
  const [org = ''] = organisationsOf(log);
  const position = log[9]!.position;

  it.each([
    ['missing', undefined, 'required'],
    ['empty', '', 'moment'],
    ['given twice', ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'], 'once'],
    ['a day alone', '2026-01-01', 'moment'],
    ['without an offset', '2026-01-01T00:00:00', 'moment'],
    ['no day of the calendar', '2026-02-30T00:00:00Z', 'moment'],
    ['a number', '1767225600000', 'moment'],
    ['a position', position, 'moment'],
    ['a token that was cut off', token(position).slice(0, -4), 'moment'],
    ['a token of another log', tokensOf({ life: 'other' as LogId }).encode(position), 'moment'],
    ['far too long', 'x'.repeat(10_000), 'moment'],
  ])('is refused where it is %s', async (_, at, rule) => {
    const query = at === undefined ? {} : { at };
    await expect(signals.read(org, query, ANY)).rejects.toMatchObject({
      code: 'validation_failed',
      details: [{ path: 'at', rule }],
    });
  });

  it('may have an offset, also with a plus sign that the query has made a blank of', async () => {
    const first = Date.parse(log.find(({ type }) => type === 'role.created')!.metadata.recordedAt);
    const local = new Date(first + 3_600_000).toISOString().replace('Z', '');
    const expected = await signals.read(org, { at: new Date(first).toISOString() }, ANY);
    expect(expected?.roles).toHaveLength(1);
    for (const at of [`${local}+01:00`, `${local} 01:00`])
      expect(await signals.read(org, { at }, ANY)).toEqual(expected);
  });

  it('before there was the organisation finds nothing', async () => {
    for (const at of ['1970-01-01T00:00:00Z', token('' as Position)])
      expect(await signals.read(org, { at }, ANY)).toBeNull();
  });
});
