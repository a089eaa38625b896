import { accept } from '../../../src/core/decider.js';
import type { Actor } from '../../../src/core/event.js';
import type { PersonId } from '../../../src/core/vault/port.js';
import {
  eraseApplication,
  liftSignInLock,
  outcome,
  recordOutcome,
  requestAccommodation,
  requestErasure,
  retractOutcome,
  setAccommodations,
  cancelApplication,
  extendApplication,
} from '../../../src/domain/application/decider.js';
import {
  bindCandidate,
  candidate,
  earlierInvitations,
  eraseCandidate,
  inviteCandidate,
  type SessionEnd,
} from '../../../src/domain/candidate/decider.js';
import { applicationRefOf, type Invitation } from '../../../src/domain/candidate/events.js';
import {
  requestedGeneration,
  eraseEvaluation,
  evaluationDecider,
  recordResult,
  requestRegeneration,
} from '../../../src/domain/evaluation/decider.js';
import { checksToRepeat } from '../../../src/domain/evaluation/late-work-decider.js';
import {
  addMember,
  bindMember,
  changeMemberRole,
  removeMember,
  createOrganisation,
  organisation,
  updateSettings,
} from '../../../src/domain/organisation/decider.js';
import type { MemberRole } from '../../../src/domain/organisation/events.js';
import { changeLogo } from '../../../src/domain/organisation/logo.js';
import { archiveRole, createRole, role, updateRole } from '../../../src/domain/role/decider.js';
import type { DefinitionInput } from '../../../src/domain/role/decider.js';
import {
  completeTrial,
  recordActivity,
  startTrial,
  withdrawTrial,
  eraseTrial,
  expireTrial,
} from '../../../src/domain/session/decider.js';
import type { TrialEvent } from '../../../src/domain/session/events.js';
import { isClosed, isRunning } from '../../../src/domain/session/lifecycle.js';
import { sessionEvent, trial, trialOf, hasEnded, type Trial } from '../../../src/domain/session/state.js';
import { createTicket, ticket, updateTicket } from '../../../src/domain/ticket/decider.js';
import { NO_WORK } from '../../../src/domain/ticket/events.js';
import { failedResult, readyResult } from '../evaluation-results.js';
import { after } from '../given-when-then.js';
import type { Action } from './actions.js';
import { contestStep, operatorStep, sharingStep } from './evaluations.js';
import { handInStep, lateWorkStep, TICKETS } from './hand-ins.js';
import { interviewStep } from './interview.js';
import { mailStep, webhookStep } from './messages.js';
import { apiKeyStep, dataExportStep, importStep, savedViewStep } from './organisation.js';
import { SECRET, STAFF, SYSTEM, World } from './world.js';

const HOUR = 3_600_000;
const ROLES: readonly MemberRole[] = ['owner', 'admin', 'recruiter', 'reviewer'];
const at = { expectedVersion: null } as const;
const LOGO = { type: 'image/png', width: 320, height: 96, sha256: 'a1'.repeat(32) } as const;

const granted = (value: number) => ({
  timeFactor: 1 + (value % 3) / 2,
  typedOnly: value > 9,
  captions: true,
});

/** Plays actions against the deciders, the way that handlers would, and keeps the log. */
export class Hiring {
  readonly world = new World();
  private readonly organisations: string[] = [];
  private readonly roles: { readonly organisationId: string; readonly roleId: string }[] = [];
  private readonly tickets: string[] = [];
  private readonly persons = new Map<string, PersonId>();
  private readonly invitations: Invitation[] = [];

  perform(action: Action): void {
    this.world.pass(action.minutes * 60_000 + 1);
    this.once(action);
    if (action.twice) this.once(action);
  }

  private once(action: Action): void {
    switch (action.name) {
      case 'organisation':
        this.openOrganisation();
        return;
      case 'settings':
      case 'member':
      case 'signIn':
      case 'memberRole':
      case 'removeMember':
        this.withOrganisation(action);
        return;
      case 'role':
      case 'renameRole':
        this.withRole(action);
        return;
      case 'ticket':
        this.withTicket(action);
        return;
      case 'invite':
        this.invite(action);
        return;
      case 'webhook':
      case 'apiKey':
      case 'savedView':
      case 'dataExport':
      case 'import': {
        const organisationId = among(this.organisations, action.pick);
        const steps = {
          webhook: webhookStep,
          apiKey: apiKeyStep,
          savedView: savedViewStep,
          dataExport: dataExportStep,
          import: importStep,
        };
        if (organisationId !== undefined) steps[action.name](this.world, organisationId, action.value);
        return;
      }
      case 'expireAll':
        for (const invitation of this.invitations) this.expire(invitation);
        return;
      default: {
        const invitation = among(this.invitations, action.pick);
        if (invitation) this.withApplication(action, invitation);
      }
    }
  }

  private openOrganisation(): void {
    if (this.organisations.length >= 2) return;
    const { world } = this;
    const organisationId = world.newId();
    const owner = { memberId: world.newId() as PersonId, email: memberEmail(0) };
    this.organisations.push(organisationId);
    world.submit(organisation, organisationId, SYSTEM, (state) =>
      createOrganisation(state, { organisationId, name: `Org ${this.organisations.length}`, owner }),
    );
    world.submit(organisation, organisationId, SYSTEM, (state) =>
      bindMember(state, { subject: 'sub-0', verifiedEmail: owner.email }),
    );
  }

  private withOrganisation(
    action: Extract<Action, { name: 'settings' | 'member' | 'signIn' | 'memberRole' | 'removeMember' }>,
  ): void {
    const id = among(this.organisations, action.pick);
    if (id === undefined) return;
    const { world } = this;
    const actorRole = 'owner';
    world.submit(organisation, id, STAFF, (state) => {
      if (action.name === 'settings' && action.value % 3 === 1)
        return changeLogo(state, { ...at, logo: state?.logo ? null : { ...LOGO, id: world.newId() } });
      if (action.name === 'settings')
        return updateSettings(state, { ...at, settings: { retentionDays: action.value || null } });
      const named = { subject: `sub-${action.who}`, email: memberEmail(action.who) };
      const known = state?.members.some(({ subject }) => subject === named.subject);
      const member = known ? named.subject : named.email;
      if (action.name === 'signIn')
        return bindMember(state, { subject: named.subject, verifiedEmail: named.email });
      if (action.name === 'removeMember') return removeMember(state, { ...at, actorRole, member });
      const role = ROLES[action.role % ROLES.length] ?? 'reviewer';
      if (action.name === 'memberRole') return changeMemberRole(state, { ...at, actorRole, member, role });
      const name =
        action.who % 2 === 0
          ? ({ email: named.email, subject: null } as const)
          : ({ email: null, subject: named.subject } as const);
      return addMember(state, { actorRole, memberId: world.newId() as PersonId, name, role });
    });
  }

  private withRole(action: Extract<Action, { name: 'role' | 'renameRole' }>): void {
    const { world } = this;
    const dimensionIds = [world.newId(), world.newId()];
    const definition = definitionOf(action.value);
    if (action.name === 'renameRole') {
      const known = among(this.roles, action.pick);
      if (known)
        world.submit(role, known.roleId, STAFF, (state) =>
          // No action of its own, so that the histories of known seeds stay as they are.
          action.value % 4 === 3
            ? archiveRole(state, { ...at, archived: state?.archivedAt === null })
            : updateRole(state, { ...at, definition, dimensionIds }),
        );
      return;
    }
    const organisationId = among(this.organisations, action.pick);
    if (organisationId === undefined || this.roles.length >= 5) return;
    const roleId = world.newId();
    this.roles.push({ organisationId, roleId });
    world.submit(role, roleId, STAFF, (state) =>
      createRole(state, {
        organisationId,
        roleId,
        dimensionIds,
        definition: action.value === 0 ? { ...definition, dimensions: [] } : definition,
      }),
    );
  }

  /** Even values create one, odd ones change one. */
  private withTicket({ pick, value }: Extract<Action, { name: 'ticket' }>): void {
    const { world } = this;
    const content = {
      title: `Ticket ${value}`,
      description: null,
      links: [],
      estimatedMinutes: value + 1,
      ...NO_WORK,
    };
    const known = value % 2 === 1 ? among(this.tickets, pick) : undefined;
    if (known !== undefined) {
      world.submit(ticket, known, STAFF, (state) => updateTicket(state, { ...at, content }));
      return;
    }
    const organisationId = among(this.organisations, pick);
    if (organisationId === undefined) return;
    const ticketId = world.newId();
    this.tickets.push(ticketId);
    world.submit(ticket, ticketId, STAFF, (state) =>
      createTicket(state, { organisationId, ticketId, content }),
    );
  }

  private invite(action: Extract<Action, { name: 'invite' }>): void {
    const { world } = this;
    const known = among(this.roles, action.pick);
    const invited = known && world.read(role, known.roleId);
    if (!invited) return;
    const email = `${SECRET}candidate${action.who}@example.org`;
    const candidateId = this.personOf(invited.organisationId, email);
    const expiresAt = action.hours > 40 ? null : after(action.hours * HOUR, world.now);
    world.submit(candidate, candidateId, STAFF, (state) => {
      const ended = earlierInvitations(state, invited.roleId).flatMap((one): [string, SessionEnd][] => {
        const session = trialOf(world.read(trial, one.trialSessionId), one);
        if (!hasEnded(session, world.now)) return [];
        return [[one.trialSessionId, isClosed(session) ? 'by event' : 'by time']];
      });
      return inviteCandidate(state, {
        candidateId,
        email,
        naming: action.who % 2 === 0 ? {} : { name: `${SECRET}name`, externalId: `${SECRET}id` },
        language: 'en',
        role: invited,
        applicationId: world.newId(),
        trialSessionId: world.newId(),
        now: world.now,
        expiresAt,
        endedSessions: new Map(ended),
      });
    });
    const last = world.read(candidate, candidateId)?.invitations.at(-1);
    if (last && !this.invitations.some((one) => one.applicationId === last.applicationId))
      this.invitations.push(last);
  }

  private withApplication(
    action: Exclude<
      Action,
      {
        name:
          | 'organisation'
          | 'settings'
          | 'member'
          | 'signIn'
          | 'memberRole'
          | 'removeMember'
          | 'role'
          | 'renameRole'
          | 'ticket'
          | 'invite'
          | 'webhook'
          | 'apiKey'
          | 'savedView'
          | 'dataExport'
          | 'import'
          | 'expireAll';
      }
    >,
    invitation: Invitation,
  ): void {
    const { world } = this;
    const { candidateId, trialSessionId, applicationId } = invitation;
    if (action.name === 'erase') {
      this.erase(candidateId, action.reached);
      return;
    }
    // As every handler finds it by the candidate's stream.
    if (world.read(candidate, candidateId)?.erased) return;
    const by: Actor = { type: 'candidate', id: candidateId };
    const on = { ...at, invitation, now: world.now };
    const session = trialOf(world.read(trial, trialSessionId), invitation);
    const decided = {
      ...at,
      ids: applicationRefOf(invitation),
      trial: { status: session.status, version: session.version },
      actor: STAFF.id,
    };
    switch (action.name) {
      case 'candidateSignIn':
        world.submit(candidate, candidateId, by, (state) =>
          bindCandidate(state, {
            subject: `${SECRET}sub-${candidateId}`,
            verifiedEmail: state?.email ?? null,
          }),
        );
        return;
      case 'start':
        world.submit(trial, trialSessionId, by, (state) =>
          startTrial(state, { ...on, consent: true, identity: 'verified', tickets: TICKETS }),
        );
        return;
      case 'activity':
        world.submit(trial, trialSessionId, by, (state) =>
          recordActivity(state, { ...on, activities: action.ids.map((id) => activityOf(id, world.now)) }),
        );
        return;
      case 'handIn':
        handInStep(world, invitation, action.value);
        return;
      case 'interview':
        for (const step of action.steps) interviewStep(world, invitation, step);
        return;
      case 'complete':
        world.submit(trial, trialSessionId, by, (state) =>
          completeTrial(state, { ...on, evaluationId: world.newId() }),
        );
        return;
      case 'withdraw':
        world.submit(trial, trialSessionId, by, (state) => withdrawTrial(state, on));
        return;
      case 'cancel':
        world.submit(trial, trialSessionId, STAFF, (state) =>
          cancelApplication(state, { ...on, outcomeVersion: 0 }),
        );
        return;
      case 'extend':
        world.submit(trial, trialSessionId, STAFF, (state) =>
          extendApplication(state, {
            ...on,
            outcomeVersion: 0,
            expiresAt: after(action.hours * HOUR, world.now),
          }),
        );
        return;
      case 'outcome':
        world.submit(outcome, applicationId, STAFF, (state) =>
          recordOutcome(state, {
            ...decided,
            humanRound: ([null, 'passed', 'failed'] as const)[action.value % 3] ?? null,
            disposition: ([null, 'hired', 'declined'] as const)[(action.value >> 2) % 3] ?? null,
            reason: action.value % 2 === 0 ? null : `${SECRET}reason ${action.value}`,
          }),
        );
        return;
      case 'accommodate':
        if (action.value % 5 === 4) {
          world.submit(outcome, applicationId, by, (state) => requestErasure(state, decided));
          return;
        }
        if (action.value % 7 === 3) {
          world.submit(outcome, applicationId, STAFF, (state) =>
            liftSignInLock(state, { ids: decided.ids, session, now: world.now }),
          );
          return;
        }
        world.submit(outcome, applicationId, action.value % 2 === 0 ? STAFF : by, (state) =>
          action.value % 2 === 0
            ? setAccommodations(state, { ...decided, accommodations: granted(action.value) })
            : requestAccommodation(state, { ...decided, text: `${SECRET}request ${action.value}` }),
        );
        return;
      case 'retract':
        world.submit(outcome, applicationId, STAFF, (state) => retractOutcome(state, decided));
        return;
      case 'mail':
        mailStep(world, invitation, action.value);
        return;
      case 'contest':
        if (session.evaluationId !== null) {
          const ids = { ...applicationRefOf(invitation), evaluationId: session.evaluationId };
          contestStep(world, ids, action.value);
        }
        return;
      case 'operate':
        operatorStep(world, invitation.organisationId, action.value);
        return;
      case 'share':
        if (session.evaluationId !== null) {
          const { evaluationId } = session;
          const result = world.read(evaluationDecider, evaluationId);
          sharingStep(world, { ...applicationRefOf(invitation), evaluationId }, result, action.value);
        }
        return;
      case 'identity':
        if (isRunning(session))
          world.submit(trial, trialSessionId, by, () => accept(identityChecked(session, action.value)));
        return;
      default:
        this.evaluate(action.name, invitation);
    }
  }

  private evaluate(name: 'generate' | 'fail' | 'regenerate', invitation: Invitation): void {
    const { world } = this;
    const session = trialOf(world.read(trial, invitation.trialSessionId), invitation);
    const { evaluationId, awaits } = session;
    if (evaluationId === null) return;
    const whole = { ...applicationRefOf(invitation), evaluationId };
    if (name !== 'regenerate') lateWorkStep(world, { ...session, evaluationId });
    world.submit(evaluationDecider, evaluationId, SYSTEM, (state) => {
      if (name === 'regenerate') {
        const isChecked = /[13579]$/.test(evaluationId);
        const checks = isChecked ? checksToRepeat(state, session) : [];
        return requestRegeneration(state, { begun: true, checks });
      }
      const ids = { ...whole, generation: requestedGeneration(state) ?? state.generation };
      const result = name === 'generate' ? readyResult(ids, invitation.role) : failedResult(ids);
      return recordResult(state, result, [], { awaits, late: state.late.count });
    });
  }

  /** @param reached how many streams hear of it now: the reactor's work, which may have been cut off */
  private erase(candidateId: string, reached: number): void {
    const { world } = this;
    world.submit(candidate, candidateId, STAFF, (state) => eraseCandidate(state, { cause: 'staff' }));
    for (const [key, person] of this.persons) if (person === candidateId) this.persons.delete(key);
    const steps = (world.read(candidate, candidateId)?.invitations ?? []).flatMap((invitation) => {
      const ids = applicationRefOf(invitation);
      const { trialSessionId, applicationId } = invitation;
      return [
        () => world.submit(trial, trialSessionId, SYSTEM, (state) => eraseTrial(state, { invitation })),
        () => world.submit(outcome, applicationId, SYSTEM, (state) => eraseApplication(state, ids)),
        () => {
          const { evaluationId } = trialOf(world.read(trial, trialSessionId), invitation);
          if (evaluationId === null) return;
          world.submit(evaluationDecider, evaluationId, SYSTEM, (state) =>
            eraseEvaluation(state, { ...ids, evaluationId }),
          );
        },
      ];
    });
    for (const step of steps.slice(0, reached)) step();
  }

  private expire(invitation: Invitation): void {
    const { world } = this;
    if (world.read(candidate, invitation.candidateId)?.erased) return;
    world.submit(trial, invitation.trialSessionId, SYSTEM, (state) =>
      expireTrial(state, { invitation, now: world.now }),
    );
  }

  private personOf(organisationId: string, email: string): PersonId {
    const key = `${organisationId} ${email}`;
    const person = this.persons.get(key) ?? (this.world.newId() as PersonId);
    this.persons.set(key, person);
    return person;
  }
}

const among = <T>(things: readonly T[], pick: number): T | undefined => things[pick % (things.length || 1)];

const memberEmail = (who: number): string => `${SECRET}member${who}@example.org`;

const identityChecked = (session: Trial, value: number): TrialEvent =>
  sessionEvent(session, 'trial.identity_checked', {
    identity: (['verified', 'mismatch', 'unverified'] as const)[value % 3] ?? 'verified',
  });

/** Few names, so that roles share one; some whose order depends on the locale. */
const definitionOf = (value: number): DefinitionInput => ({
  name: ['Engineer', 'engineer', 'Éclair', 'Zoo', 'Äther', 'Engineer '][value % 6] ?? '',
  overallThreshold: value,
  dimensions: [
    { name: 'Care', weight: value, category: 'process', threshold: 50 },
    { name: 'Proof', weight: 50, category: 'correctness' },
  ],
  ticketIds: TICKETS.map(({ ticketId }) => ticketId),
});

const activityOf = (id: number, now: string) => {
  const text = JSON.parse(`{"__proto__":{"x":1},"$where":"${SECRET}${id}","a.b":null}`) as Record<
    string,
    unknown
  >;
  return {
    clientEventId: `${SECRET}id-${id}`,
    eventType: id % 3 === 0 ? 'message.sent' : 'custom.thing',
    occurredAt: now,
    payload: id % 3 === 0 ? { text: `${SECRET}words`, to: 'assistant' } : text,
  };
};
