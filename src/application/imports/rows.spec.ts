import { describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { after, NOW, uuid } from '../../../test/support/given-when-then.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { definition } from '../../../test/support/organisation.js';
import { MailQuota, MailsLimited } from '../../clients/mail-quota.js';
import { createCodec } from '../../core/codec.js';
import { CommandContexts } from '../../core/command-context.js';
import type { Decision } from '../../core/decider.js';
import type { Actor } from '../../core/event.js';
import { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { newId } from '../../core/random.js';
import { Sealer } from '../../core/sealing.js';
import type { PersonId } from '../../core/vault/port.js';
import {
  apiKeysDecider,
  type ApiKeysState,
  createApiKey,
  revokeApiKey,
} from '../../domain/api-key/decider.js';
import type { ApiKeyEvent } from '../../domain/api-key/events.js';
import { candidate } from '../../domain/candidate/decider.js';
import { candidateImport } from '../../domain/candidate-import/decider.js';
import { eventRegistry } from '../../domain/event-registry.js';
import {
  addMember,
  bindMember,
  changeMemberRole,
  createOrganisation,
  organisation,
  type OrganisationState,
  removeMember,
} from '../../domain/organisation/decider.js';
import type { OrganisationEvent } from '../../domain/organisation/events.js';
import { archiveRole, createRole, role, type RoleState } from '../../domain/role/decider.js';
import type { RoleEvent } from '../../domain/role/events.js';
import { CandidateDirectory } from '../applications/directory.js';
import { InviteCandidate, InviteCandidateHandler } from '../applications/invite-candidate.js';
import { BeginImport, BeginImportHandler } from './begin-import.js';
import { ImportRows } from './rows.js';

const ORG = uuid('org');
const STAFF = { type: 'staff', id: 'rita' } as const;
/** The same person, an admin, and a key of theirs. */
const RITA = uuid('rita') as PersonId;
const KEY = { type: 'api_key', id: uuid('key') } as const;
/** The owner. */
const OLGA = { type: 'staff', id: 'olga' } as const;
const OWNER = uuid('owner') as PersonId;
const CAUSE = { causedBy: uuid('cause'), correlationId: 'r' };
const OTHER_ROLE = uuid('other');
const EMAILS = ['a@example.org', 'b@example.org', 'c@example.org'];

/** A role on stores that several processes share; `open` starts another one. */
const openRig = async (mailsPerDay: number | null = null) => {
  const store = new MemoryEventStore();
  const vault = new MemoryVault();
  const codec = createCodec(eventRegistry, new Sealer(vault));
  const hasher = new KeyedHasher(randomBytes(32));
  const roleId = uuid('role');
  const open = (now = NOW) => {
    const streams = new CommandStreams(store, codec);
    const contexts = new CommandContexts(hasher, () => new Date(now));
    const directory = new CandidateDirectory(vault, hasher);
    const quota = new MailQuota(vault, hasher, mailsPerDay, () => Date.parse(now));
    const inviting = new InviteCandidateHandler(streams, directory, quota);
    const beginning = new BeginImportHandler(streams, directory, hasher, quota, vault);
    const context = (actor: Actor = STAFF) => contexts.forSystem(actor, 'test');
    return {
      streams,
      directory,
      rows: new ImportRows(streams, vault, contexts, inviting),
      begin: async (emails = EMAILS, actor: Actor = STAFF, idempotencyKey: string | null = null) => {
        const rows = emails.map((email, at) => ({
          row: at + 2,
          content: { email, naming: {}, language: 'en' as const, expiresAt: null },
        }));
        const input = { organisationId: ORG, roleId, rows, passed: [] };
        const source = { correlationId: 'test', ifMatch: null, method: 'POST', path: '/', body: rows };
        const request = contexts.forRequest(
          { ...source, idempotencyKey, isGone: () => false },
          actor.id,
          actor,
        );
        const handled = await beginning.execute(new BeginImport(request, input));
        if (handled.kind === 'refused') throw new Error(handled.refusal.message);
        return handled.state!;
      },
      invite: (email: string, to = roleId) =>
        inviting.execute(
          new InviteCandidate(context(), {
            ...{ organisationId: ORG, roleId: to, email, naming: {}, language: 'en', expiresAt: null },
          }),
        ),
      importOf: async (id: string) => (await streams.read(candidateImport, id)).state!,
      invitationsOf: async (email: string) => {
        const person = await directory.find(ORG, email);
        return person === null ? [] : ((await streams.read(candidate, person)).state?.invitations ?? []);
      },
    };
  };
  const { streams } = open();
  const context = new CommandContexts(hasher, () => new Date(NOW)).forSystem(STAFF, 'test');
  const manage = (decide: (state: OrganisationState) => Decision<OrganisationEvent>) =>
    streams.handle(organisation, ORG, { ...context, commandId: newId() }, decide);
  const keys = (decide: (state: ApiKeysState) => Decision<ApiKeyEvent>) =>
    streams.handle(apiKeysDecider, ORG, { ...context, commandId: newId() }, decide);
  const changeRole = (id: string, decide: (state: RoleState) => Decision<RoleEvent>) =>
    streams.handle(role, id, { ...context, commandId: newId() }, decide);
  for (const id of [roleId, OTHER_ROLE])
    await changeRole(id, (state) =>
      createRole(state, {
        ...{ organisationId: ORG, roleId: id, definition: definition() },
        dimensionIds: [uuid('d1'), uuid('d2')],
      }),
    );
  const rita = { memberId: RITA, role: 'admin' } as const;
  for (const person of [RITA, OWNER, KEY.id as PersonId]) await vault.keys.create(person);
  await manage((state) =>
    createOrganisation(state, {
      ...{ organisationId: ORG, name: 'Example', owner: { memberId: OWNER, email: 'owner@example.org' } },
    }),
  );
  await manage((state) => bindMember(state, { subject: OLGA.id, verifiedEmail: 'owner@example.org' }));
  const name = { email: null, subject: STAFF.id };
  await manage((state) => addMember(state, { actorRole: 'owner', name, ...rita }));
  await keys((state) =>
    createApiKey(state, {
      ...{ organisationId: ORG, apiKeyId: KEY.id, name: 'ATS', scopes: ['candidates.invite'] },
      ...{ expiresInDays: 2, maker: rita, members: [rita], now: new Date(NOW) },
    }),
  );
  const archive = (archived = true) =>
    changeRole(roleId, (state) => archiveRole(state, { archived, expectedVersion: null }));
  return { vault, open, manage, keys, archive };
};
const going = new AbortController().signal;

describe('the rows of an import', () => {
  it('are each invited once, by however many processes at once and again', async () => {
    const { open } = await openRig();
    const [one, other] = [open(), open()];
    const { importId } = await one.begin();
    await Promise.all([one, other].map(({ rows }) => rows.invite(importId, CAUSE, going)));
    await open().rows.invite(importId, CAUSE, going);
    expect(await open().importOf(importId)).toMatchObject({ invitedCount: 3, refused: [], waiting: [] });
    for (const email of EMAILS) expect(await open().invitationsOf(email)).toHaveLength(1);
  });

  it('wait for another process once this one has lost its turn', async () => {
    const { open } = await openRig();
    const { rows, begin, importOf } = open();
    const { importId } = await begin();
    await expect(rows.invite(importId, CAUSE, AbortSignal.abort())).rejects.toThrow();
    expect(await importOf(importId)).toMatchObject({ invitedCount: 0 });
  });

  it('are gone with their person', async () => {
    const { vault, open } = await openRig();
    const { begin, directory } = open();
    const { importId } = await begin();
    await vault.keys.erase((await directory.find(ORG, 'b@example.org'))!);
    const later = open();
    await later.rows.invite(importId, CAUSE, going);
    expect(await later.importOf(importId)).toMatchObject({
      invitedCount: 2,
      refused: [{ row: 3, code: 'erased' }],
    });
    expect(await later.invitationsOf('b@example.org')).toEqual([]);
  });

  it('are dropped for good, and those that wait are never invited', async () => {
    const { vault, open } = await openRig();
    const { rows, begin } = open();
    const { importId } = await begin();
    await rows.drop(importId, CAUSE, 'drop');
    await rows.drop(importId, CAUSE, 'drop');
    expect((await vault.keys.get(importId as PersonId))?.kind).toBe('erased');
    const later = open();
    await later.rows.invite(importId, CAUSE, going);
    expect(await later.importOf(importId)).toMatchObject({ invitedCount: 0, waiting: [], droppedAt: NOW });
    expect(await later.invitationsOf('a@example.org')).toEqual([]);
    // From then on the same file is another import.
    expect((await later.begin()).importId).not.toBe(importId);
  });

  it('that were refused keep no other back, and are told by their codes', async () => {
    const { open } = await openRig();
    const { rows, begin, invite, importOf } = open();
    await invite('B@example.org');
    const { importId } = await begin();
    await rows.invite(importId, CAUSE, going);
    expect(await importOf(importId)).toMatchObject({
      invitedCount: 2,
      refused: [{ row: 3, code: 'already_invited' }],
    });
  });

  it('wait while the organisation may not ask for another mail', async () => {
    const { open } = await openRig(3);
    const { rows, begin, invite, importOf } = open();
    const { importId } = await begin();
    for (const email of ['x@example.org', 'y@example.org']) await invite(email);
    await expect(rows.invite(importId, CAUSE, going)).rejects.toThrow(MailsLimited);
    expect(await importOf(importId)).toMatchObject({ invitedCount: 1, refused: [] });
    const tomorrow = open(after(25 * 3_600_000));
    await tomorrow.rows.invite(importId, CAUSE, going);
    expect(await tomorrow.importOf(importId)).toMatchObject({ invitedCount: 3 });
  });

  type Rig = Awaited<ReturnType<typeof openRig>>;
  const asOwner = { actorRole: 'owner', member: RITA, expectedVersion: null } as const;
  it.each<[string, Actor, (rig: Rig) => Promise<unknown>]>([
    ['the member is removed', STAFF, ({ manage }) => manage((state) => removeMember(state, asOwner))],
    [
      'the member gets a role without that right',
      STAFF,
      ({ manage }) => manage((state) => changeMemberRole(state, { ...asOwner, role: 'reviewer' })),
    ],
    ['the key is revoked', KEY, ({ keys }) => keys((state) => revokeApiKey(state, { apiKeyId: KEY.id }))],
    ['the maker of the key is removed', KEY, ({ manage }) => manage((state) => removeMember(state, asOwner))],
    ['the key ends', KEY, async () => undefined],
  ])('that wait are refused once who began the import may no longer invite: %s', async (_, actor, end) => {
    const rig = await openRig(4);
    const { rows, begin, invite } = rig.open();
    const { importId } = await begin(EMAILS, actor);
    for (const email of ['x@example.org', 'y@example.org', 'z@example.org']) await invite(email);
    await expect(rows.invite(importId, CAUSE, going)).rejects.toThrow(MailsLimited);
    await end(rig);
    const later = rig.open(after(49 * 3_600_000));
    await later.rows.invite(importId, CAUSE, going);
    expect(await later.importOf(importId)).toMatchObject({
      invitedCount: 1,
      refused: [3, 4].map((row) => ({ row, code: 'import_stopped' })),
    });
    // Somebody else can go on with the same file.
    const again = await later.begin(EMAILS, OLGA);
    expect(again.importId).not.toBe(importId);
    await later.rows.invite(again.importId, CAUSE, going);
    expect(await later.importOf(again.importId)).toMatchObject({
      invitedCount: 2,
      refused: [{ row: 2, code: 'already_invited' }],
    });
  });

  it('that were invited by a process that ended then are not refused for that', async () => {
    const { open, manage } = await openRig();
    const { rows, begin, importOf, streams } = open();
    const { importId } = await begin();
    const handle = streams.handle.bind(streams);
    jest.spyOn(streams, 'handle').mockImplementation(async (decider, ...rest) => {
      if ((decider as object) === candidateImport) throw new Error('The process ends.');
      return handle(decider, ...rest);
    });
    await expect(rows.invite(importId, CAUSE, going)).rejects.toThrow('The process ends.');
    await manage((state) => removeMember(state, asOwner));
    await open().rows.invite(importId, CAUSE, going);
    expect(await importOf(importId)).toMatchObject({
      invitedCount: 1,
      refused: [3, 4].map((row) => ({ row, code: 'import_stopped' })),
    });
  });

  it('are told by the application that they have opened, also of a candidate with earlier ones', async () => {
    const { open } = await openRig();
    const { rows, begin, invite, invitationsOf, streams } = open();
    await invite('a@example.org', OTHER_ROLE);
    const { importId } = await begin(['a@example.org']);
    await rows.invite(importId, CAUSE, going);
    const [, { applicationId } = {}] = await invitationsOf('a@example.org');
    const [event] = (await streams.events(candidateImport, importId)).slice(-1);
    expect(event).toMatchObject({ type: 'import.row_invited', data: { applicationId } });
  });

  it('wait if other commands keep changing their candidate', async () => {
    const { open } = await openRig();
    const { rows, begin, importOf, streams } = open();
    const { importId } = await begin();
    const handle = streams.handle.bind(streams);
    const conflict = { kind: 'refused', refusal: { code: 'conflict', message: 'Changed.' } } as const;
    const spy = jest
      .spyOn(streams, 'handle')
      .mockImplementation(async (decider, ...rest) =>
        (decider as object) === candidate ? conflict : handle(decider, ...rest),
      );
    await expect(rows.invite(importId, CAUSE, going)).rejects.toThrow('Changed.');
    spy.mockRestore();
    expect(await importOf(importId)).toMatchObject({ invitedCount: 0, refused: [] });
    await rows.invite(importId, CAUSE, going);
    expect(await importOf(importId)).toMatchObject({ invitedCount: 3, refused: [] });
  });

  it('sent again are the same import, also once the role takes no invitations any more', async () => {
    const { open, archive } = await openRig();
    const { begin } = open();
    const { importId } = await begin();
    await archive();
    expect((await begin()).importId).toBe(importId);
    await expect(begin(['x@example.org'])).rejects.toThrow();
  });

  it('sent again are a new import after one that was stopped, also by a role that was archived meanwhile', async () => {
    const { open, archive } = await openRig();
    const { rows, begin, importOf } = open();
    const { importId } = await begin();
    await archive();
    await rows.invite(importId, CAUSE, going);
    const refused = [2, 3, 4].map((row) => ({ row, code: 'role_archived' }));
    expect(await importOf(importId)).toMatchObject({ invitedCount: 0, refused });
    await expect(begin()).rejects.toThrow('archived');
    await archive(false);
    const again = await begin();
    expect(again.importId).not.toBe(importId);
    await rows.invite(again.importId, CAUSE, going);
    expect(await importOf(again.importId)).toMatchObject({ invitedCount: 3, refused: [] });
  });

  it('may be sent under the key of a request that was refused: that has begun no import', async () => {
    const { open } = await openRig(2);
    const { begin, invite } = open();
    await invite('x@example.org');
    await expect(begin(EMAILS, STAFF, 'key')).rejects.toThrow(MailsLimited);
    const fewer = EMAILS.slice(2);
    const { importId } = await begin(fewer, STAFF, 'key');
    expect((await begin(fewer, OLGA)).importId).toBe(importId);
  });

  it('are not taken in if they ask for more mails than the organisation may', async () => {
    const { open } = await openRig(2);
    const { begin, invite } = open();
    await invite('x@example.org');
    await expect(begin()).rejects.toThrow(MailsLimited);
  });
});
