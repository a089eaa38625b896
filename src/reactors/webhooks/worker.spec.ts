import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Registry } from 'prom-client';
import { parse } from 'yaml';
import { deliveries } from '../../../projections/deliveries.js';
import { webhooks } from '../../../projections/webhooks.js';
import { leasesOf, startDeliveries, startProjector, takeAway } from '../../../test/support/alone.js';
import { eventuallyHolds } from '../../../test/support/eventually.js';
import { uuid } from '../../../test/support/given-when-then.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { laggingReader, wrapEventStore } from '../../../test/support/projection-rig.js';
import { openReceiver, type Receiver, isGenuine } from '../../../test/support/receiver.js';
import { WebhookSecrets } from '../../application/webhooks/secrets.js';
import { createCodec } from '../../core/codec.js';
import { CommandContexts } from '../../core/command-context.js';
import { StoreUnavailable } from '../../core/errors.js';
import type { Position } from '../../core/event-store.js';
import { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { Sealer } from '../../core/sealing.js';
import { eventRegistry } from '../../domain/event-registry.js';
import { MAIL_ACTIONS, operator, recordAction, preRestoreDetails } from '../../domain/operations/decider.js';
import type { Details } from '../../domain/operations/events.js';
import { createWebhook, deleteWebhook, rotateSecret, webhooksDecider } from '../../domain/webhook/decider.js';
import {
  type Delivery,
  deliveryDecider,
  requestDelivery,
  requestRedelivery,
  requestTest,
} from '../../domain/webhook/delivery-decider.js';
import type { Projector } from '../../engine/feeding/runner.js';
import { progressOf } from '../../engine/live/progress.js';
import { silentLog } from '../../engine/log.js';
import { createViewReader } from '../../engine/reads/reads.js';
import { OPERATOR_LOG } from '../../process/operations/operations.js';
import { DocumentSealer } from '../../vault/documents.js';
import { registerReactorMetrics, workCountsOf } from '../metrics.js';
import type { DeliveriesOptions } from './worker.js';

const organisationId = uuid('org');
const MINUTE = 60_000;

/** A log, its views, and workers that start and end. The clock moves only by `pass`. */
class Rig {
  readonly eventStore = new MemoryEventStore();
  readonly database = new MemoryDatabase();
  readonly vault = new MemoryVault();
  readonly readStore = openMemoryReadStore(this.database);
  readonly sealer = new Sealer(this.vault);
  readonly codec = createCodec(eventRegistry, this.sealer);
  readonly hasher = new KeyedHasher(randomBytes(32));
  readonly secrets = new WebhookSecrets(this.vault);
  /** The log does not answer writers. */
  away = false;
  now = Date.parse('2026-03-01T09:00:00.000Z');
  readonly clock = () => new Date(this.now);
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
  private readonly projector: Projector = startProjector({
    eventStore: this.eventStore,
    readStore: this.readStore,
    codec: this.codec,
    sealer: new DocumentSealer(this.sealer),
    views: [webhooks, deliveries],
    owner: 'test',
  });
  private readonly ending: { stop(): Promise<void> }[] = [];
  private readonly receivers: Receiver[] = [];
  private made = 0;

  async open(): Promise<void> {
    await this.projector.ready;
  }

  async close(): Promise<void> {
    await Promise.all(this.ending.map((one) => one.stop()));
    await this.projector.stop();
    await Promise.all(this.receivers.map((one) => one.close()));
  }

  /** Moves the clock. The worker sleeps by the machine's clock, so it is woken by the notification of a fold. */
  pass(ms: number): void {
    this.now += ms;
    progressOf(this.readStore).publish(`webhooks.v${webhooks.version}.clock`, String(this.now) as Position);
  }

  readonly reader = createViewReader({
    eventStore: this.eventStore,
    readStore: this.readStore,
    sealer: new DocumentSealer(this.sealer),
  });

  work(options: Partial<DeliveriesOptions> = {}): { stop(): Promise<void> } {
    const { reader, readStore, streams, contexts, secrets, clock } = this;
    const worker = startDeliveries({
      readStore,
      reader,
      streams,
      contexts,
      secrets,
      clock,
      random: () => 0,
      log: silentLog,
      owner: 'test',
      pollMs: 20,
      graceMs: 50,
      leaseTimings: { renewMs: 20, deadMs: 150 },
      post: { allowPrivate: true, totalMs: 60_000 },
      ...options,
    });
    this.ending.push(worker);
    return worker;
  }

  async receiver(...options: Parameters<typeof openReceiver>): Promise<Receiver> {
    const receiver = await openReceiver(...options);
    this.receivers.push(receiver);
    return receiver;
  }

  private context = () => this.contexts.forSystem({ type: 'system', id: 'test' }, 'correlation');

  async webhook(url: string): Promise<string> {
    const webhookId = uuid(`w${++this.made}`);
    const events = ['evaluation.ready'];
    await this.streams.handle(webhooksDecider, organisationId, this.context(), (state) =>
      createWebhook(state, { organisationId, webhookId, url, events, allowPrivate: true }),
    );
    return webhookId;
  }

  async remove(webhookId: string): Promise<void> {
    await this.streams.handle(webhooksDecider, organisationId, this.context(), (state) =>
      deleteWebhook(state, { webhookId, expectedVersion: null }),
    );
  }

  async rotate(webhookId: string, formerValidHours: number): Promise<void> {
    await this.streams.handle(webhooksDecider, organisationId, this.context(), (state) =>
      rotateSecret(state, { webhookId, formerValidHours, now: this.clock(), expectedVersion: null }),
    );
  }

  async request(webhookId: string, timestamp = this.clock().toISOString()): Promise<string> {
    const deliveryId = uuid(`d${++this.made}`);
    const input = {
      organisationId,
      webhookId,
      deliveryId,
      type: 'evaluation.ready',
      causedBy: uuid('c'),
    } as const;
    await this.streams.handle(deliveryDecider, deliveryId, this.context(), (state) =>
      requestDelivery(state, { ...input, timestamp, ids: { evaluationId: 'e' } }),
    );
    return deliveryId;
  }

  async test(webhookId: string): Promise<string> {
    const ids = { organisationId, webhookId, deliveryId: uuid(`d${++this.made}`) };
    await this.streams.handle(deliveryDecider, ids.deliveryId, this.context(), (state) =>
      requestTest(state, ids),
    );
    return ids.deliveryId;
  }

  /** The attempts by their result, as they are scraped. */
  async scraped(): Promise<Readonly<Record<string, number>>> {
    const { eventStore, readStore } = this;
    const reader = createViewReader({ eventStore, readStore, sealer: new DocumentSealer(this.sealer) });
    const registry = new Registry();
    registerReactorMetrics(registry, { readStore, reader });
    const text = await registry.getSingleMetricAsString('assay_webhook_attempts_total');
    return Object.fromEntries(
      [...text.matchAll(/\{result="(\w+)"\} (\d+)/g)].map(([, result = '', count]) => [
        result,
        Number(count),
      ]),
    );
  }

  /** What an operator did, as `assay` records it. */
  async act(action: string, details: Details): Promise<void> {
    await this.streams.handle(operator, OPERATOR_LOG, this.context(), () => recordAction(action, details));
  }

  async again(webhookId: string, deliveryId: string): Promise<void> {
    await this.streams.handle(deliveryDecider, deliveryId, this.context(), (state) =>
      requestRedelivery(state, { organisationId, webhookId }),
    );
  }

  async delivery(deliveryId: string): Promise<Delivery> {
    const { state } = await this.streams.read(deliveryDecider, deliveryId);
    if (state === null) throw new Error('There is no such delivery.');
    return state;
  }

  /** Waits until a delivery has come to this. */
  async reaches(deliveryId: string, wanted: Partial<Delivery>): Promise<void> {
    for (const until = performance.now() + 60_000; ;) {
      const delivery = await this.delivery(deliveryId);
      const names = Object.keys(wanted) as (keyof Delivery)[];
      if (names.every((name) => delivery[name] === wanted[name])) return;
      if (performance.now() > until) expect(delivery).toMatchObject(wanted);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

describe('The worker that delivers', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = new Rig();
    await rig.open();
  });
  afterEach(() => rig.close());

  it('brings each notice to its webhook, once, under the delivery’s id', async () => {
    const receiver = await rig.receiver();
    const webhook = await rig.webhook(receiver.url);
    const before = await rig.request(webhook);
    rig.work();
    await rig.reaches(before, { status: 'delivered', attempts: 1 });
    const later = await rig.request(webhook);
    await rig.reaches(later, { status: 'delivered', attempts: 1 });
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([before, later]);
    expect(workCountsOf(rig.readStore)).toMatchObject({ attempts: { delivered: 2, retrying: 0 } });
  });

  it('tries again when it is time, with the same id and bytes', async () => {
    const receiver = await rig.receiver(
      (response, _, count) => void response.writeHead(count < 3 ? 500 : 200).end(),
    );
    const id = await rig.request(await rig.webhook(receiver.url));
    rig.work();
    await rig.reaches(id, { status: 'pending', attempts: 1 });
    rig.pass(5_000);
    await rig.reaches(id, { status: 'pending', attempts: 2 });
    rig.pass(5 * MINUTE - 1);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(receiver.received).toHaveLength(2);
    rig.pass(1);
    await rig.reaches(id, { status: 'delivered', attempts: 3 });
    const [first, ...others] = receiver.received;
    for (const other of others) {
      expect(other.body).toBe(first?.body);
      expect(other.headers['webhook-id']).toBe(id);
    }
    const times = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(new Set(times).size).toBe(3);
  });

  it('signs by the former secret too until it ends, also what was asked for before', async () => {
    const receiver = await rig.receiver((response) => void response.writeHead(500).end());
    const webhook = await rig.webhook(receiver.url);
    const id = await rig.request(webhook);
    rig.work();
    await rig.reaches(id, { attempts: 1 });
    await rig.rotate(webhook, 1);
    rig.pass(60 * MINUTE - 1);
    await rig.reaches(id, { attempts: 2 });
    rig.pass(30 * MINUTE);
    await rig.reaches(id, { attempts: 3 });
    const secrets = await Promise.all([1, 2].map((number) => rig.secrets.secretOf(webhook, number)));
    expect(
      receiver.received.map(({ headers, body }) => secrets.map((secret) => isGenuine(secret, headers, body))),
    ).toEqual([
      [true, false],
      [true, true],
      [false, true],
    ]);
  });

  it.each([
    ['delivers it', MAIL_ACTIONS.release, { status: 'delivered', attempts: 1, lastResponseStatus: 204 }],
    ['gives it up', MAIL_ACTIONS.giveUp, { status: 'failed', attempts: 1, lastFault: 'held' }],
    [
      'takes it for delivered',
      MAIL_ACTIONS.hold,
      { status: 'delivered', attempts: 1, lastResponseStatus: null },
    ],
  ] as const)(
    'holds what may have left before a restore, and no later notice, and at a word %s',
    async (_, word, wanted) => {
      const receiver = await rig.receiver();
      const webhook = await rig.webhook(receiver.url);
      // More than a look lists at once.
      const held: string[] = [];
      for (let n = 0; n < 60; n++) held.push(await rig.request(webhook));
      const cause = rig.clock().toISOString();
      rig.pass(1_000);
      const until = rig.clock().toISOString();
      await rig.act('restore', preRestoreDetails({ until, are: 'held' }));
      rig.pass(1_000);
      // Its cause is before the restore, and the reactor handled it afterwards.
      held.push(await rig.request(webhook, cause));
      const later = await rig.request(webhook);
      rig.work();
      await rig.reaches(later, { status: 'delivered', attempts: 1 });
      expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([later]);
      await rig.act(word, word === MAIL_ACTIONS.hold ? preRestoreDetails({ until, are: 'sent' }) : {});
      rig.pass(MINUTE);
      for (const id of held) await rig.reaches(id, wanted);
      expect(receiver.received).toHaveLength(word === MAIL_ACTIONS.release ? held.length + 1 : 1);
    },
  );

  it('tries the only held notice of a webhook again, though nothing of the webhook changes at the word', async () => {
    const receiver = await rig.receiver();
    const id = await rig.request(await rig.webhook(receiver.url));
    rig.pass(1_000);
    await rig.act('restore', preRestoreDetails({ until: rig.clock().toISOString(), are: 'held' }));
    const asked: string[] = [];
    const { streams } = rig;
    const read: typeof streams.read = (decider, streamId) => {
      if (decider.kind === operator.kind) asked.push(streamId);
      return streams.read(decider, streamId);
    };
    rig.work({ streams: Object.assign(Object.create(streams) as typeof streams, { read }) });
    await eventuallyHolds(() => asked.length > 0 && workCountsOf(rig.readStore).attemptsUnderWay === 0);
    await rig.act(MAIL_ACTIONS.release, {});
    rig.pass(MINUTE);
    await rig.reaches(id, { status: 'delivered', attempts: 1 });
  });

  it('does not wait for the time by which the clock was ahead, once it is set right', async () => {
    let status = 500;
    const receiver = await rig.receiver((response) => void response.writeHead(status).end());
    const webhook = await rig.webhook(receiver.url);
    rig.pass(400 * 24 * 60 * MINUTE);
    const tried = await rig.request(webhook);
    const former = rig.work();
    await rig.reaches(tried, { status: 'pending', attempts: 1 });
    await former.stop();
    const untried = await rig.request(webhook);
    status = 204;
    rig.pass(-400 * 24 * 60 * MINUTE);
    rig.work();
    for (const [id, attempts] of [
      [tried, 2],
      [untried, 1],
    ] as const)
      await rig.reaches(id, { status: 'delivered', attempts });
  });

  it('gives up after three days, and begins anew by hand', async () => {
    let status = 500;
    const receiver = await rig.receiver((response) => void response.writeHead(status).end());
    const webhook = await rig.webhook(receiver.url);
    const id = await rig.request(webhook);
    rig.work();
    await rig.reaches(id, { attempts: 1 });
    rig.pass(3 * 24 * 60 * MINUTE);
    await rig.reaches(id, { status: 'failed', attempts: 2, nextAttemptAt: null });
    await rig.again(webhook, id);
    await rig.reaches(id, { status: 'pending', attempts: 3 });
    status = 204;
    await rig.again(webhook, id);
    await rig.reaches(id, { status: 'delivered', attempts: 4 });
    await rig.again(webhook, id);
    await rig.reaches(id, { status: 'delivered', attempts: 5 });
  });

  it('delivers, but gives nothing up, while the clock may be wrong', async () => {
    let status = 500;
    let inDoubt = false;
    const receiver = await rig.receiver((response) => void response.writeHead(status).end());
    const webhook = await rig.webhook(receiver.url);
    const [id, other] = [await rig.request(webhook), await rig.request(webhook)];
    rig.work({ timekeeper: { nowIfTrusted: async () => (inDoubt ? null : rig.clock()) } });
    await rig.reaches(id, { attempts: 1 });
    await rig.reaches(other, { attempts: 1 });
    const right = rig.now;
    inDoubt = true;
    rig.pass(700 * 24 * 60 * MINUTE);
    await eventuallyHolds(() => receiver.received.length >= 4);
    expect(await rig.delivery(id)).toMatchObject({ status: 'pending', attempts: 1 });
    // Once the clock is set right, what was planned by the wrong one counts no more.
    [rig.now, inDoubt, status] = [right, false, 204];
    rig.pass(10_000);
    await rig.reaches(id, { status: 'delivered', attempts: 2 });
    inDoubt = true;
    rig.pass(700 * 24 * 60 * MINUTE);
    await rig.reaches(await rig.request(webhook), { status: 'delivered', attempts: 1 });
  });

  it('lets no dead receivers delay others', async () => {
    const dead = await rig.receiver(() => undefined);
    const good = await rig.receiver();
    for (let n = 0; n < 12; n++) {
      const webhook = await rig.webhook(`${dead.url}/${n}`);
      for (let m = 0; m < 3; m++) await rig.request(webhook);
    }
    // The dead ones may all be under way; none of them ends while this is tried.
    rig.work({ post: { allowPrivate: true, totalMs: 60_000 }, limits: { max: 32, maxEach: 4 } });
    await eventuallyHolds(() => dead.received.length === 12);
    const webhook = await rig.webhook(good.url);
    for (let n = 0; n < 20; n++) await rig.reaches(await rig.request(webhook), { status: 'delivered' });
    expect(dead.received).toHaveLength(12);
  });

  it('gives up what is pending for a webhook that was deleted, and sends nothing', async () => {
    const receiver = await rig.receiver((response) => void response.writeHead(500).end());
    const webhook = await rig.webhook(receiver.url);
    const id = await rig.request(webhook);
    rig.work();
    await rig.reaches(id, { attempts: 1 });
    await rig.remove(webhook);
    rig.pass(5_000);
    await rig.reaches(id, { status: 'failed' });
    expect(receiver.received).toHaveLength(1);
  });

  it('counts what fails and concerns nobody as dropped, which no alert watches: a test, a deleted webhook', async () => {
    const receiver = await rig.receiver((response) => void response.writeHead(500).end());
    const [webhook, deleted] = [await rig.webhook(receiver.url), await rig.webhook(receiver.url)];
    const [test, pending] = [await rig.test(webhook), await rig.request(deleted)];
    await rig.remove(deleted);
    rig.work();
    for (const id of [test, pending]) await rig.reaches(id, { status: 'failed', attempts: 1 });
    await rig.again(webhook, test);
    await rig.reaches(test, { status: 'failed', attempts: 2 });
    await eventuallyHolds(async () => (await rig.scraped())['dropped'] === 3);
    expect(await rig.scraped()).toEqual({ delivered: 0, retrying: 0, failed: 0, dropped: 3 });

    const gone = await rig.receiver((response) => void response.writeHead(410).end());
    const refused = await rig.request(await rig.webhook(gone.url));
    await rig.reaches(refused, { status: 'failed', attempts: 1 });
    await eventuallyHolds(async () => (await rig.scraped())['failed'] === 1);

    const { groups } = parse(await readFile('ops/alerts.yml', 'utf8')) as {
      groups: readonly { rules: readonly { expr: string }[] }[];
    };
    const watched = groups
      .flatMap(({ rules }) => rules)
      .flatMap(({ expr }) => [...expr.matchAll(/assay_webhook_attempts_total\{[^}]*\}/g)])
      .map(([series]) => /result="(\w+)"/.exec(series)?.[1]);
    expect(watched).toEqual(['failed', 'delivered', 'retrying']);
  });

  it('sends nothing for a view that lags behind: what the streams say decides', async () => {
    const receiver = await rig.receiver(
      (response, { url }) => void response.writeHead(url === '/busy' ? 503 : 204).end(),
    );
    const [taken, busy, deleted] = [
      await rig.webhook(`${receiver.url}/taken`),
      await rig.webhook(`${receiver.url}/busy`),
      await rig.webhook(`${receiver.url}/deleted`),
    ];
    const ids = [await rig.request(taken), await rig.request(busy), await rig.request(deleted)];
    const waiting = { index: 'waiting', prefix: [], limit: 100 };
    await eventuallyHolds(async () => (await rig.reader.page(webhooks, waiting)).items.length === 3);
    for (const id of ids) await eventuallyHolds(() => rig.reader.get(deliveries, id));
    const behind = laggingReader(rig.reader);
    await behind.page(webhooks, waiting);
    for (const one of [taken, busy, deleted])
      await behind.page(deliveries, { index: 'due', prefix: [one], limit: 100 });
    await rig.remove(deleted);
    const current = rig.work();
    await rig.reaches(ids[0]!, { status: 'delivered', attempts: 1 });
    await rig.reaches(ids[1]!, { status: 'pending', attempts: 1 });
    await rig.reaches(ids[2]!, { status: 'failed' });
    await current.stop();
    behind.asked.length = 0;
    const lagging = rig.work({ reader: behind, graceMs: 5_000 });
    // By then it has begun on all that is listed as waiting.
    await eventuallyHolds(() => behind.asked.length >= 4);
    await lagging.stop();
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/busy', '/taken']);
  });

  it('looks up no name and opens no socket for a webhook that today’s rules do not allow', async () => {
    const receiver = await rig.receiver();
    const resolved: string[] = [];
    const resolve = async (host: string) => {
      resolved.push(host);
      return [];
    };
    const ids: string[] = [];
    for (const url of [
      receiver.url,
      'http://hooks.example.com/',
      'https://hooks.internal/',
      'https://hooks/',
    ])
      ids.push(await rig.request(await rig.webhook(url)));
    rig.work({ post: { allowPrivate: false, resolve } });
    for (const id of ids)
      await rig.reaches(id, { status: 'pending', attempts: 1, lastFault: 'private_address' });
    expect([resolved, receiver.connections]).toEqual([[], 0]);
  });

  it('goes on where another left off: what was cut off is sent again', async () => {
    let silent = true;
    const receiver = await rig.receiver((response) => {
      if (!silent) response.writeHead(204).end();
    });
    const id = await rig.request(await rig.webhook(receiver.url));
    const first = rig.work({ post: { allowPrivate: true, totalMs: 60_000 } });
    await eventuallyHolds(() => receiver.received.length === 1);
    const began = performance.now();
    await first.stop();
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(await rig.delivery(id)).toMatchObject({ status: 'pending', attempts: 0 });
    silent = false;
    rig.work();
    await rig.reaches(id, { status: 'delivered', attempts: 1 });
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
  });

  it('finishes what is almost done when it is to stop', async () => {
    const receiver = await rig.receiver((response) => {
      setTimeout(() => response.writeHead(204).end(), 60);
    });
    const id = await rig.request(await rig.webhook(receiver.url));
    const worker = rig.work({ graceMs: 5_000 });
    await eventuallyHolds(() => receiver.received.length === 1);
    await worker.stop();
    expect(await rig.delivery(id)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('works in one process at a time, and moves on from one that has died', async () => {
    const receiver = await rig.receiver();
    const webhook = await rig.webhook(receiver.url);
    const first = rig.work();
    rig.work();
    for (let n = 0; n < 5; n++) await rig.reaches(await rig.request(webhook), { status: 'delivered' });
    await first.stop();
    await rig.reaches(await rig.request(webhook), { status: 'delivered', attempts: 1 });
    expect(receiver.received).toHaveLength(6);
  });

  it.each(['it is stopped', 'its lease is another process’s'])(
    'begins nothing further of what it has read once %s',
    async (loss) => {
      const receiver = await rig.receiver();
      for (let n = 0; n < 5; n++) await rig.request(await rig.webhook(receiver.url));
      const waiting = { index: 'waiting', prefix: [], limit: 100 };
      await eventuallyHolds(async () => (await rig.reader.page(webhooks, waiting)).items.length === 5);
      const leases = leasesOf(rig.readStore, { leaseTimings: { renewMs: 20, deadMs: 150 } });
      let pages = 0;
      let lost = false;
      let giveBack = async (): Promise<void> => undefined;
      const page: Rig['reader']['page'] = async (view, query, freshness) => {
        const found = await rig.reader.page(view, query, freshness);
        if (query.index !== 'due' || ++pages !== 2) return found;
        if (loss === 'it is stopped') void worker.stop();
        else giveBack = await takeAway(rig.readStore.leases, 'deliveries', leases);
        lost = true;
        return found;
      };
      const worker = rig.work({ leases, reader: { ...rig.reader, page } });
      await eventuallyHolds(() => lost && receiver.received.length > 0);
      await new Promise((resolve) => setTimeout(resolve, 60));
      expect([pages, receiver.received.length]).toEqual([2, 1]);
      await giveBack();
    },
  );

  it('loses nothing while the log is away', async () => {
    const receiver = await rig.receiver();
    const webhook = await rig.webhook(receiver.url);
    const id = await rig.request(webhook);
    rig.away = true;
    rig.work();
    await eventuallyHolds(() => receiver.received.length > 0);
    expect(await rig.delivery(id)).toMatchObject({ status: 'pending', attempts: 0 });
    rig.away = false;
    for (const until = performance.now() + 60_000; performance.now() < until;) {
      rig.pass(1_000);
      if ((await rig.delivery(id)).status === 'delivered') break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(await rig.delivery(id)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
  });

  it('works off many to one receiver, each once', async () => {
    const receiver = await rig.receiver();
    const webhook = await rig.webhook(receiver.url);
    const ids = [];
    for (let n = 0; n < 150; n++) ids.push(await rig.request(webhook));
    rig.work();
    for (const id of ids) await rig.reaches(id, { status: 'delivered', attempts: 1 });
    expect(receiver.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual([...ids].sort());
  });
});
