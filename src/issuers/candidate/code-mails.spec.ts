import { describe, expect, it } from '@jest/globals';
import { type Mail, MailRefused, MailUnavailable } from '../../clients/mail.js';
import { VaultUnavailable } from '../../core/errors.js';
import { CodeMails } from './code-mails.js';

const current = async () => true;

/** Mails with a server that answers the n-th attempt by the n-th entry, then takes all. */
const mailing = (answers: readonly (Error | null)[] = [], isInvited = async () => true) => {
  const tried: Mail[] = [];
  const logged: unknown[] = [];
  const log = {
    warn: (entry: unknown) => void logged.push(entry),
    error: (entry: unknown) => void logged.push(entry),
  } as unknown as ConstructorParameters<typeof CodeMails>[0]['log'];
  const mailer = {
    send: async (mail: Mail) => {
      const answer = answers[tried.push(mail) - 1];
      if (answer) throw answer;
    },
  };
  return { mails: new CodeMails({ mailer, isInvited, log, pausesMs: [1, 1] }), tried, logged };
};

describe('mails with codes', () => {
  it.each([
    ['en', 'is your sign-in code'],
    ['de', 'ist Ihr Anmeldecode'],
  ] as const)('in %s have the code in both parts, and no link', async (language, subject) => {
    const { mails, tried } = mailing();
    mails.send('carol@example.org', '12345678', language, current);
    await mails.stop();
    const [mail] = tried;
    expect(mail).toMatchObject({ to: 'carol@example.org', subject: `1234 5678 ${subject}` });
    for (const part of [mail!.text, mail!.html]) {
      expect(part).toContain('1234 5678');
      expect(part).not.toMatch(/https?:|<a |<img/);
    }
  });

  it('go to invited addresses alone', async () => {
    const { mails, tried, logged } = mailing([], async () => false);
    mails.send('nobody@example.org', '12345678', 'en', current);
    await mails.stop();
    expect([tried, logged]).toEqual([[], []]);
  });

  it('are tried again while the server is away, and then given up without naming anybody', async () => {
    const away = new MailUnavailable('unreachable');
    const later = mailing([away, away]);
    later.mails.send('carol@example.org', '12345678', 'en', current);
    await later.mails.stop();
    expect([later.tried.length, later.logged.length]).toEqual([3, 0]);
    // The same mail, however often it arrives.
    expect(new Set(later.tried.map(({ id }) => id)).size).toBe(1);
    const never = mailing([away, away, away]);
    never.mails.send('carol@example.org', '12345678', 'en', current);
    await never.mails.stop();
    expect([never.tried.length, never.logged]).toEqual([3, [{ err: away }]]);
  });

  it('are not tried again once their code was replaced', async () => {
    const away = new MailUnavailable('unreachable');
    const { mails, tried, logged } = mailing([away, away]);
    let isCurrent = true;
    mails.send('carol@example.org', '12345678', 'en', async () => {
      const answer = isCurrent;
      isCurrent = false;
      return answer;
    });
    await mails.stop();
    expect([tried.length, logged]).toEqual([2, []]);
  });

  it('are not tried again where the server refuses them', async () => {
    const refused = new MailRefused();
    const { mails, tried, logged } = mailing([refused]);
    mails.send('carol@example.org', '12345678', 'en', current);
    await mails.stop();
    expect([tried.length, logged]).toEqual([1, [{ err: refused }]]);
  });

  it('are reported if it cannot be known who is invited', async () => {
    const fault = new VaultUnavailable('away');
    const { mails, tried, logged } = mailing([], () => Promise.reject(fault));
    mails.send('carol@example.org', '12345678', 'en', current);
    await mails.stop();
    expect([tried, logged]).toEqual([[], [{ err: fault }]]);
  });

  it('hold up no stop for longer than a moment', async () => {
    const { mails, logged } = mailing([], () => new Promise(() => undefined));
    mails.send('carol@example.org', '12345678', 'en', current);
    await mails.stop();
    expect(logged).toEqual([]);
  });
});
