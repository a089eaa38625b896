import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { aFile, fillFile, filesOf } from '../../test/contracts/vault-files.js';
import { after, NOW, stored } from '../../test/support/given-when-then.js';
import { MemoryVault } from '../../test/support/memory-vault.js';
import { keepSimilar } from '../application/hand-ins/similar-hand-in.js';
import { StoreUnavailable } from '../core/errors.js';
import type { Stored } from '../core/event.js';
import type { CommandStreams } from '../core/handle.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/timestamp.js';
import type { PersonId } from '../core/vault/port.js';
import type { FileOf } from '../vault/port.js';
import { UploadSweep } from './upload-sweep.js';

/** What was announced of every hand-in, in bytes. */
const ANNOUNCED = 30;

const event = (type: string, at: string, data: object = {}): Stored =>
  stored({ type, data, person: null, personal: null }, { recordedAt: at });

/** The time so long before now. */
const ago = (ms: number): string => after(-ms);

/** A vault with files, their events in the log, and a sweep whose clock is fixed at `NOW`. */
const given = () => {
  const vault = new MemoryVault();
  const histories = new Map<string, readonly Stored[]>();
  const broken = new Map<string, Error>();
  const asked: string[] = [];
  const clock: { now: Date | null } = { now: new Date(NOW) };
  const streams = {
    async *each({ kind }: { readonly kind: string }, id: string) {
      asked.push(`${kind}-${id}`);
      const error = broken.get(`${kind}-${id}`);
      if (error) throw error;
      yield* histories.get(`${kind}-${id}`) ?? [];
    },
  } as unknown as CommandStreams;
  const sweep = new UploadSweep({ vault, streams }, { nowIfTrusted: async () => clock.now });
  const happens = (stream: string, ...events: readonly Stored[]): void =>
    void histories.set(stream, [...(histories.get(stream) ?? []), ...events]);
  return {
    vault,
    asked,
    broken,
    clock,
    happens,
    forgets: (stream: string) => histories.delete(stream),
    /** Sweeps it all so many times. */
    swept: async (times = 1) => {
      for (let time = 0; time < times; time++)
        for (let place: string | null = null, isFirst = true; isFirst || place !== null; isFirst = false) {
          const { end, failure } = await sweep.part(place, new AbortController().signal);
          if (failure !== undefined) throw failure as Error;
          place = end;
        }
    },
    isThere: async (of: FileOf) => (await vault.files.size(of)) > 0,
    /** A candidate's hand-in of which so many bytes have arrived, in a session of its own. */
    handIn: async (begunAt: string, bytes: number, of?: FileOf) => {
      const file = of ?? (await aFile(vault));
      const session = randomUUID();
      if (bytes > 0) await fillFile(vault, file, [bytes]);
      happens(`candidate-${file.person}`, event('candidate.invited', begunAt, { trialSessionId: session }));
      const data = { handInId: file.fileId, bytes: ANNOUNCED };
      happens(
        `trial-${session}`,
        event('trial.started', begunAt),
        event('work.hand_in_begun', begunAt, data),
      );
      return { file, session: `trial-${session}`, arrived: event('work.handed_in', begunAt, data) };
    },
    /** A file set of a ticket, with content. */
    fileSet: async (begunAt: string, isComplete: boolean) => {
      const file = await aFile(vault);
      const ids = { ticketId: file.person, fileSetId: file.fileId };
      await fillFile(vault, file, [ANNOUNCED]);
      happens(`file-set-${file.fileId}`, event('file_set.begun', begunAt, ids));
      if (isComplete)
        happens(
          `file-set-${file.fileId}`,
          event('file_set.completed', begunAt, { ...ids, treeSha256: '', files: [] }),
        );
      return file;
    },
  };
};

const content = (over: object) => ({ content: { starter: null, checks: null, ...over } });

describe('the sweep of uploads', () => {
  describe('of what was made of hand-ins', () => {
    it('keeps fingerprints, and asks the log nothing about them', async () => {
      const { vault, swept, isThere, asked } = given();
      const file = await aFile(vault);
      const made = { ...file, fileId: `${file.fileId}-fingerprints` };
      await fillFile(vault, made, [9]);
      await swept(2);
      expect(await isThere(made)).toBe(true);
      expect(asked).toEqual([]);
    });

    it('keeps what a hand-in is similar to until the other candidate is erased', async () => {
      const { vault, swept, isThere } = given();
      const [{ person, fileId: handInId }, other] = [await aFile(vault), await aFile(vault)];
      await keepSimilar(vault, { person, handInId }, {
        ...{ person: other.person, handInId: other.fileId, trialSessionId: 't' },
      }); // prettier-ignore
      const file = { person, fileId: `${handInId}-similar` };
      await swept(2);
      expect(await isThere(file)).toBe(true);
      await vault.keys.erase(other.person);
      await swept();
      expect(await isThere(file)).toBe(false);
    });
  });

  describe('of logos', () => {
    it('discards one that was replaced or taken away, and keeps all others', async () => {
      const { vault, happens, swept, isThere } = given();
      const organisationId = randomUUID();
      const logo = async () => {
        const file = { ...(await aFile(vault)), fileId: `logo-${organisationId}` };
        await fillFile(vault, file, [9]);
        return file;
      };
      const [first, second, unknown] = [await logo(), await logo(), await logo()];
      const changed = (to: FileOf | null): void =>
        happens(
          `organisation-${organisationId}`,
          event('organisation.logo_changed', NOW, { organisationId, logo: to && { id: to.person } }),
        );
      const left = () => Promise.all([first, second, unknown].map(isThere));
      changed(first);
      await swept(2);
      expect(await left()).toEqual([true, true, true]);
      changed(second);
      await swept();
      expect(await left()).toEqual([false, true, true]);
      changed(null);
      await swept();
      expect(await left()).toEqual([false, false, true]);
    });
  });

  describe('of logos whose upload ended without a known outcome', () => {
    const [day30, day31] = [30 * DAY_MS, 31 * DAY_MS].map((ms) => Date.parse(NOW) - ms);
    const uploaded = async (msecs: number, isInLog = true) => {
      const rig = given();
      const organisationId = randomUUID();
      const person = v7({ msecs }) as PersonId;
      const file = { ...(await aFile(rig.vault, person)), fileId: `logo-${organisationId}` };
      await fillFile(rig.vault, file, [9]);
      const happens = (type: string, data: object): void =>
        rig.happens(`organisation-${organisationId}`, event(type, NOW, { organisationId, ...data }));
      if (isInLog) happens('organisation.created', {});
      return { ...rig, happens, remains: () => rig.isThere(file), person };
    };

    it('discards one that no event has named for 30 days, and not before', async () => {
      for (const [msecs, remains] of [
        [day30!, true],
        [day31!, false],
      ] as const) {
        const logo = await uploaded(msecs);
        await logo.swept();
        expect(await logo.remains()).toBe(remains);
      }
    });

    it('keeps one that an event names, however old', async () => {
      const { happens, swept, remains, person } = await uploaded(day31!);
      happens('organisation.logo_changed', { logo: { id: person } });
      await swept(2);
      expect(await remains()).toBe(true);
    });

    it('keeps all while the clock may be wrong, and those of an organisation that the log has lost', async () => {
      const doubtful = await uploaded(day31!);
      doubtful.clock.now = null;
      const lost = await uploaded(day31!, false);
      for (const { swept, remains } of [doubtful, lost]) {
        await swept(2);
        expect(await remains()).toBe(true);
      }
    });
  });

  describe('of hand-ins', () => {
    it('keeps what was handed in, however old, and does not read of it again', async () => {
      const { handIn, happens, swept, isThere, asked } = given();
      const { file, session, arrived } = await handIn(ago(30 * DAY_MS), ANNOUNCED);
      happens(session, arrived, event('trial.completed', ago(29 * DAY_MS), { evaluationId: 'e' }));
      await swept(3);
      expect(await isThere(file)).toBe(true);
      expect(asked.filter((stream) => stream === session)).toHaveLength(1);
    });

    it('discards what did not arrive within a day, once it grows no more', async () => {
      const { handIn, swept, isThere, vault } = given();
      const late = await handIn(ago(DAY_MS), 20);
      const young = await handIn(ago(DAY_MS - 1), 20);
      await swept();
      expect(await isThere(late.file)).toBe(true);
      expect(await vault.files.append(late.file, 20, Buffer.alloc(5))).toBe(true);
      await swept();
      expect(await isThere(late.file)).toBe(true);
      await swept();
      expect(await isThere(late.file)).toBe(false);
      expect(await isThere(young.file)).toBe(true);
      // Sent again from its beginning, it has the time from one sweep to the next at least.
      await fillFile(vault, late.file, [25]);
      await swept();
      expect(await isThere(late.file)).toBe(true);
    });

    it('leaves what has arrived as a whole, as long as it can be completed', async () => {
      const { handIn, happens, swept, isThere } = given();
      const { file, session } = await handIn(ago(3 * DAY_MS), ANNOUNCED);
      await swept(3);
      expect(await isThere(file)).toBe(true);
      happens(session, event('trial.withdrawn', ago(HOUR_MS)));
      await swept();
      expect(await isThere(file)).toBe(false);
    });

    it.each(['trial.completed', 'trial.withdrawn', 'trial.expired'])(
      'discards what is not complete an hour after %s, and not before',
      async (type) => {
        const { handIn, happens, swept, isThere } = given();
        const over = await handIn(ago(2 * HOUR_MS), 20);
        const recent = await handIn(ago(2 * HOUR_MS), 20);
        happens(over.session, event(type, ago(HOUR_MS), { evaluationId: 'e' }));
        happens(recent.session, event(type, ago(59 * MINUTE_MS), { evaluationId: 'e' }));
        await swept();
        expect([await isThere(over.file), await isThere(recent.file)]).toEqual([false, true]);
      },
    );

    it('keeps what arrived after the end and is recorded with the evaluation', async () => {
      const { handIn, happens, swept, isThere } = given();
      const { file, session } = await handIn(ago(2 * DAY_MS), ANNOUNCED);
      happens(session, event('trial.completed', ago(DAY_MS), { evaluationId: 'e' }));
      happens('evaluation-e', event('evaluation.work_handed_in', ago(DAY_MS), { handInId: file.fileId }));
      await swept();
      expect(await isThere(file)).toBe(true);
    });

    it('discards what is left of a refused one, in its session and after it', async () => {
      const { handIn, happens, swept, isThere } = given();
      const within = await handIn(ago(MINUTE_MS), ANNOUNCED);
      happens(within.session, event('work.refused', ago(1), { handInId: within.file.fileId }));
      const late = await handIn(ago(MINUTE_MS), ANNOUNCED);
      happens(late.session, event('trial.completed', ago(MINUTE_MS), { evaluationId: 'e' }));
      happens('evaluation-e', event('evaluation.work_refused', ago(1), { handInId: late.file.fileId }));
      await swept();
      expect([await isThere(within.file), await isThere(late.file)]).toEqual([false, false]);
    });

    it('tells the hand-ins of one candidate apart, and reads each of their sessions once', async () => {
      const { vault, handIn, happens, swept, isThere, asked } = given();
      const first = await handIn(ago(DAY_MS), ANNOUNCED);
      happens(first.session, first.arrived);
      const second = await handIn(ago(DAY_MS), 20, await aFile(vault, first.file.person));
      happens(second.session, event('trial.expired', ago(HOUR_MS)));
      const third = await handIn(ago(HOUR_MS), 20, await aFile(vault, first.file.person));
      await swept();
      expect(await Promise.all([first, second, third].map(({ file }) => isThere(file)))).toEqual([
        true,
        false,
        true,
      ]);
      expect(asked.filter((stream) => stream === first.session)).toHaveLength(1);
    });
  });

  describe('of file sets', () => {
    it.each([true, false])(
      'discards one that its ticket never named, a day and an hour after it was begun (complete: %s)',
      async (isComplete) => {
        const { fileSet, swept, isThere } = given();
        const old = await fileSet(ago(DAY_MS + HOUR_MS), isComplete);
        const young = await fileSet(ago(DAY_MS + HOUR_MS - 1), isComplete);
        await swept();
        expect([await isThere(old), await isThere(young)]).toEqual([false, true]);
      },
    );

    it('keeps what any version of its ticket named, for whatever', async () => {
      const { fileSet, happens, swept, isThere } = given();
      const sets = [];
      for (const named of [
        (id: string) => ({ starter: { id } }),
        (id: string) => ({ checks: { visible: { id }, hidden: null } }),
        (id: string) => ({ checks: { visible: null, hidden: { id } } }),
      ]) {
        const set = await fileSet(ago(30 * DAY_MS), true);
        happens(
          `ticket-${set.person}`,
          event('ticket.created', NOW, content({})),
          event('ticket.updated', NOW, content(named(set.fileId))),
          event('ticket.updated', NOW, content({})),
        );
        sets.push(set);
      }
      await swept(2);
      expect(await Promise.all(sets.map(isThere))).toEqual([true, true, true]);
    });

    it('does not take another ticket’s naming for its own', async () => {
      const { fileSet, happens, swept, isThere } = given();
      const set = await fileSet(ago(2 * DAY_MS), true);
      happens(
        `ticket-${randomUUID()}`,
        event('ticket.created', NOW, content({ starter: { id: set.fileId } })),
      );
      await swept();
      expect(await isThere(set)).toBe(false);
    });
  });

  it('leaves what the log does not know: it may have been restored from an older backup', async () => {
    const { vault, handIn, fileSet, forgets, swept, isThere } = given();
    const neverHeardOf = await aFile(vault);
    await fillFile(vault, neverHeardOf, [10]);
    const { file: sessionLost, session } = await handIn(ago(9 * DAY_MS), 20);
    forgets(session);
    const { file: candidateLost } = await handIn(ago(9 * DAY_MS), 20);
    forgets(`candidate-${candidateLost.person}`);
    const setLost = await fileSet(ago(9 * DAY_MS), true);
    forgets(`file-set-${setLost.fileId}`);
    await swept(3);
    for (const file of [neverHeardOf, sessionLost, candidateLost, setLost])
      expect(await isThere(file)).toBe(true);
  });

  it('discards nothing because of the time while the clock may be wrong, only what came back of erased persons', async () => {
    const { vault, clock, handIn, fileSet, swept, isThere } = given();
    const { file } = await handIn(ago(9 * DAY_MS), 20);
    const { file: back } = await handIn(ago(HOUR_MS), 20);
    const set = await fileSet(ago(9 * DAY_MS), false);
    const kept = vault.pieces.kept;
    await vault.keys.erase(back.person);
    vault.pieces.kept = kept;
    clock.now = null;
    await swept(3);
    expect([await isThere(file), await isThere(set)]).toEqual([true, true]);
    expect(await filesOf(vault)).not.toContainEqual(back);
    clock.now = new Date(NOW);
    await swept(2);
    expect([await isThere(file), await isThere(set)]).toEqual([false, false]);
  });

  it('lets one broken stream hold up no other, and asks a store that is away once', async () => {
    const { vault, broken, handIn, happens, asked, swept } = given();
    const handIns = [];
    for (let n = 0; n < 3; n++) {
      const one = await handIn(ago(DAY_MS), 20);
      happens(one.session, event('trial.expired', ago(DAY_MS)));
      handIns.push(one);
    }
    const files = await filesOf(vault);
    const first = handIns.find(({ file }) => file.fileId === files[0]?.fileId)!;
    broken.set(first.session, new Error('It is damaged.'));
    await expect(swept()).rejects.toThrow('It is damaged.');
    expect(await filesOf(vault)).toEqual([first.file]);
    const others = [await handIn(ago(DAY_MS), 20), await handIn(ago(DAY_MS), 20)];
    for (const { session } of [first, ...others]) broken.set(session, new StoreUnavailable('It is away.'));
    asked.length = 0;
    await expect(swept()).rejects.toThrow('It is away.');
    expect(asked.filter((stream) => stream.startsWith('trial-'))).toHaveLength(1);
  });

  it('goes on where the part before ended', async () => {
    const { vault, fileSet, swept } = given();
    const owner = randomUUID() as PersonId;
    for (let n = 0; n < 120; n++) await fillFile(vault, await aFile(vault, owner), [1]);
    const gone = [];
    for (let n = 0; n < 120; n++) gone.push(await fileSet(ago(2 * DAY_MS), false));
    await swept();
    expect(await filesOf(vault)).toHaveLength(120);
    expect((await filesOf(vault)).every(({ person }) => person === owner)).toBe(true);
  });
});
