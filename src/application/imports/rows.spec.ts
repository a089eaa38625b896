import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { after, NOW, uuid } from '../../../test/support/given-when-then.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { definition } from '../../../test/support/organisation.js';
import { MailQuota, MailsLimited } from '../../clients/mail-quota.js';
import { createCodec } from '../../core/codec.js';
import { CommandContexts } from '../../core/command-context.js';
import { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { Sealer } from '../../core/sealing.js';
import type { PersonId } from '../../core/vault/port.js';
import { candidate } from '../../domain/candidate/decider.js';
import { candidateImport } from '../../domain/candidate-import/decider.js';
import { eventRegistry } from '../../domain/event-registry.js';
import { createRole, role } from '../../domain/role/decider.js';
import { CandidateDirectory } from '../applications/directory.js';
import { InviteCandidate, InviteCandidateHandler } from '../applications/invite-candidate.js';
import { BeginImport, BeginImportHandler } from './begin-import.js';
import { ImportRows } from './rows.js';

const ORG = uuid('org');
const STAFF = { type: 'staff', id: 'rita' } as const;
const CAUSE = { causedBy: uuid('cause'), correlationId: 'r' };
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
    const context = () => contexts.forSystem(STAFF, 'test');
    return {
      streams,
      directory,
      rows: new ImportRows(streams, vault, contexts, inviting),
      begin: async (emails = EMAILS) => {
        const rows = emails.map((email, at) => ({
          row: at + 2,
          content: { email, naming: {}, language: 'en' as const, expiresAt: null },
        }));
        const input = { organisationId: ORG, roleId, rows };
        const handled = await beginning.execute(new BeginImport(context(), input));
        if (handled.kind === 'refused') throw new Error(handled.refusal.message);
        return handled.state!;
      },
      invite: (email: string) =>
        inviting.execute(
          new InviteCandidate(context(), {
            ...{ organisationId: ORG, roleId, email, naming: {}, language: 'en', expiresAt: null },
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
  await streams.handle(role, roleId, context, (state) =>
    createRole(state, {
      organisationId: ORG,
      roleId,
      definition: definition(),
      dimensionIds: [uuid('d1'), uuid('d2')],
    }),
  );
  return { vault, open };
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

  it('are not taken in if they ask for more mails than the organisation may', async () => {
    const { open } = await openRig(2);
    const { begin, invite } = open();
    await invite('x@example.org');
    await expect(begin()).rejects.toThrow(MailsLimited);
  });
});
