import { describe, expect, it } from '@jest/globals';
import { stored } from '../../../test/support/given-when-then.js';
import type { CommandStreams } from '../../core/handle.js';
import { DEFINITION_DEFAULTS, type RoleEvent } from '../../domain/role/events.js';
import { RoleVersions } from './role-versions.js';

const of = { organisationId: 'o', roleId: '01a1ff15-0000-7000-8000-000000000000' };
const definition = {
  ...{ name: 'Engineer', overallThreshold: 70, dimensions: [], ticketIds: [], questions: [] },
  ...DEFINITION_DEFAULTS,
};
const event = (type: 'role.created' | 'role.updated', instructions: string): RoleEvent => ({
  type,
  data: { ...of, definition: { ...definition, instructions }, status: 'draft' },
  person: null,
  personal: null,
});

/** The versions of a role whose instructions were these, one after the other. */
const versionsOf = (...instructions: readonly string[]): RoleVersions => {
  const events = instructions.map((text, index) => event(index ? 'role.updated' : 'role.created', text));
  const each = async function* () {
    yield* await Promise.resolve(events.map((one) => stored(one)));
  };
  return new RoleVersions({ each } as unknown as CommandStreams);
};

describe('a page of versions', () => {
  it('ends before it is too large, with one at least, and the next one goes on there', async () => {
    const large = ['a', 'b', 'c', 'd'].map((sign) => sign.repeat(400_000));
    const versions = versionsOf(...large);
    const first = await versions.newest(of, 10);
    expect([first?.versions.map(({ version }) => version), first?.hasMore]).toEqual([[4], true]);
    const second = await versions.newest(of, 10, 4);
    expect([second?.versions.map(({ version }) => version), second?.hasMore]).toEqual([[3], true]);
    const last = await versions.newest(of, 10, 3);
    expect([last?.versions.map(({ version }) => version), last?.hasMore]).toEqual([[2, 1], false]);
  });

  it('is of the role’s own organisation alone', async () => {
    const versions = versionsOf('a', 'b');
    for (const other of [
      { ...of, organisationId: 'x' },
      { ...of, roleId: 'no-id' },
    ]) {
      expect(await versions.newest(other, 10)).toBeNull();
      expect(await versions.roleAt(other, 1)).toBeNull();
    }
  });
});
