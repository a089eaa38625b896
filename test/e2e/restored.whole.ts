import { expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api } from '../support/api.js';
import { startAssay } from '../support/assay.js';
import { mailsTo } from '../support/candidate-sign-in.js';
import { eventually } from '../support/eventually.js';
import { createOrganisation, definition, invite, LOGO } from '../support/organisation.js';
import { type Service, startService } from '../support/service.js';
import { openMailServer } from '../support/smtp.js';

const ROLE = { name: 'Engineer', overallThreshold: 60, dimensions: [] };
const env = { RATE_LIMITS: 'off', LOG_LEVEL: 'warn' };

/** Reads a URL without a sign-in. */
const bytesOf = async (url: string): Promise<Buffer> => {
  const reply = await fetch(url);
  expect(reply.status).toBe(200);
  return Buffer.from(await reply.arrayBuffer());
};

it('a restore begins a new life of the log: tokens of the earlier one are ignored, before and after it has outgrown them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-restored-'));
  const [before, after, backup] = ['before', 'after', 'backup'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  try {
    const former = await startService({ dataDir: before, env });
    const org = await createOrganisation(before, 'Example', 'owner@example.org');
    const roles = `/organisations/${org}/roles`;
    const owner = await new Api(former.url).as('owner@example.org');
    await owner.get('/me');
    const given = await owner.put<{ logo: { url: string } }>(`/organisations/${org}/logo`, { data: LOGO });
    const { pathname: logo } = new URL(given.body.logo.url);
    const picture = await bytesOf(former.url + logo);
    expect(await startAssay(before, ['backup', backup, '--with-keys']).ended()).toMatchObject({ code: 0 });
    const lost = await owner.post(roles, ROLE);
    const token = lost.headers.get('consistency-token')!;
    await former.stop();

    const restore = ['restore', backup, '--tombstones', before, '--json'];
    expect(await startAssay(after, restore).ended()).toMatchObject({ code: 0 });
    const restored = await startService({ dataDir: after, env });
    try {
      const again = await new Api(restored.url).as('owner@example.org');
      expect(await bytesOf(restored.url + logo)).toEqual(picture);
      for (let count = 0; count <= 3; count++) {
        const began = performance.now();
        // The event that the token names was lost: no read waits for it.
        const listed = await again.get<{ items: unknown[] }>(roles, { 'consistency-token': token });
        expect([listed.status, listed.body.items.length]).toEqual([200, count]);
        expect(performance.now() - began).toBeLessThan(4_000);
        const made = await again.post(roles, ROLE);
        expect(made.status).toBe(201);
        const own = made.headers.get('consistency-token')!;
        expect(own).not.toBe(token);
        await again.get(roles, { 'consistency-token': own });
      }
    } finally {
      await restored.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('mails that may have gone out after the backup are held after a restore, or count as sent, as the operator decides', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-restored-'));
  const at = (name: string): string => join(folder, name);
  /** Mails that the mail server has not answered yet; `null`: it accepts every mail at once. */
  let waiting: (() => void)[] | null = [];
  const smtp = await openMailServer({
    onRcptTo: (_address, _session, done) => {
      if (waiting === null) done();
      else waiting.push(() => done());
    },
  });
  const services: Service[] = [];
  const started = async (name: string): Promise<Service> => {
    const service = await startService({ dataDir: at(name), env: { ...env, ...mailsTo(smtp) } });
    services.push(service);
    return service;
  };
  const states = async (url: string, path: string): Promise<readonly string[]> => {
    const owner = await new Api(url).as('owner@example.org');
    const { body } = await owner.get<{ items: { state: string; attempts: number }[] }>(path);
    return body.items.map(({ state, attempts }) => `${state} ${attempts}`).slice(0, 1);
  };
  /** Runs a service on the folder until the invitation's mail has this state and number of attempts. */
  const comesTo = async (name: string, path: string, state: string): Promise<void> => {
    const service = await started(name);
    await eventually(async () => (await states(service.url, path))[0] === state);
    await service.stop();
  };
  try {
    const former = await started('before');
    const org = await createOrganisation(at('before'), 'Example', 'owner@example.org');
    const owner = await new Api(former.url).as('owner@example.org');
    await owner.get('/me');
    const role = await owner.post<{ id: string }>(`/organisations/${org}/roles`, definition());
    const { applicationId } = await invite(owner, org, role.body.id, 'carol@example.org');
    const path = `/organisations/${org}/applications/${applicationId}/mails`;
    await eventually(() => Promise.resolve(waiting?.length === 1));
    const run = (name: string, ...args: readonly string[]) => startAssay(at(name), args).ended();
    expect(await run('before', 'backup', at('backup'), '--with-keys')).toMatchObject({ code: 0 });
    // After the backup it goes out.
    for (const answer of waiting) answer();
    waiting = null;
    await eventually(async () => (await states(former.url, path))[0] === 'sent 1');
    await former.stop();

    const restore = ['restore', at('backup'), '--accept-lost-erasures'];
    const held = await run('held', ...restore);
    expect(held.out).toMatch(/Mails and notices that were due until \S+Z are held: they may have been sent/);
    await comesTo('held', path, 'held 0');
    expect(smtp.received).toHaveLength(1);
    expect((await run('held', 'mails', 'release')).out).toMatch(
      /^Mails and notices that were due until \S+Z are sent/,
    );
    await comesTo('held', path, 'sent 1');
    expect(smtp.received).toHaveLength(2);
    expect(await run('held', 'mails', 'give-up')).toMatchObject({
      code: 1,
      err: 'No mails or notices are held.\n',
    });

    const now = new Date().toISOString();
    const sent = await run('sent', ...restore, '--mails-sent-until', now);
    expect(sent.out).toContain(`Mails and notices that were due until ${now} count as sent.`);
    await comesTo('sent', path, 'sent 0');
    for (const time of ['yesterday', '2099-01-01T00:00:00Z'])
      expect((await run('other', ...restore, '--mails-sent-until', time)).code).toBe(2);
    expect(smtp.received).toHaveLength(2);
  } finally {
    for (const service of services) await service.kill();
    await smtp.close();
    await rm(folder, { recursive: true, force: true });
  }
});
