import { describe, expect, it, jest } from '@jest/globals';
import { eventuallyHolds } from '../../../test/support/eventually.js';
import { type Mail, MailUnavailable } from '../../clients/mail.js';
import type { CommandStreams } from '../../core/handle.js';
import { silentLog } from '../../engine/log.js';
import { ErasureMails } from './erasure.js';

const roomy = { countForAddress: async () => null };

const invitation = { applicationId: 'a', candidateName: 'Carol', language: 'de' };
const person = { organisationId: 'o', email: 'carol@example.org', erased: false, invitations: [invitation] };

/** Streams in which the candidate is like this. */
const streams = (candidate: object | null): CommandStreams =>
  ({
    read: async (decider: { kind: string }) => ({
      state: decider.kind === 'candidate' ? candidate : { name: 'Example' },
    }),
  }) as unknown as CommandStreams;

describe('the mail about an erasure', () => {
  it('is written before it and sent after it', async () => {
    const sent: Mail[] = [];
    const mailer = { send: async (mail: Mail) => void sent.push(mail) };
    const tell = await new ErasureMails(streams(person), mailer, roomy, silentLog).prepare('c');
    expect(sent).toEqual([]);
    tell();
    await eventuallyHolds(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({ to: 'carol@example.org', id: 'erasure.c' });
    expect(sent[0]!.text).toContain('Guten Tag Carol,');
  });

  it.each([
    ['who was erased before', { ...person, email: null, erased: true }],
    ['who does not exist', null],
  ])('goes to nobody %s', async (_, candidate) => {
    const send = jest.fn(async () => undefined);
    const tell = await new ErasureMails(streams(candidate), { send }, roomy, silentLog).prepare('c');
    tell();
    expect(send).not.toHaveBeenCalled();
  });

  it('is sent once, also after an attempt that failed', async () => {
    const results = [new MailUnavailable('deferred'), null, null];
    const send = jest.fn(async () => {
      const failure = results.shift();
      if (failure) throw failure;
    });
    const warn = jest.fn();
    const log = { ...silentLog, warn };
    (await new ErasureMails(streams(person), { send }, roomy, log, [0, 1, 1]).prepare('c'))();
    await eventuallyHolds(() => expect(send).toHaveBeenCalledTimes(2));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(send).toHaveBeenCalledTimes(2);
    expect(warn).not.toHaveBeenCalled();
  });

  it('says in the log why it is tried no more: the reason of the last attempt', async () => {
    const results = [new MailUnavailable('unreachable'), new MailUnavailable('deferred')];
    const send = async (): Promise<void> => {
      throw results.shift()!;
    };
    const warn = jest.fn();
    const log = { ...silentLog, warn };
    (await new ErasureMails(streams(person), { send }, roomy, log, [0, 1]).prepare('c'))();
    await eventuallyHolds(() => expect(warn).toHaveBeenCalledTimes(1));
    expect(warn.mock.calls[0]?.[0]).toEqual({
      reason: 'MailUnavailable: The mail server asks to try again later.',
    });
  });

  it('is tried a few times, and no more once the service stops', async () => {
    const send = jest.fn(async () => {
      throw new MailUnavailable('deferred');
    });
    const warned: string[] = [];
    const log = {
      ...silentLog,
      warn: (fields: object, sentence: string) => void warned.push(JSON.stringify(fields) + sentence),
    };
    (await new ErasureMails(streams(person), { send }, roomy, log, [0, 1, 1]).prepare('c'))();
    await eventuallyHolds(() => expect(warned).toHaveLength(1));
    expect(send).toHaveBeenCalledTimes(3);
    expect(warned.join()).not.toContain('carol');
    const stopping = new ErasureMails(streams(person), { send }, roomy, log, [0, 60_000]);
    (await stopping.prepare('c'))();
    await eventuallyHolds(() => expect(send).toHaveBeenCalledTimes(4));
    await stopping.stop();
    (await stopping.prepare('c'))();
    expect(send).toHaveBeenCalledTimes(4);
  });

  it('is left out for an address that had its share of mails', async () => {
    const send = jest.fn(async () => undefined);
    const warned: string[] = [];
    const log = { ...silentLog, warn: (_: object, sentence: string) => void warned.push(sentence) };
    const full = { countForAddress: async () => 1 };
    (await new ErasureMails(streams(person), { send }, full, log).prepare('c'))();
    await eventuallyHolds(() => expect(warned).toHaveLength(1));
    expect(send).not.toHaveBeenCalled();
  });

  it('is left out where no mails are sent', async () => {
    const tell = await new ErasureMails(streams(person), null, roomy, silentLog).prepare('c');
    expect(tell).not.toThrow();
  });
});
