import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api, Person } from '../support/api.js';
import { codeSentTo, mailsTo, SignIn } from '../support/candidate-sign-in.js';
import { freePort } from '../support/free-port.js';
import { missingForMongoServer } from '../support/mongodb/server.js';
import { createOrganisation, definition, invite } from '../support/organisation.js';
import { type Service, startService } from '../support/service.js';
import { type MailServer, openMailServer } from '../support/smtp.js';
import { type Servers, startServers } from './both.js';

const lack = missingForMongoServer();
const aKey = () => randomBytes(32).toString('base64');

(lack === null ? describe : describe.skip)('credentials at two API processes on servers', () => {
  let folder: string;
  let servers: Servers;
  let mails: MailServer;
  let one: Service;
  let other: Service;
  let issuer: string;
  let owner: Person;
  let organisation: string;
  let role: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-sign-in-'));
    servers = await startServers({ dataDir: join(folder, 'servers'), eventStore: {}, mongo: {} });
    mails = await openMailServer();
    const env = {
      ...mailsTo(mails),
      EVENTSTORE_URL: `esdb://127.0.0.1:${servers.eventStore!.port}?tls=false`,
      MONGODB_URL: `mongodb://127.0.0.1:${servers.mongo!.port}/assay`,
      DATA_KEY: aKey(),
      SIGNING_KEY: aKey(),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    };
    // The processes share only the servers.
    one = await startService({ dataDir: join(folder, 'one'), env });
    issuer = `${one.url}/candidate`;
    const beside = { PUBLIC_URL: one.url, PORT: String(await freePort()), PROJECTOR: 'off' };
    other = await startService({ dataDir: join(folder, 'other'), env: { ...env, ...beside } });
    const where = { DATA_DIR: join(folder, 'one'), ...env };
    organisation = await createOrganisation(where, 'Example', 'owner@example.org');
    owner = await new Api(one.url).as('owner@example.org');
    await owner.get('/me');
    const roles = `/organisations/${organisation}/roles`;
    role = (await owner.post<{ id: string }>(roles, definition())).body.id;
  });
  afterAll(async () => {
    await Promise.all([one.stop(), other.stop()]);
    await mails.close();
    await servers.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('a sign-in by code continues at whichever process gets the next request', async () => {
    const email = 'carol@example.org';
    const { applicationId } = await invite(owner, organisation, role, email);
    const signIn = await SignIn.begin(issuer);
    const elsewhere = signIn.at(other.url);
    expect((await elsewhere.ask(email)).status).toBe(303);
    const code = await codeSentTo(mails, email);
    const wrong = await signIn.enter(code.replace(/^./, (digit) => `${(Number(digit) + 1) % 10}`));
    expect(await wrong.text()).toContain('4 attempts left');
    const entered = await Promise.all([signIn, elsewhere, signIn, elsewhere].map((at) => at.enter(code)));
    const right = entered.findIndex(({ status }) => status === 303);
    expect(entered.filter(({ status }) => status === 303)).toHaveLength(1);
    const at = right % 2 === 0 ? signIn : elsewhere;
    const authorization = await at.codeFrom(entered[right]!);
    const exchanged = await signIn.exchange(`${other.url}/candidate`, authorization);
    const { id_token: token = '' } = (await exchanged.json()) as { id_token?: string };
    for (const { url } of [one, other]) {
      const carol = new Person(new Api(url), email, token);
      carol.follow(owner);
      expect((await carol.get(`/applications/${applicationId}`)).status).toBe(200);
      expect((await carol.get('/me')).body).toMatchObject({ email, memberships: [] });
      expect((await carol.get(`/organisations/${organisation}/applications`)).status).toBe(403);
    }
    expect((await signIn.exchange(issuer, authorization)).status).toBe(400);
    const [keys, same] = await Promise.all(
      [one, other].map(async ({ url }) => (await fetch(`${url}/candidate/jwks`)).json()),
    );
    expect(same).toEqual(keys);
  });

  it('an API key holds at both from its answer on, and at neither once it or its maker was removed', async () => {
    const keys = `/organisations/${organisation}/api-keys`;
    const make = async (by: Person) =>
      (await by.post<{ id: string; token: string }>(keys, { name: 'Tracking', scopes: ['roles.read'] })).body;
    const answers = (token: string) =>
      Promise.all(
        [one, other].map(
          async ({ url }) =>
            (await new Api(url).send('GET', `/organisations/${organisation}/roles`, { token })).status,
        ),
      );
    const key = await make(owner);
    expect(await answers(key.token)).toEqual([200, 200]);
    expect((await owner.delete(`${keys}/${key.id}`)).status).toBe(204);
    expect(await answers(key.token)).toEqual([401, 401]);

    const members = `/organisations/${organisation}/members`;
    const member = await owner.post<{ id: string }>(members, { email: 'ada@example.org', role: 'admin' });
    const ada = await new Api(other.url).as('ada@example.org');
    ada.follow(owner);
    const hers = await make(ada);
    expect(await answers(hers.token)).toEqual([200, 200]);
    expect((await owner.delete(`${members}/${member.body.id}`)).status).toBe(204);
    expect(await answers(hers.token)).toEqual([401, 401]);
  });

  it('counts codes for an address over both', async () => {
    const asked = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const signIn = await SignIn.begin(issuer);
        return (await (index % 2 === 0 ? signIn : signIn.at(other.url)).ask('dave@example.org')).status;
      }),
    );
    expect(asked.sort()).toEqual([303, 303, 303, 303, 303, 429, 429, 429]);
  });
});
