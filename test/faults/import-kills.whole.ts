import { expect, it } from '@jest/globals';
import { Api } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { createOrganisation, definition } from '../support/organisation.js';
import { makePlace } from '../support/place.js';

const ROWS = 120;
const CSV = ['candidateEmail', ...Array.from({ length: ROWS }, (_, n) => `row-${n}@example.org`)].join('\n');

interface Import {
  readonly id: string;
  readonly status: string;
  readonly invitedCount: number;
  readonly refused: readonly object[];
}

it('an import continues by itself after kill -9, and invites no one twice', async () => {
  const place = await makePlace();
  let service = await place.start();
  try {
    const org = await createOrganisation(place.dataDir, 'Example', 'olga@example.org');
    const at = (path: string): string => `/organisations/${org}${path}`;
    let owner = await new Api(service.url).as('olga@example.org');
    await eventually(async () => (await owner.get(at('/roles'))).status === 200);
    const role = await owner.post<{ id: string }>(at('/roles'), definition());
    const imports = at(`/roles/${role.body.id}/imports`);
    const { body: begun } = await owner.post<Import>(imports, { csv: CSV });
    const progress = async (): Promise<Import> => (await owner.get<Import>(at(`/imports/${begun.id}`))).body;
    for (const reached of [1, 20, 50]) {
      await eventually(async () => (await progress()).invitedCount >= reached);
      await service.kill();
      service = await place.start();
      owner = await new Api(service.url).as('olga@example.org');
      // A client that does not know the progress sends the file again.
      expect((await owner.post<Import>(imports, { csv: CSV })).body.id).toBe(begun.id);
    }
    const done = await eventually(async () => {
      const now = await progress();
      return now.status === 'finished' && now;
    }, 60_000);
    expect(done).toMatchObject({ invitedCount: ROWS, refused: [] });
    const addresses = await eventually(async () => {
      const { body } = await owner.get<{ items: { candidateEmail: string }[] }>(
        at('/applications?limit=200'),
      );
      return body.items.length >= ROWS && body.items.map(({ candidateEmail }) => candidateEmail);
    });
    expect(addresses).toHaveLength(ROWS);
    expect(new Set(addresses).size).toBe(ROWS);
    await service.stop();
  } finally {
    await service.kill();
    await place.remove();
  }
});
