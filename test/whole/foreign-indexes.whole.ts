import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
// eslint-disable-next-line no-restricted-imports -- the bare driver
import { type Db, type Document, MongoClient } from 'mongodb';
import { roles } from '../../projections/roles.js';
import { arrange, type Arrangement } from '../servers/arrangement.js';
import { Api, Person } from '../support/api.js';
import { projections } from '../support/assay.js';
import { eventually } from '../support/eventually.js';
import { createOrganisation, definition } from '../support/organisation.js';
import { spawnService } from '../support/service.js';

const VERSION = `view.roles.v${roles.version}`;
const LIVE = `${VERSION}.g1`;
const NAME = 'byOrganisation';
const inTheWay = (index: string, collection: string) =>
  `The index "${index}" of the MongoDB collection "${collection}" is not one of this service`;

describe('a foreign index that conflicts with one of a view on a MongoDB server', () => {
  let arrangement: Arrangement;
  let client: MongoClient;
  let db: Db;
  const assay = (...args: readonly string[]) => projections(arrangement.direct, ...args);
  const indexOf = async (collection: string): Promise<Document | undefined> =>
    (
      await db
        .collection(collection)
        .indexes()
        .catch(() => [])
    ).find(({ name }) => name === NAME);

  beforeAll(async () => {
    arrangement = await arrange({ apis: 1, projectors: 1 });
    const { direct, urls } = arrangement;
    const org = await createOrganisation(direct, 'Example', 'owner@example.org');
    const answer = await new Api(direct.OIDC_ISSUER!).send<{ idToken: string }>('POST', '/token-for', {
      body: { email: 'owner@example.org', emailVerified: true },
    });
    const owner = new Person(new Api(urls[0]!), 'owner@example.org', answer.body.idToken);
    await eventually(async () => (await owner.get(`/organisations/${org}/roles`)).status === 200);
    expect((await owner.post(`/organisations/${org}/roles`, definition('First'))).status).toBe(201);
    client = await MongoClient.connect(direct.MONGODB_URL!);
    db = client.db();
    await eventually(async () => (await indexOf(LIVE)) !== undefined);
  });
  afterAll(async () => {
    await client.close();
    await arrangement.remove();
  });

  it.each([
    ['other keys under the name', NAME, `${VERSION}.g2`],
    ['the keys under another name, with options', 'mine', `${VERSION}.g3`],
  ])('ends a rebuild as failed, for an operator to see, and not what is live: %s', async (_, name, next) => {
    const { key } = (await indexOf(LIVE))!;
    const index = name === NAME ? { key: { body: 1 } } : { key: key as Record<string, 1>, sparse: true };
    await db.collection(next).createIndexes([{ ...index, name }]);
    const sentence = inTheWay(name, next);
    const rebuilt = await assay('rebuild', 'roles');
    expect(rebuilt).toMatchObject({ code: 1, err: expect.stringContaining(sentence) });
    expect((await assay('status', 'roles')).out).toContain(`last: rebuild, failed at `);
    expect((await assay('status', 'roles')).out).toContain(sentence);
    // The process that found the index still feeds the live generation.
    expect(await assay('rebuild', 'members')).toMatchObject({ code: 0 });
  });

  it('ends each start with one sentence where the view is live', async () => {
    expect(await assay('rebuild', 'roles')).toMatchObject({ code: 0 });
    const status = JSON.parse((await assay('status', 'roles', '--json')).out) as { generation: string };
    const live = `view.${status.generation}`;
    await db.collection(live).dropIndex(NAME);
    await db.collection(live).createIndexes([{ key: { body: 1 }, name: NAME }]);
    for (const entry of ['bin/main.js', 'bin/projector.js']) {
      const started = spawnService(arrangement.direct.DATA_DIR!, { entry, env: arrangement.direct });
      expect(await started.ended).toMatchObject({ code: 1 });
      expect(
        started
          .output()
          .split('\n')
          .filter((line) => line.includes(inTheWay(NAME, live))),
      ).toHaveLength(1);
    }
    await db.collection(live).dropIndex(NAME);
    await arrangement.projectors[0]!.crash();
    await eventually(async () => (await indexOf(live)) !== undefined);
  });
});
