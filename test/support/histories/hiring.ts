import type { PersonId } from '../../../src/core/vault/port.js';
import {
  candidate,
  earlierInvitations,
  inviteCandidate,
  type SessionEnd,
} from '../../../src/domain/candidate/decider.js';
import type { Invitation } from '../../../src/domain/candidate/events.js';
import { role } from '../../../src/domain/role/decider.js';
import { isClosed } from '../../../src/domain/session/lifecycle.js';
import { hasEnded, trial, trialOf } from '../../../src/domain/session/state.js';
import { after } from '../given-when-then.js';
import type { Action, ApplicationAction, ErasureAction, OrganisationAction } from './actions.js';
import { applicationStep, eraseStep, expireStep } from './applications.js';
import { webhookStep } from './messages.js';
import {
  apiKeyStep,
  changeRole,
  changeTicket,
  dataExportStep,
  drawDimensionIds,
  importStep,
  makeRole,
  makeTicket,
  memberStep,
  openOrganisation,
  savedViewStep,
} from './organisation.js';
import { SECRET, STAFF, World } from './world.js';

const HOUR = 3_600_000;

/** Plays actions as a service's handlers would. It has the ids of the records among which actions choose. */
export class Hiring {
  readonly world = new World();
  private readonly organisations: string[] = [];
  private readonly roles: string[] = [];
  private readonly tickets: string[] = [];
  private readonly persons = new Map<string, PersonId>();
  private readonly invitations: Invitation[] = [];

  perform(action: Action): void {
    this.world.pass(action.minutes * 60_000 + 1);
    this.once(action);
    if (action.twice) this.once(action);
  }

  private once(action: Action): void {
    const { world } = this;
    switch (action.name) {
      case 'organisation':
        if (this.organisations.length < 2)
          this.organisations.push(openOrganisation(world, `Org ${this.organisations.length + 1}`));
        return;
      case 'expireAll':
        for (const invitation of this.invitations) expireStep(world, invitation);
        return;
      case 'renameRole': {
        const roleId = among(this.roles, action.pick);
        if (roleId !== undefined) changeRole(world, roleId, action.value);
        return;
      }
      case 'invite':
        this.invite(action);
        return;
      case 'settings':
      case 'member':
      case 'signIn':
      case 'memberRole':
      case 'removeMember':
      case 'role':
      case 'ticket':
      case 'webhook':
      case 'apiKey':
      case 'savedView':
      case 'dataExport':
      case 'import': {
        const organisationId = among(this.organisations, action.pick);
        if (organisationId !== undefined) this.inOrganisation(action, organisationId);
        return;
      }
      default: {
        const invitation = among(this.invitations, action.pick);
        if (invitation) this.onApplication(action, invitation);
      }
    }
  }

  private inOrganisation(action: OrganisationAction, organisationId: string): void {
    const { world } = this;
    switch (action.name) {
      case 'role':
        // A role that is one too many draws its ids, too, so that the histories of known seeds stay as they are.
        if (this.roles.length >= 5) drawDimensionIds(world);
        else this.roles.push(makeRole(world, organisationId, action.value));
        return;
      case 'ticket': {
        const known = action.value % 2 === 1 ? among(this.tickets, action.pick) : undefined;
        if (known === undefined) this.tickets.push(makeTicket(world, organisationId, action.value));
        else changeTicket(world, known, action.value);
        return;
      }
      case 'webhook':
        webhookStep(world, organisationId, action.value);
        return;
      case 'apiKey':
        apiKeyStep(world, organisationId, action.value);
        return;
      case 'savedView':
        savedViewStep(world, organisationId, action.value);
        return;
      case 'dataExport':
        dataExportStep(world, organisationId, action.value);
        return;
      case 'import':
        importStep(world, organisationId, action.value);
        return;
      default:
        memberStep(world, organisationId, action);
    }
  }

  private invite(action: Extract<Action, { name: 'invite' }>): void {
    const { world } = this;
    const known = among(this.roles, action.pick);
    const invited = known && world.read(role, known);
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

  private onApplication(action: ApplicationAction | ErasureAction, invitation: Invitation): void {
    const { world } = this;
    if (action.name !== 'erase') {
      applicationStep(world, invitation, action);
      return;
    }
    const { candidateId } = invitation;
    for (const [key, person] of this.persons) if (person === candidateId) this.persons.delete(key);
    eraseStep(world, candidateId, action.reached);
  }

  private personOf(organisationId: string, email: string): PersonId {
    const key = `${organisationId} ${email}`;
    const person = this.persons.get(key) ?? (this.world.newId() as PersonId);
    this.persons.set(key, person);
    return person;
  }
}

const among = <T>(things: readonly T[], pick: number): T | undefined => things[pick % (things.length || 1)];
