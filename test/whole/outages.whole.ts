import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { arrange, type Arrangement } from '../servers/arrangement.js';
import { Api, Person } from '../support/api.js';
import { assay } from '../support/assay.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { failCommand } from '../support/mongodb/faults.js';
import { createOrganisation, definition } from '../support/organisation.js';
import { suspend } from '../support/server-process.js';

/** No request hangs longer than this. */
const DEADLINE_MS = 10_000;
/** Time within which everything works again after a server is back. */
const RECOVERY_MS = 5_000;

interface Failed {
  readonly code: string;
}

interface Ready {
  readonly components: readonly { readonly name: string; readonly ready: boolean }[];
}

describe('with an unreachable server', () => {
  let arrangement: Arrangement;
  /** The API's HEALTH_PORT. */
  let operators: Api;
  let owner: Person;
  let org: string;

  beforeAll(async () => {
    const HEALTH_PORT = `${await freePort()}`;
    operators = new Api(`http://127.0.0.1:${HEALTH_PORT}`);
    arrangement = await arrange({ apis: 1, projectors: 1, firstApi: { HEALTH_PORT } });
    const { direct, urls } = arrangement;
    org = await createOrganisation(direct, 'Example', 'owner@example.org');
    const api = new Api(urls[0]!);
    const answer = await new Api(direct.OIDC_ISSUER!).send<{ idToken: string }>('POST', '/token-for', {
      body: { email: 'owner@example.org', emailVerified: true },
    });
    owner = new Person(api, 'owner@example.org', answer.body.idToken);
    await eventually(async () => (await owner.get(path('/roles'))).status === 200);
    expect((await addRole('First')).status).toBe(201);
  });
  afterAll(() => arrangement.remove());

  const path = (below: string) => `/organisations/${org}${below}`;
  const addRole = (name: string) => owner.post<Failed>(path('/roles'), definition(name));
  const within = async <T>(ms: number, work: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    const result = await work();
    expect(performance.now() - began).toBeLessThan(ms);
    return result;
  };
  const expectRefusal = async (send: () => ReturnType<typeof addRole>) => {
    const refused = await within(DEADLINE_MS, send);
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  };
  const gone = async (): Promise<readonly string[]> => {
    const { body } = await within(DEADLINE_MS, () => operators.send<Ready>('GET', '/health/ready'));
    return body.components.filter(({ ready }) => !ready).map(({ name }) => name);
  };
  const expectRecovery = async (name: string) =>
    within(RECOVERY_MS, async () => {
      await eventually(async () => (await addRole(name)).status === 201);
      const named = await eventually(async () => {
        const listed = await owner.get<{ items: readonly { name: string }[] }>(path('/roles'));
        return listed.status === 200 && listed.body.items.some((role) => role.name === name);
      });
      expect(named).toBe(true);
    });
  const expectHealthy = () => eventually(async () => (await owner.get('/health/ready')).status === 200);

  it.each(['killed', 'frozen', 'cut off'] as const)(
    'EventStoreDB %s: reads go on, commands are refused for now, health says so, all comes back',
    async (how) => {
      const { eventStore, proxies } = arrangement;
      const back = await take(how, eventStore, proxies.eventStore);
      // An open connection may notice the outage only by its keepalive.
      await eventually(async () => (await gone()).includes('event-store'));
      expect(await gone()).not.toContain('read-store');
      for (let times = 0; times < 3; times++) {
        expect((await within(DEADLINE_MS, () => owner.get(path('/signal')))).status).toBe(200);
        await expectRefusal(() => addRole(`Refused ${times}`));
      }
      await back();
      await expectRecovery(`After EventStoreDB was ${how}`);
      await expectHealthy();
    },
  );

  it.each(['killed', 'frozen', 'cut off'] as const)(
    'MongoDB %s: reads are refused for now, commands that need nothing of it go on, health says so, all comes back',
    async (how) => {
      const { mongodb, proxies } = arrangement;
      const back = await take(how, mongodb, proxies.mongodb);
      await eventually(async () => (await gone()).includes('read-store'));
      for (let times = 0; times < 2; times++) {
        const read = await within(DEADLINE_MS, () => owner.get<Failed>(path('/signal')));
        expect(read).toMatchObject({ status: 503, body: { code: 'unavailable' } });
        expect((await within(DEADLINE_MS, () => addRole(`Meanwhile ${times}, ${how}`))).status).toBe(201);
      }
      await back();
      await expectRecovery(`After MongoDB was ${how}`);
      await expectHealthy();
    },
  );

  describe('that comes back within some seconds', () => {
    const NOT_WRITABLE_PRIMARY = 10_107;
    const ELECTION_MS = 3_000;
    /** A server that starts again takes some seconds more. */
    const KILLED_MS = 1_500;
    const COMMANDS = ['find', 'update', 'insert', 'findAndModify', 'listCollections', 'listIndexes', 'ping'];
    const elect = async (): Promise<() => Promise<void>> =>
      failCommand(arrangement.direct.MONGODB_URL!, {
        failCommands: COMMANDS,
        errorCode: NOT_WRITABLE_PRIMARY,
      });

    it.each([
      [
        'MongoDB is killed',
        () => take('killed', arrangement.mongodb, arrangement.proxies.mongodb),
        KILLED_MS,
      ],
      ['MongoDB has no primary', elect, ELECTION_MS],
      [
        'EventStoreDB is killed',
        () => take('killed', arrangement.eventStore, arrangement.proxies.eventStore),
        KILLED_MS,
      ],
    ])('every kind of an operator’s command waits for it: %s', async (_, leave, awayMs) => {
      const back = await leave();
      const returned = sleep(awayMs).then(back);
      const ended = await Promise.all([
        assay(arrangement.direct, 'projections', 'status'),
        assay(
          arrangement.direct,
          'organisations',
          'create',
          '--name',
          'Another',
          '--owner-email',
          'owner@example.org',
        ),
        assay(arrangement.direct, 'mails', 'hold'),
      ]);
      await returned;
      expect(ended.map(({ code, err }) => [code, err])).toEqual(ended.map(() => [0, '']));
      await expectHealthy();
    });

    it('open requests wait for another primary', async () => {
      const back = await elect();
      const returned = sleep(1_000).then(back);
      const answers = await Promise.all([owner.get(path('/roles')), owner.get(path('/signal'))]);
      await returned;
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    });
  });
});

/** Large batches, one for each append, of clients that disconnect while the log does not answer. */
describe('with a queue of commands whose clients have left', () => {
  const BATCHES = 60;
  const dimensions = Array.from({ length: 50 }, (_, index) => ({
    ...{ name: `Dimension ${index}`, weight: 2, category: 'process', rubric: 'r'.repeat(4_000) },
  }));

  it('EventStoreDB frozen: a record is free for others as soon as the log answers', async () => {
    const arrangement = await arrange({ apis: 1, projectors: 1 });
    try {
      const { direct, urls, eventStore, proxies } = arrangement;
      const org = await createOrganisation(direct, 'Example', 'owner@example.org');
      const issuer = new Api(direct.OIDC_ISSUER!);
      const { body } = await issuer.send<{ idToken: string }>('POST', '/token-for', {
        body: { email: 'owner@example.org', emailVerified: true },
      });
      const owner = new Person(new Api(urls[0]!), 'owner@example.org', body.idToken);
      await eventually(async () => (await owner.get(`/organisations/${org}/roles`)).status === 200);
      const made = await owner.post<{ id: string }>(`/organisations/${org}/roles`, definition('Held'));
      const role = `/organisations/${org}/roles/${made.body.id}`;
      const update = async (name: string) =>
        owner.send<{ version: number }>('PATCH', role, definition(name), {});
      const back = await take('frozen', eventStore, proxies.eventStore);
      const leaving = Array.from({ length: BATCHES }, (_, index) =>
        fetch(`${urls[0]!}${role}`, {
          method: 'PATCH',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${body.idToken}` },
          body: JSON.stringify({ ...definition(`Left ${index}`), dimensions }),
          signal: AbortSignal.timeout(1_500),
        }).catch(() => null),
      );
      await Promise.all(leaving);
      await back();
      const began = performance.now();
      await eventually(async () => (await update('Free')).status === 200);
      expect(performance.now() - began).toBeLessThan(RECOVERY_MS);
      // Only the appends that had begun were stored.
      expect((await update('Counted')).body.version).toBeLessThan(10);
    } finally {
      await arrangement.remove();
    }
  });
});

type Server = Arrangement['eventStore'];
type Proxy = Arrangement['proxies']['eventStore'];

/** @returns a function that brings the server back */
const take = async (
  how: 'killed' | 'frozen' | 'cut off',
  server: Server,
  proxy: Proxy,
): Promise<() => Promise<void>> => {
  if (how === 'killed') {
    await server.kill();
    return () => server.start();
  }
  if (how === 'frozen') {
    await suspend(server.pid);
    return async () => {
      process.kill(server.pid, 'SIGCONT');
    };
  }
  proxy.stall();
  return () => proxy.heal();
};
