import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { NOW } from '../../../test/support/given-when-then.js';
import { ids, invitationFor, person, roleWith, startedWith } from '../../../test/support/invited-session.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { createCodec } from '../../core/codec.js';
import { CommandContexts } from '../../core/command-context.js';
import { accept } from '../../core/decider.js';
import { VaultUnavailable } from '../../core/errors.js';
import { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { Sealer } from '../../core/sealing.js';
import { candidate } from '../../domain/candidate/decider.js';
import { evaluationDecider } from '../../domain/evaluation/decider.js';
import { eventRegistry } from '../../domain/event-registry.js';
import { completeTrial } from '../../domain/session/decider.js';
import { beginHandIn } from '../../domain/session/hand-in-decider.js';
import { trial } from '../../domain/session/state.js';
import { EXCEEDED, JobExceeded } from '../../work/in-worker.js';
import { Uploads } from '../uploads/uploads.js';
import { CompleteHandIn, CompleteHandInHandler } from './complete-hand-in.js';

const BYTES = Buffer.from('PK no zip');
const FILE = { person, fileId: 'h1' };
const work = {
  ...{ handInId: FILE.fileId, ticketId: 'T', bytes: BYTES.length },
  sha256: createHash('sha256').update(BYTES).digest('hex'),
};
const invitation = invitationFor(roleWith('T'));
const on = { invitation, now: NOW, identity: 'verified' } as const;
const SENTENCE = {
  kind: 'refused',
  refusal: { code: 'work_refused', message: expect.stringContaining('zip') },
};

describe('completing a hand-in that cannot be taken', () => {
  let store: MemoryEventStore;
  let vault: MemoryVault;
  let contexts: CommandContexts;
  let streams: CommandStreams;

  /** What a process of the service has of its own. */
  const aProcess = () => new CommandStreams(store, createCodec(eventRegistry, new Sealer(vault)));
  const complete = (own = aProcess(), uploads: Uploads = new Uploads(vault)) => {
    const caller = { subject: 'ada', email: 'ada@example.org', emailVerified: true, expiresAt: 0 };
    const input = { application: ids, caller, ticketId: 'T', handInId: FILE.fileId };
    const context = contexts.forSystem({ type: 'system', id: 'test' }, 'request');
    return new CompleteHandInHandler(own, uploads).execute(new CompleteHandIn(context, input));
  };
  const typesOf = async (kind: string, id: string) => {
    const types: string[] = [];
    for await (const { type } of store.readStream(`${kind}-${id}` as never)) types.push(type);
    return types;
  };
  const completes = () => {
    const context = contexts.forSystem({ type: 'system', id: 'test' }, 'end');
    return streams.handle(trial, ids.trialSessionId, context, (state) =>
      completeTrial(state, { ...on, expectedVersion: null, evaluationId: 'e' }),
    );
  };

  beforeEach(async () => {
    [store, vault] = [new MemoryEventStore(), new MemoryVault()];
    contexts = new CommandContexts(await KeyedHasher.of(vault), () => new Date(NOW));
    streams = aProcess();
    await vault.keys.create(person);
    await vault.files.append(FILE, 0, BYTES);
    const context = () => contexts.forSystem({ type: 'system', id: 'test' }, 'given');
    const personal = { email: 'ada@example.org', name: null };
    await streams.handle(candidate, ids.candidateId, context(), () =>
      accept({ type: 'candidate.invited', data: invitation, person, personal } as never),
    );
    await streams.handle(trial, ids.trialSessionId, context(), () =>
      accept(
        startedWith({
          ...{ ticketId: 'T', version: 1 },
          work: { kind: 'files', visibleChecks: false, hiddenChecks: false },
        }),
      ),
    );
    await streams.handle(trial, ids.trialSessionId, context(), (state) =>
      beginHandIn(state, { ...on, work, name: 'work.zip' }),
    );
  });

  it('records the refusal, then discards the content', async () => {
    expect(await complete()).toMatchObject(SENTENCE);
    expect(await vault.files.size(FILE)).toBe(0);
    expect(await complete()).toMatchObject(SENTENCE);
    expect((await typesOf('trial', ids.trialSessionId)).slice(1)).toEqual([
      ...['work.hand_in_begun', 'work.refused'],
    ]);
  });

  it('has recorded it if the process ends before the content is discarded', async () => {
    const uploads = new Uploads(vault);
    uploads.discard = () => Promise.reject(new VaultUnavailable('It was killed.'));
    await expect(complete(aProcess(), uploads)).rejects.toThrow('killed');
    expect((await typesOf('trial', ids.trialSessionId)).at(-1)).toBe('work.refused');
    await completes();
    const { state } = await aProcess().read(trial, ids.trialSessionId);
    expect(state?.awaits).toEqual([]);
    expect(await complete()).toMatchObject(SENTENCE);
  });

  it('records it once from several processes', async () => {
    const both = await Promise.all([complete(), complete()]);
    for (const one of both) expect(one).toMatchObject(SENTENCE);
    expect(
      (await typesOf('trial', ids.trialSessionId)).filter((type) => type === 'work.refused'),
    ).toHaveLength(1);
  });

  it('ends the wait of the evaluation if the session is completed meanwhile', async () => {
    await completes();
    const both = await Promise.all([complete(), complete()]);
    for (const one of both) expect(one).toMatchObject(SENTENCE);
    expect(await typesOf('evaluation', 'e')).toEqual(['evaluation.work_refused']);
    const { state } = await aProcess().read(evaluationDecider, 'e');
    expect(state.late.ended).toEqual([{ kind: 'hand_in', id: FILE.fileId }]);
    expect(await vault.files.size(FILE)).toBe(0);
  });

  it('leaves a hand-in open, with its content, that a busy machine had no time to unpack', async () => {
    const files = Object.assign(Object.create(vault.files) as typeof vault.files, {
      async *read(): AsyncGenerator<Buffer> {
        yield await Promise.reject(new JobExceeded('It took too long.'));
      },
    });
    expect(await complete(aProcess(), new Uploads({ files }))).toEqual(EXCEEDED);
    // Another request may have recorded the same content meanwhile.
    expect(await vault.files.size(FILE)).toBe(BYTES.length);
    expect((await typesOf('trial', ids.trialSessionId)).at(-1)).toBe('work.hand_in_begun');
    expect(await complete()).toMatchObject(SENTENCE);
  });
});
