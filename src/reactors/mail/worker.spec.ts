import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mails } from '../../../projections/mails.js';
import { leasesOf, startMails, startProjector, takeAway } from '../../../test/support/alone.js';
import { eventuallyHolds } from '../../../test/support/eventually.js';
import { after, NOW, uuid } from '../../../test/support/given-when-then.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { laggingReader, wrapEventStore } from '../../../test/support/projection-rig.js';
import { warnings } from '../../../test/support/warnings.js';
import { ADDRESS_MAILS_PER_DAY, MailQuota } from '../../clients/mail-quota.js';
import { type Mail, type Mailer, MailRefused, MailUnavailable } from '../../clients/mail.js';
import { createCodec } from '../../core/codec.js';
import { CommandContexts } from '../../core/command-context.js';
import type { Decider, Decision } from '../../core/decider.js';
import { StoreUnavailable } from '../../core/errors.js';
import type { Position } from '../../core/event-store.js';
import type { AnyEvent } from '../../core/event.js';
import { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { Sealer } from '../../core/sealing.js';
import { DAY_MS } from '../../core/timestamp.js';
import type { PersonId } from '../../core/vault/port.js';
import { candidate, eraseCandidate, inviteCandidate } from '../../domain/candidate/decider.js';
import { applicationRefOf, type Invitation } from '../../domain/candidate/events.js';
import { eventRegistry } from '../../domain/event-registry.js';
import { mailsDecider, REMIND_AFTER_MS, RESEND_AFTER_MS, resendMail } from '../../domain/mail/decider.js';
import { reminderOnDemand } from '../../domain/mail/events.js';
import { MAIL_ACTIONS, operator, recordAction, preRestoreDetails } from '../../domain/operations/decider.js';
import type { Details } from '../../domain/operations/events.js';
import { createOrganisation, organisation } from '../../domain/organisation/decider.js';
import { DEFINITION_DEFAULTS } from '../../domain/role/events.js';
import { completeTrial, expireTrial, startTrial } from '../../domain/session/decider.js';
import { trial } from '../../domain/session/state.js';
import type { Projector } from '../../engine/feeding/runner.js';
import { progressOf } from '../../engine/live/progress.js';
import { silentLog } from '../../engine/log.js';
import { createViewReader } from '../../engine/reads/reads.js';
import { OPERATOR_LOG } from '../../process/operations/operations.js';
import { DocumentSealer } from '../../vault/documents.js';
import { workCountsOf } from '../metrics.js';
import { installedAt } from '../reactions.js';
import { NAME } from './send.js';
import type { MailWorkerOptions } from './worker.js';

const organisationId = uuid('org');
const email = 'Carol@example.org';

/** A log, its views, and workers that start and end. The clock moves only by `pass`. */
class Rig {
  readonly eventStore = new MemoryEventStore();
  readonly vault = new MemoryVault();
  readonly readStore = openMemoryReadStore(new MemoryDatabase());
  readonly sealer = new Sealer(this.vault);
  readonly codec = createCodec(eventRegistry, this.sealer);
  /** The log does not answer writers. */
  away = false;
  now = Date.parse(NOW);
  readonly clock = () => new Date(this.now);
  readonly hasher = new KeyedHasher(randomBytes(32));
  readonly contexts = new CommandContexts(this.hasher, this.clock);
  readonly streams = new CommandStreams(
    wrapEventStore(this.eventStore, {
      append: async (...input) => {
        if (this.away) throw new StoreUnavailable('The log is away.');
        return this.eventStore.append(...input);
      },
    }),
    this.codec,
  );
  readonly quota = new MailQuota(this.vault, this.hasher, null, () => this.now);
  readonly sent: Mail[] = [];
  /** What the mail server does; `null`: it takes every mail. */
  answer: ((mail: Mail, signal?: AbortSignal) => void | Promise<void>) | null = null;
  readonly mailer: Mailer = {
    send: async (mail, signal) => {
      await this.answer?.(mail, signal);
      this.sent.push(mail);
    },
  };
  readonly reader = createViewReader({
    eventStore: this.eventStore,
    readStore: this.readStore,
    sealer: new DocumentSealer(this.sealer),
  });
  private readonly projector: Projector = startProjector({
    eventStore: this.eventStore,
    readStore: this.readStore,
    codec: this.codec,
    sealer: new DocumentSealer(this.sealer),
    views: [mails],
    owner: 'test',
  });
  private readonly ending: { stop(): Promise<void> }[] = [];
  private made = 0;

  async open(): Promise<void> {
    await this.projector.ready;
    this.vault.known.set(uuid('m') as PersonId, { kind: 'key', key: randomBytes(32) });
    await this.submit(organisation, organisationId, (state) =>
      createOrganisation(state, {
        ...{ organisationId, name: 'Example' },
        owner: { memberId: uuid('m') as PersonId, email: 'olga@example.org' },
      }),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.ending.map((one) => one.stop()));
    await this.projector.stop();
  }

  /** Moves the clock. The worker sleeps by the machine's clock, so it is woken by the notification of a fold. */
  pass(ms: number): void {
    this.now += ms;
    progressOf(this.readStore).publish(`mails.v${mails.version}.clock`, String(this.now) as Position);
  }

  install = (): Promise<Position> => installedAt(this.streams, this.contexts, NAME);

  work(options: Partial<MailWorkerOptions> = {}): { stop(): Promise<void> } {
    const worker = startMails({
      readStore: this.readStore,
      reader: this.reader,
      streams: this.streams,
      contexts: this.contexts,
      mailer: this.mailer,
      quota: this.quota,
      publicUrl: 'https://assay.example.org',
      clock: this.clock,
      random: () => 0,
      log: silentLog,
      installedAt: this.install,
      owner: 'test',
      pollMs: 20,
      graceMs: 50,
      leaseTimings: { renewMs: 20, deadMs: 150 },
      ...options,
    });
    this.ending.push(worker);
    return worker;
  }

  async submit<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    id: string,
    decide: (state: S) => Decision<E>,
  ): Promise<void> {
    const context = this.contexts.forSystem({ type: 'system', id: 'test' }, 'correlation');
    const handled = await this.streams.handle(decider, id, context, decide);
    if (handled.kind === 'refused') throw new Error(handled.refusal.message);
  }

  /** What an operator did, as `assay` records it. */
  async act(action: string, details: Details): Promise<void> {
    const context = this.contexts.forSystem({ type: 'system', id: 'test' }, 'correlation');
    await this.streams.handle(operator, OPERATOR_LOG, context, () => recordAction(action, details));
  }

  /** Somebody new is invited, for so many days. */
  async invite(days = 14, language: 'en' | 'de' = 'en', to = email): Promise<Invitation> {
    const n = ++this.made;
    const candidateId = uuid(`c${n}`) as PersonId;
    this.vault.known.set(candidateId, { kind: 'key', key: randomBytes(32) });
    const now = this.clock().toISOString();
    const definition = {
      ...{
        name: 'Engineer',
        overallThreshold: 60,
        dimensions: [],
        ticketIds: [],
        questions: [],
        ...DEFINITION_DEFAULTS,
      },
    };
    await this.submit(candidate, candidateId, (state) =>
      inviteCandidate(state, {
        ...{ candidateId, email: to, naming: { name: 'Carol' }, language, now },
        role: {
          ...{
            organisationId,
            roleId: uuid('role'),
            definition,
            status: 'ready',
            archivedAt: null,
            version: 1,
          },
          ...{ createdAt: NOW, updatedAt: NOW },
        },
        ...{ applicationId: uuid(`a${n}`), trialSessionId: uuid(`t${n}`) },
        expiresAt: after(days * DAY_MS, now),
        endedSessions: new Map(),
      }),
    );
    const { state } = await this.streams.read(candidate, candidateId);
    return state!.invitations[0]!;
  }

  outcomeCommandOf = (invitation: Invitation) => ({
    invitation,
    expectedVersion: null,
    now: this.clock().toISOString(),
  });

  async complete(invitation: Invitation): Promise<void> {
    const on = this.outcomeCommandOf(invitation);
    await this.submit(trial, invitation.trialSessionId, (state) =>
      startTrial(state, { ...on, consent: true, identity: 'verified', notice: null, tickets: [] }),
    );
    await this.submit(trial, invitation.trialSessionId, (state) =>
      completeTrial(state, { ...on, evaluationId: uuid(`v${this.made}`) }),
    );
  }

  states = async ({ applicationId }: Invitation): Promise<readonly string[]> => {
    const found = await this.reader.get(mails, applicationId);
    return (found?.document.mails ?? []).map(
      ({ kind, days, state, attempts }) => `${kind}${days ?? ''} ${state} ${attempts}`,
    );
  };

  reaches = (invitation: Invitation, ...states: string[]): Promise<void> =>
    eventuallyHolds(async () => expect(await this.states(invitation)).toEqual(states));
}

const REMINDERS = ['reminder3 pending 0', 'reminder1 pending 0'];

describe('mails to candidates', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = new Rig();
    await rig.open();
  });
  afterEach(() => rig.close());

  it('are sent once to the invited address, in the language of the invitation', async () => {
    await rig.install();
    const [en, de] = [await rig.invite(), await rig.invite(14, 'de')];
    rig.work();
    for (const one of [en, de]) await rig.reaches(one, 'invitation sent 1', ...REMINDERS);
    expect(rig.sent).toHaveLength(2);
    const mail = rig.sent.find(({ subject }) => subject === 'Your invitation from Example: Engineer');
    expect(mail).toMatchObject({ to: email, id: expect.stringMatching(/^invitation\.[0-9a-f-]{36}$/) });
    const link = `https://assay.example.org/apply/${en.applicationId}`;
    expect(mail?.text).toContain('Hello Carol,');
    expect(mail?.text).toContain(link);
    expect(mail?.html).toContain(`href="${link}"`);
    expect(rig.sent.map(({ subject }) => subject)).toContain('Ihre Einladung von Example: Engineer');
    expect(workCountsOf(rig.readStore).mails).toEqual({ sent: 2, retrying: 0, failed: 0 });
  });

  it('of what happened before the service sent mails are not sent', async () => {
    const earlier = await rig.invite();
    await rig.install();
    const later = await rig.invite();
    rig.work();
    await rig.reaches(later, 'invitation sent 1', ...REMINDERS);
    await rig.complete(earlier);
    await rig.reaches(earlier, 'receipt sent 1');
    expect(rig.sent).toHaveLength(2);
  });

  it('of what staff ask for after the installation are sent, whenever the invitation was', async () => {
    const remind = (invitation: Invitation) => {
      const mail = reminderOnDemand(invitation.applicationId);
      return rig.submit(mailsDecider, invitation.applicationId, (state) =>
        resendMail(state, {
          ...{ application: applicationRefOf(invitation), mail, applies: true },
          now: rig.clock().toISOString(),
        }),
      );
    };
    const [before, both, over] = [await rig.invite(), await rig.invite(), await rig.invite()];
    await remind(before);
    await rig.install();
    await remind(both);
    await remind(over);
    await rig.complete(over);
    rig.work();
    await rig.reaches(both, 'invitation pending 0', ...REMINDERS, 'reminder sent 1');
    await rig.reaches(over, 'receipt sent 1');
    rig.pass(REMIND_AFTER_MS);
    await remind(both);
    await rig.reaches(both, 'invitation pending 0', ...REMINDERS, 'reminder sent 2');
    await rig.reaches(before, 'invitation pending 0', ...REMINDERS, 'reminder pending 0');
    const reminders = rig.sent.filter(({ subject }) => subject.startsWith('Open until'));
    expect(new Set(reminders.map(({ id }) => id)).size).toBe(2);
    expect(rig.sent).toHaveLength(3);
  });

  it('of what stands exactly at the installation are not sent either', async () => {
    const [at, later] = [await rig.invite(), await rig.invite()];
    const { position } = await rig.streams.read(candidate, at.candidateId);
    rig.work({ installedAt: async () => position });
    await rig.reaches(later, 'invitation sent 1', ...REMINDERS);
    expect(rig.sent.map(({ text }) => text.includes(later.applicationId))).toEqual([true]);
  });

  it('are not sent for a view that lags behind: what their streams say decides', async () => {
    await rig.install();
    const all = [await rig.invite(), await rig.invite(), await rig.invite(), await rig.invite()];
    const [, deferred, done, erased] = all as [Invitation, Invitation, Invitation, Invitation];
    for (const one of all) await rig.reaches(one, 'invitation pending 0', ...REMINDERS);
    const behind = laggingReader(rig.reader);
    for (const index of ['byNextMail', 'byNextReminder'])
      await behind.page(mails, { index, prefix: [], limit: 100 });
    await rig.complete(done);
    await rig.submit(candidate, erased.candidateId, (state) => eraseCandidate(state, { cause: 'staff' }));
    rig.answer = ({ text }) => {
      if (text.includes(deferred.applicationId)) throw new MailUnavailable('deferred');
    };
    const current = rig.work();
    await rig.reaches(all[0]!, 'invitation sent 1', ...REMINDERS);
    await rig.reaches(deferred, 'invitation pending 1', ...REMINDERS);
    await rig.reaches(done, 'receipt sent 1');
    await current.stop();
    const sent = rig.sent.length;
    let tried = 0;
    rig.answer = () => {
      tried++;
    };
    behind.asked.length = 0;
    const lagging = rig.work({ reader: behind, graceMs: 5_000 });
    // By then it has begun on all that the first index lists.
    await eventuallyHolds(() => behind.asked.includes('byNextReminder'));
    await lagging.stop();
    expect([tried, rig.sent.length - sent]).toEqual([0, 0]);
  });

  it.each([
    ['are sent', MAIL_ACTIONS.release, 'invitation sent 1'],
    ['are given up', MAIL_ACTIONS.giveUp, 'invitation failed 0'],
  ])(
    'that may have been sent before a restore wait for an operator, and %s at a word',
    async (_, word, ends) => {
      await rig.install();
      const before = await rig.invite();
      rig.pass(1_000);
      const until = rig.clock().toISOString();
      await rig.act('restore', preRestoreDetails({ until, are: 'held' }));
      rig.pass(1_000);
      const after = await rig.invite();
      rig.work();
      await rig.reaches(after, 'invitation sent 1', ...REMINDERS);
      await rig.reaches(before, 'invitation pending 0', ...REMINDERS);
      expect(rig.sent).toHaveLength(1);
      await rig.act(word, {});
      rig.pass(60_000);
      await rig.reaches(before, ends, ...REMINDERS);
      expect(rig.sent).toHaveLength(word === MAIL_ACTIONS.release ? 2 : 1);
    },
  );

  it('are counted on while the clock may be wrong: what it takes for expired is not removed', async () => {
    await rig.install();
    const swept: boolean[] = [];
    let believed = false;
    const quota = { countForAddress: async () => null, sweep: async () => void swept.push(believed) };
    rig.work({ quota, timekeeper: { nowIfTrusted: async () => (believed ? rig.clock() : null) } });
    await rig.reaches(await rig.invite(), 'invitation sent 1', ...REMINDERS);
    believed = true;
    rig.pass(11 * 60_000);
    await rig.reaches(await rig.invite(), 'invitation sent 1', ...REMINDERS);
    expect(swept).toEqual([true]);
  });

  it('that an operator knows to be sent before a restore are not sent again', async () => {
    await rig.install();
    const before = await rig.invite();
    rig.pass(1_000);
    await rig.act('restore', preRestoreDetails({ until: rig.clock().toISOString(), are: 'sent' }));
    rig.work();
    await rig.reaches(before, 'invitation sent 0', ...REMINDERS);
    expect(rig.sent).toEqual([]);
  });

  it('are repeated until the server takes them, with the same Message-ID', async () => {
    await rig.install();
    const ids: unknown[] = [];
    rig.answer = ({ id }) => {
      ids.push(id);
      throw new MailUnavailable('deferred');
    };
    const invited = await rig.invite();
    rig.work();
    await rig.reaches(invited, 'invitation pending 1', ...REMINDERS);
    rig.pass(29_000);
    rig.pass(1_000);
    await rig.reaches(invited, 'invitation pending 2', ...REMINDERS);
    rig.answer = null;
    rig.pass(120_000);
    await rig.reaches(invited, 'invitation sent 3', ...REMINDERS);
    expect(new Set([...ids, rig.sent[0]!.id]).size).toBe(1);
    expect(ids).toHaveLength(2);
  });

  it('are sent again at the word of staff, as a message of their own, once whatever fails', async () => {
    await rig.install();
    const invited = await rig.invite();
    const worker = rig.work();
    await rig.reaches(invited, 'invitation sent 1', ...REMINDERS);
    rig.pass(RESEND_AFTER_MS);
    const [mail] = (await rig.reader.get(mails, invited.applicationId))!.document.mails;
    const application = { ...applicationRefOf({ ...invited, candidateId: uuid('c1') }) };
    rig.answer = () => void (rig.away = true);
    await rig.submit(mailsDecider, invited.applicationId, (state) =>
      resendMail(state, { application, mail: mail!, applies: true, now: rig.clock().toISOString() }),
    );
    await eventuallyHolds(() => expect(rig.sent.length).toBeGreaterThan(1));
    await worker.stop();
    [rig.answer, rig.away] = [null, false];
    rig.work();
    await rig.reaches(invited, 'invitation sent 2', ...REMINDERS);
    const [first, ...again] = rig.sent.map(({ id }) => id);
    // The process ended before it recorded that: the mailbox hides the repetition, and not what staff asked for.
    expect(again.length).toBeGreaterThan(0);
    expect(new Set(again).size).toBe(1);
    expect(again).not.toContain(first);
  });

  it('are given up if the recipient is refused, and after three days', async () => {
    await rig.install();
    rig.answer = () => {
      throw new MailRefused();
    };
    const refused = await rig.invite();
    rig.work();
    await rig.reaches(refused, 'invitation failed 1', ...REMINDERS);
    rig.answer = () => {
      throw new MailUnavailable('unreachable');
    };
    const unreachable = await rig.invite();
    for (let attempts = 1; attempts < 30; attempts++) {
      await eventuallyHolds(async () =>
        expect((await rig.states(unreachable))[0]).toMatch(
          new RegExp(`^invitation (pending ${attempts}|failed \\d+)$`),
        ),
      );
      const [first = ''] = await rig.states(unreachable);
      if (first.includes('failed')) return;
      const { document } = (await rig.reader.get(mails, unreachable.applicationId))!;
      rig.pass(Date.parse(document.mails[0]!.nextAttemptAt!) - rig.now);
    }
    throw new Error('It was never given up.');
  });

  it('remind of an open session, and of no other', async () => {
    await rig.install();
    const [open, done, over] = [await rig.invite(), await rig.invite(), await rig.invite()];
    rig.work();
    for (const one of [open, done, over]) await rig.reaches(one, 'invitation sent 1', ...REMINDERS);
    await rig.complete(done);
    await rig.reaches(done, 'invitation sent 1', 'receipt sent 1');
    await rig.submit(trial, over.trialSessionId, (state) =>
      expireTrial(state, { invitation: over, now: over.expiresAt }),
    );
    await rig.reaches(over, 'invitation sent 1');
    rig.pass(11 * DAY_MS);
    await rig.reaches(open, 'invitation sent 1', 'reminder3 sent 1', 'reminder1 pending 0');
    rig.pass(2 * DAY_MS);
    await rig.reaches(open, 'invitation sent 1', 'reminder3 sent 1', 'reminder1 sent 1');
    const reminded = rig.sent.filter(({ subject }) => subject.startsWith('Open until'));
    expect(reminded.map(({ text }) => text.includes(open.applicationId))).toEqual([true, true]);
  });

  it('are sent, but neither given up nor reminded of, while the clock may be wrong', async () => {
    await rig.install();
    let inDoubt = false;
    rig.answer = () => {
      throw new MailUnavailable('unreachable');
    };
    const invited = await rig.invite();
    const { log, logged } = warnings();
    rig.work({ log, timekeeper: { nowIfTrusted: async () => (inDoubt ? null : rig.clock()) } });
    await rig.reaches(invited, 'invitation pending 1', ...REMINDERS);
    inDoubt = true;
    const right = rig.now;
    let tries = 0;
    rig.answer = () => {
      tries++;
      throw new MailUnavailable('unreachable');
    };
    rig.pass(13 * DAY_MS);
    await eventuallyHolds(async () => {
      rig.pass(60_000);
      expect(tries).toBeGreaterThan(0);
    });
    expect(await rig.states(invited)).toEqual(['invitation pending 1', ...REMINDERS]);
    // What came meanwhile goes out.
    rig.answer = null;
    const later = await rig.invite();
    await rig.reaches(later, 'invitation sent 1', ...REMINDERS);
    // Once the clock is set right, what was planned by the wrong one counts no more.
    [rig.now, inDoubt] = [right, false];
    rig.pass(30_000);
    await rig.reaches(invited, 'invitation sent 2', ...REMINDERS);
    // What the doubt means for operators, the clock's own warning says.
    expect(logged).toEqual([]);
  });

  it('wait for the day’s limit of their address, and are given up where they are of no use by then', async () => {
    await rig.install();
    rig.work();
    const all: Invitation[] = [];
    for (let n = 0; n < ADDRESS_MAILS_PER_DAY; n++) all.push(await rig.invite());
    for (const one of all) await rig.reaches(one, 'invitation sent 1', ...REMINDERS);
    const [more, short] = [await rig.invite(), await rig.invite(0.5)];
    await rig.reaches(short, 'invitation failed 0');
    await eventuallyHolds(async () => {
      const { document } = (await rig.reader.get(mails, more.applicationId))!;
      expect(document.mails[0]).toMatchObject({ fault: 'limited', nextAttemptAt: after(DAY_MS, NOW) });
    });
    await rig.reaches(more, 'invitation pending 0', ...REMINDERS);
    expect(rig.sent).toHaveLength(ADDRESS_MAILS_PER_DAY);
    rig.pass(DAY_MS);
    await rig.reaches(more, 'invitation sent 1', ...REMINDERS);
    expect(rig.sent).toHaveLength(ADDRESS_MAILS_PER_DAY + 1);
  });

  it('that are repeated take one place of the limit', async () => {
    await rig.install();
    rig.answer = () => {
      throw new MailUnavailable('unreachable');
    };
    const invited = await rig.invite();
    rig.work();
    for (const [n, wait] of [30, 120, 600, 1_800].entries()) {
      await rig.reaches(invited, `invitation pending ${n + 1}`, ...REMINDERS);
      rig.pass(wait * 1_000);
    }
    rig.answer = null;
    await rig.reaches(invited, 'invitation sent 5', ...REMINDERS);
    const others: Invitation[] = [];
    for (let n = 1; n < ADDRESS_MAILS_PER_DAY; n++) others.push(await rig.invite());
    for (const one of others) await rig.reaches(one, 'invitation sent 1', ...REMINDERS);
  });

  it('are sent from every page of the list, also if those before wait for their next attempt', async () => {
    await rig.install();
    rig.answer = () => {
      throw new MailUnavailable('unreachable');
    };
    const reader: typeof rig.reader = {
      ...rig.reader,
      page: (view, query, ...freshness) => rig.reader.page(view, { ...query, limit: 1 }, ...freshness),
    };
    rig.work({ reader });
    const waiting = [await rig.invite(), await rig.invite()];
    for (const one of waiting) await rig.reaches(one, 'invitation pending 1', ...REMINDERS);
    rig.answer = null;
    await rig.reaches(await rig.invite(), 'invitation sent 1', ...REMINDERS);
    expect(rig.sent).toHaveLength(1);
  });

  it('that were due more than three days ago are not sent any more by a service that was away', async () => {
    await rig.install();
    const missed = await rig.invite();
    rig.pass(2 * 60_000);
    const inTime = await rig.invite();
    rig.pass(3 * DAY_MS + 59 * 60_000);
    rig.work();
    await eventuallyHolds(() => rig.sent.length === 1);
    await rig.reaches(await rig.invite(), 'invitation sent 1', ...REMINDERS);
    expect(rig.sent.map(({ text }) => text.includes(inTime.applicationId))).toEqual([true, false]);
    expect(await rig.states(missed)).toContain('invitation pending 0');
  });

  it('that are not to be sent are looked into once, however long the view lists them as due', async () => {
    await rig.install();
    const done = await rig.invite();
    await rig.reaches(done, 'invitation pending 0', ...REMINDERS);
    const behind = laggingReader(rig.reader);
    for (const index of ['byNextMail', 'byNextReminder'])
      await behind.page(mails, { index, prefix: [], limit: 100 });
    await rig.complete(done);
    let looks = 0;
    const timekeeper = { nowIfTrusted: async () => (looks++, rig.clock()) };
    rig.work({ reader: behind, timekeeper });
    // One is for the sweep of limits.
    await eventuallyHolds(() => looks >= 2);
    for (let n = 0; n < 5; n++) {
      rig.pass(1);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(looks).toBe(2);
  });

  it('do not wait for the time by which the clock was ahead, once it is set right', async () => {
    await rig.install();
    rig.pass(400 * DAY_MS);
    const first = await rig.invite();
    rig.answer = () => {
      throw new MailUnavailable('deferred');
    };
    const second = await rig.invite(14, 'en', 'ann@example.org');
    const former = rig.work();
    for (const one of [first, second]) await rig.reaches(one, 'invitation pending 1', ...REMINDERS);
    await former.stop();
    const later = await rig.invite(14, 'en', 'bob@example.org');
    await rig.reaches(later, 'invitation pending 0', ...REMINDERS);
    rig.answer = null;
    rig.pass(-400 * DAY_MS);
    rig.work();
    for (const one of [first, second]) await rig.reaches(one, 'invitation sent 2', ...REMINDERS);
    // Reminders are planned by the sessions' expiry, which is as far ahead.
    await rig.reaches(later, 'invitation sent 1', ...REMINDERS);
    expect(rig.sent).toHaveLength(3);
  });

  it('that are cut off as their process stops are no fault, and are sent by the next one', async () => {
    await rig.install();
    const { log, logged } = warnings();
    const invited = await rig.invite();
    let begun = 0;
    const mailer: Mailer = {
      send: (_, signal) =>
        new Promise((_resolve, reject) => {
          begun++;
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    };
    const former = rig.work({ mailer, log, graceMs: 10 });
    await eventuallyHolds(() => begun === 1);
    await former.stop();
    rig.work();
    await rig.reaches(invited, 'invitation sent 1', ...REMINDERS);
    expect(logged).toEqual([]);
  });

  it('are not given up for a limit that ends exactly at their deadline while the clock may be wrong', async () => {
    await rig.install();
    let asked = 0;
    const quota = {
      countForAddress: async () => (asked++, Date.parse(NOW) + 3 * DAY_MS),
      sweep: async () => undefined,
    };
    const invited = await rig.invite();
    const worker = rig.work({ quota, timekeeper: { nowIfTrusted: async () => null } });
    await eventuallyHolds(() => asked > 0);
    await worker.stop();
    expect((await rig.streams.read(mailsDecider, invited.applicationId)).state.progress.size).toBe(0);
    rig.work({ quota });
    await rig.reaches(invited, 'invitation failed 0', ...REMINDERS);
  });

  /** Staff ask for an invitation again. */
  const resend = async (invited: Invitation): Promise<void> => {
    const mail = (await rig.reader.get(mails, invited.applicationId))!.document.mails.find(
      ({ kind }) => kind === 'invitation',
    )!;
    await rig.submit(mailsDecider, invited.applicationId, (state) =>
      resendMail(state, {
        ...{ application: applicationRefOf(invited), mail, applies: true },
        now: rig.clock().toISOString(),
      }),
    );
  };

  it('that staff ask for again count as others, and have three days of their own', async () => {
    await rig.install();
    const counted: string[] = [];
    const quota = {
      countForAddress: async (_: string, id: string) => (counted.push(id), null),
      sweep: async () => undefined,
    };
    const invited = await rig.invite();
    rig.work({ quota });
    await rig.reaches(invited, 'invitation sent 1', ...REMINDERS);
    rig.pass(4 * DAY_MS);
    rig.answer = () => {
      throw new MailUnavailable('unreachable');
    };
    await resend(invited);
    await eventuallyHolds(async () => expect(await rig.states(invited)).toContain('invitation pending 2'));
    rig.pass(30_000);
    await eventuallyHolds(async () => expect(await rig.states(invited)).toContain('invitation pending 3'));
    expect(counted).toHaveLength(3);
    expect(new Set(counted).size).toBe(2);
    expect(counted[1]).toBe(counted[2]);
  });

  it('about what has ended are tried beyond the expiry of the session', async () => {
    await rig.install();
    const invited = await rig.invite(0.01);
    await rig.complete(invited);
    rig.answer = () => {
      throw new MailUnavailable('unreachable');
    };
    rig.work();
    await rig.reaches(invited, 'receipt pending 1');
    rig.pass(0.01 * DAY_MS);
    await rig.reaches(invited, 'receipt pending 2');
  });

  it('go to nobody who was erased', async () => {
    await rig.install();
    const erased = await rig.invite();
    await rig.submit(candidate, erased.candidateId, (state) => eraseCandidate(state, { cause: 'staff' }));
    const later = await rig.invite();
    rig.work();
    await rig.reaches(later, 'invitation sent 1', ...REMINDERS);
    expect(rig.sent.map(({ text }) => text.includes(erased.applicationId))).toEqual([false]);
  });

  it('may be sent twice, and are never left out, if the log does not take that one was sent', async () => {
    await rig.install();
    const invited = await rig.invite();
    rig.answer = () => void (rig.away = true);
    const worker = rig.work();
    await eventuallyHolds(() => expect(rig.sent.length).toBeGreaterThan(0));
    await worker.stop();
    [rig.answer, rig.away] = [null, false];
    rig.work();
    await rig.reaches(invited, 'invitation sent 1', ...REMINDERS);
    expect(new Set(rig.sent.map(({ id }) => id)).size).toBe(1);
  });

  it('are sent by one process at a time', async () => {
    await rig.install();
    for (let n = 0; n < 20; n++) await rig.invite(14, 'en', `carol${n}@example.org`);
    for (const owner of ['one', 'two', 'three']) rig.work({ owner } as Partial<MailWorkerOptions>);
    await eventuallyHolds(() => expect(rig.sent).toHaveLength(20));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(new Set(rig.sent.map(({ id }) => id)).size).toBe(20);
    expect(rig.sent).toHaveLength(20);
  });

  it.each(['is stopped', 'has lost its lease'])(
    'are not begun any more, of what was read already, once their process %s',
    async (loss) => {
      await rig.install();
      for (let n = 0; n < 6; n++) await rig.invite(14, 'en', `carol${n}@example.org`);
      // Two reminders of each are due.
      rig.pass(13 * DAY_MS);
      const index = { index: 'byNextReminder', prefix: [], limit: 100 };
      await eventuallyHolds(async () => (await rig.reader.page(mails, index)).items.length === 6);
      const leases = leasesOf(rig.readStore, { leaseTimings: { renewMs: 20, deadMs: 150 } });
      let tried = 0;
      let finish = (): void => undefined;
      const held = new Promise<void>((resolve) => (finish = resolve));
      rig.answer = () => (tried++, held);
      const worker = rig.work({ leases, graceMs: 5_000 });
      await eventuallyHolds(() => tried === 4);
      let giveBack = async (): Promise<void> => undefined;
      let stopping = Promise.resolve();
      if (loss === 'is stopped') stopping = worker.stop();
      else giveBack = await takeAway(rig.readStore.leases, 'mails', leases);
      finish();
      await stopping;
      await eventuallyHolds(() => rig.sent.length === 4);
      await new Promise((resolve) => setTimeout(resolve, 60));
      expect(tried).toBe(4);
      await giveBack();
    },
  );

  it('hold up no stop, though the server takes minutes for each and more are due', async () => {
    await rig.install();
    for (let n = 0; n < 5; n++) await rig.invite(14, 'en', `carol${n}@example.org`);
    let tried = 0;
    rig.answer = (_, signal) => {
      tried++;
      return new Promise((_resolve, cutOff) =>
        signal?.addEventListener('abort', () => cutOff(new Error('cut off'))),
      );
    };
    const worker = rig.work({ graceMs: 10 });
    await eventuallyHolds(() => tried === 4);
    const began = performance.now();
    await worker.stop();
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it('keep no address and no word of the server in the log', async () => {
    await rig.install();
    rig.answer = () => {
      throw new MailUnavailable('deferred');
    };
    const invited = await rig.invite();
    rig.work();
    await rig.reaches(invited, 'invitation pending 1', ...REMINDERS);
    for await (const { type, data, metadata } of rig.eventStore.readAll({})) {
      if (!type.startsWith('mail.')) continue;
      const stored = `${Buffer.from(data).toString()}${Buffer.from(metadata).toString()}`;
      expect(stored).not.toMatch(/carol|@|Example|Engineer/i);
    }
  });
});
