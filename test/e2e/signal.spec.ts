import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SignalSummary } from '../../src/api/signal/signal.js';
import { streamName } from '../../src/core/event-store.js';
import { newId } from '../../src/core/random.js';
import { DEFINITION_DEFAULTS, type RoleEvent } from '../../src/domain/role/events.js';
import { readConfiguration } from '../../src/process/config.js';
import { openStores } from '../../src/process/stores.js';
import type { Reply } from '../support/api.js';
import { poisonSignal } from '../support/operators-troubles.js';
import { type Failure, openStage, type Stage } from '../support/stage.js';

/** Roles whose names are together larger than a document may be. */
const LARGE = { roles: 70, nameBytes: 255 * 1024 };

/** Appends roles as a former version could: names had no limit then. */
const makeLargeRoles = async (dataDir: string, organisationId: string): Promise<void> => {
  const stores = await openStores(readConfiguration({ DATA_DIR: dataDir }));
  try {
    for (let n = 0; n < LARGE.roles; n++) {
      const roleId = newId();
      const name = `${n}`.padEnd(LARGE.nameBytes, '.');
      const definition = {
        name,
        overallThreshold: 0,
        dimensions: [],
        ticketIds: [],
        questions: [],
        ...DEFINITION_DEFAULTS,
      };
      const event: RoleEvent = {
        ...{ type: 'role.created', data: { organisationId, roleId, definition, status: 'draft' } },
        ...{ person: null, personal: null },
      };
      const { encoded } = await stores.codec.encode([event], {
        recordedAt: new Date().toISOString(),
        actor: { type: 'system', id: 'test' },
        ...{ commandId: newId(), requestHash: null, correlationId: 'test', causationId: null },
      });
      const appended = await stores.eventStore.append(streamName('role', roleId), 'no-stream', encoded);
      expect(appended.kind).toBe('appended');
    }
  } finally {
    await stores.close();
  }
};

describe('the signal', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  /** Two reads of everything that was appended so far: with a token, then without. */
  const twice = async <B>(path: string): Promise<readonly Reply<B>[]> => {
    await stage.role('A small one');
    const { owner, api } = stage;
    return [await owner.get<B>(path), await api.send<B>('GET', path, { token: owner.token })];
  };

  it('is whole, with a token and without, however large the roles are that there are', async () => {
    await makeLargeRoles(stage.service.dataDir, stage.org);
    for (const { status, body } of await twice<SignalSummary>(stage.at('/signal'))) {
      expect(status).toBe(200);
      expect(body.roles).toHaveLength(LARGE.roles + 1);
      expect(body.roles.at(-1)?.roleName).toBe('A small one');
    }
  });

  it('is not sent again to a reader that has it already, until it changes', async () => {
    const read = (tag: string) => stage.owner.get(stage.at('/signal'), { 'if-none-match': tag });
    const tag = (await read('"another"')).headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    const same = await read(tag);
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', tag]);
    await stage.role('One more');
    const changed = await read(tag);
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(tag);
  });

  it('is refused, with a token and without, while something that it counts is parked', async () => {
    const other = await stage.organisation('Other', 'owner@example.org');
    const candidate = await stage.started(await stage.role());
    await candidate.person.post(`${candidate.session}/complete`);
    stage.owner.follow(candidate.person);
    expect((await stage.owner.get(stage.at('/signal'))).status).toBe(200);
    await poisonSignal(stage.service.dataDir);
    for (const { status, body } of await twice<Failure>(stage.at('/signal')))
      expect([status, body.code]).toEqual([503, 'view_parked']);
    for (const { status, body } of await twice<SignalSummary>(`/organisations/${other}/signal`))
      expect([status, body.roles]).toEqual([200, []]);
  });
});
