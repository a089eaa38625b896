import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { aSession, fillTurns, sessionsOf } from '../../test/contracts/vault-audio.js';
import { eventually } from '../../test/support/eventually.js';
import { stored } from '../../test/support/given-when-then.js';
import { openMemoryReadStore } from '../../test/support/memory-read-store.js';
import { MemoryVault } from '../../test/support/memory-vault.js';
import { StoreUnavailable } from '../core/errors.js';
import type { CommandStreams } from '../core/handle.js';
import type { TrialEvent } from '../domain/session/events.js';
import { silentLog } from '../engine/log.js';
import { Leases } from '../engine/ownership/leases.js';
import type { AudioOf } from '../vault/port.js';
import { AudioSweep } from './audio-sweep.js';
import { startSweep, type SweepOptions } from './sweeps.js';

const event = (type: string, data: object = {}): TrialEvent => ({ type, data }) as unknown as TrialEvent;
const answer = (turn: number, kept: boolean): TrialEvent =>
  event('interview.answer_recorded', { turn, late: false, voice: { durationMs: 500, kept } });
const ended = event('trial.completed');

/** As a process does it. */
const start = (
  stores: ConstructorParameters<typeof AudioSweep>[0],
  options: Partial<SweepOptions> = {},
): { stop(): Promise<void> } => {
  const leases = new Leases({ leases: openMemoryReadStore().leases, owner: randomUUID() });
  const retry = { baseMs: 5, capMs: 5 };
  const common = { vault: stores.vault, leases, log: silentLog, delayMs: 0, retry };
  const sweep = startSweep(new AudioSweep(stores), { ...common, ...options });
  return {
    stop: async () => {
      await sweep.stop();
      await leases.stop();
    },
  };
};

/** A vault with sessions, and what their streams hold. */
const given = () => {
  const vault = new MemoryVault();
  const histories = new Map<string, readonly TrialEvent[]>();
  const broken = new Map<string, Error>();
  const asked: string[] = [];
  const streams = {
    async *each({ kind }: { readonly kind: string }, id: string) {
      const stream = `${kind}-${id}`;
      asked.push(stream);
      const error = broken.get(stream);
      if (error) throw error;
      yield* (histories.get(stream) ?? []).map((one, revision) => stored(one, { revision }));
    },
  } as unknown as CommandStreams;
  const streamOf = (of: AudioOf) => `trial-${of.trialSessionId}`;
  return {
    vault,
    asked,
    streamOf,
    broken,
    session: async (turns: readonly number[], ...events: readonly TrialEvent[]) => {
      const of = await aSession(vault);
      await fillTurns(vault, of, turns);
      histories.set(streamOf(of), events);
      return of;
    },
    happens: (of: AudioOf, ...events: readonly TrialEvent[]) =>
      histories.set(streamOf(of), [...(histories.get(streamOf(of)) ?? []), ...events]),
    turnsOf: async (of: AudioOf) => [...(await vault.audio.turns(of)).keys()],
    stores: { vault, streams },
  };
};

const listening = () => {
  const said: { readonly fields: object; readonly message: string }[] = [];
  return {
    said,
    log: { ...silentLog, warn: (fields: object, message: string) => void said.push({ fields, message }) },
  };
};

describe('the sweep of audio', () => {
  const started = event('trial.started');

  it('discards what nobody needs any more, at once, and nothing else', async () => {
    const { session, turnsOf, stores } = given();
    const running = await session([1, 2, 3], started, answer(1, true), answer(2, false));
    const over = await session([1, 2, 3], started, answer(1, true), answer(2, false), ended);
    const unknown = await session([1]);
    const sweep = start(stores);
    await eventually(async () => (await turnsOf(over)).length === 1);
    await sweep.stop();
    expect(await turnsOf(running)).toEqual([1, 3]);
    expect(await turnsOf(over)).toEqual([1]);
    // Of a session that the log does not know nothing can be said.
    expect(await turnsOf(unknown)).toEqual([1]);
  });

  it('comes again, and does not look again at what is settled', async () => {
    const { session, happens, turnsOf, stores, asked, streamOf } = given();
    const settled = await session([1], started, answer(1, true), ended);
    const running = await session([1], started);
    const sweep = start(stores, { everyMs: 5 });
    await eventually(async () => asked.filter((one) => one === streamOf(running)).length > 2);
    happens(running, answer(1, false));
    await eventually(async () => (await turnsOf(running)).length === 0);
    await sweep.stop();
    expect(asked.filter((one) => one === streamOf(settled))).toHaveLength(1);
    expect(await turnsOf(settled)).toEqual([1]);
  });

  it('lets one broken session hold up no other, says so once, and goes on', async () => {
    const { session, turnsOf, stores, broken, streamOf } = given();
    const { said, log } = listening();
    const sessions = await Promise.all([1, 2, 3].map(() => session([1], started, answer(1, false))));
    broken.set(streamOf(sessions[0]!), new Error('It is damaged.'));
    const sweep = start(stores, { log, everyMs: 5 });
    for (const of of sessions.slice(1)) await eventually(async () => (await turnsOf(of)).length === 0);
    expect(await turnsOf(sessions[0]!)).toEqual([1]);
    await new Promise((settle) => setTimeout(settle, 50));
    expect(said).toEqual([
      {
        fields: { reason: expect.stringContaining('It is damaged.') },
        message: expect.stringContaining('tries again'),
      },
    ]);
    broken.clear();
    await eventually(async () => (await turnsOf(sessions[0]!)).length === 0);
    await sweep.stop();
  });

  it('asks a store that is away once, not for every session', async () => {
    const { session, stores, broken, streamOf, asked } = given();
    const sessions = await Promise.all([1, 2, 3].map(() => session([1], started)));
    for (const of of sessions) broken.set(streamOf(of), new StoreUnavailable('It is away.'));
    const { said, log } = listening();
    const sweep = start(stores, { log, retry: { baseMs: 60_000, capMs: 60_000 } });
    await eventually(async () => said.length > 0);
    await sweep.stop();
    expect(asked).toHaveLength(1);
  });

  it('discards what came back of somebody erased, whatever its events say', async () => {
    const { vault, session, stores } = given();
    const of = await session([1], started, answer(1, true), ended);
    const kept = vault.chunks.kept;
    await vault.keys.erase(of.person);
    vault.chunks.kept = kept;
    const sweep = start(stores);
    await eventually(async () => (await sessionsOf(vault)).length === 0);
    await sweep.stop();
  });

  it('stops in the middle, and at once while it waits', async () => {
    const { session, stores } = given();
    await Promise.all([1, 2, 3].map(() => session([1], started)));
    const sweep = start(stores);
    const stopped = performance.now();
    await sweep.stop();
    await sweep.stop();
    expect(performance.now() - stopped).toBeLessThan(10_000);
  });
});
