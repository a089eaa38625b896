import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { NOW, uuid } from '../../../test/support/given-when-then.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { definition } from '../../../test/support/organisation.js';
import { MailQuota } from '../../clients/mail-quota.js';
import { createCodec } from '../../core/codec.js';
import { CommandContexts } from '../../core/command-context.js';
import { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { newId } from '../../core/random.js';
import { Sealer } from '../../core/sealing.js';
import { applicationRefOf } from '../../domain/candidate/events.js';
import { eventRegistry } from '../../domain/event-registry.js';
import { mailsDecider, recordMailAttempt } from '../../domain/mail/decider.js';
import { createRole, role } from '../../domain/role/decider.js';
import { CandidateDirectory } from './directory.js';
import { InviteCandidate, InviteCandidateHandler } from './invite-candidate.js';
import { ResendMail, ResendMailHandler } from './resend-mail.js';

const ORG = uuid('org');
const STAFF = { type: 'staff', id: 'rita' } as const;

/** An application whose invitation's mail has failed; its organisation may ask for two mails more. */
const openRig = async () => {
  const store = new MemoryEventStore();
  const vault = new MemoryVault();
  const codec = createCodec(eventRegistry, new Sealer(vault));
  const hasher = new KeyedHasher(randomBytes(32));
  const contexts = new CommandContexts(hasher, () => new Date(NOW));
  const context = () => ({ ...contexts.forSystem(STAFF, 'test'), commandId: newId() });
  const quota = new MailQuota(vault, hasher, 3, () => Date.parse(NOW));
  const streams = new CommandStreams(store, codec);
  const roleId = uuid('role');
  await streams.handle(role, roleId, context(), (state) =>
    createRole(state, {
      ...{ organisationId: ORG, roleId, definition: definition() },
      dimensionIds: [uuid('d1'), uuid('d2')],
    }),
  );
  const invited = await new InviteCandidateHandler(
    streams,
    new CandidateDirectory(vault, hasher),
    quota,
  ).execute(
    new InviteCandidate(context(), {
      ...{ organisationId: ORG, roleId, email: 'a@example.org' },
      ...{ naming: {}, language: 'en', expiresAt: null },
    }),
  );
  if (invited.kind === 'refused') throw new Error(invited.refusal.message);
  const application = applicationRefOf(invited.state!.invitations[0]!);
  const mail = { kind: 'invitation', causedBy: uuid('cause'), days: null } as const;
  await streams.handle(mailsDecider, application.applicationId, context(), (state) =>
    recordMailAttempt(state, {
      ...{ application, mail, attempt: 1, fault: 'refused' },
      ...{ now: NOW, deadline: NOW, random: 0 },
    }),
  );
  return {
    quota,
    /** Asks for the mail again in a process of its own. */
    resend: (counting: Pick<MailQuota, 'countForOrganisation' | 'giveBack'> = quota) =>
      new ResendMailHandler(new CommandStreams(store, codec), counting as MailQuota).execute(
        new ResendMail(context(), { application, mail: { ...mail, dueAt: NOW } }),
      ),
  };
};

describe('a mail that is counted and then not requested', () => {
  it('is given back if another process has requested it meanwhile', async () => {
    const { quota, resend } = await openRig();
    const refused = await resend({
      countForOrganisation: async (organisationId) => {
        const wait = await quota.countForOrganisation(organisationId);
        expect(await resend()).toMatchObject({ kind: 'done', changed: true });
        return wait;
      },
      giveBack: (organisationId) => quota.giveBack(organisationId),
    });
    expect(refused).toMatchObject({ kind: 'refused', refusal: { code: 'mail_pending' } });
    expect(await quota.countForOrganisation(ORG)).toBe(0);
    expect(await quota.countForOrganisation(ORG)).toBeGreaterThan(0);
  });
});
