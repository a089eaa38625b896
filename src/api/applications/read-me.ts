import { Controller, Get, Inject } from '@nestjs/common';
import { organisations } from '../../../projections/organisations.js';
import { CandidateApplications } from '../../application/applications/candidate-applications.js';
import type { Caller } from '../../application/caller.js';
import { StreamMemberships } from '../../application/organisations/memberships.js';
import { Reads } from '../../application/reads.js';
import { PUBLIC_URL } from '../../application/tokens.js';
import { Named, Nullable, type Static, Type, Uuid } from '../../core/json-schema.js';
import { INITIAL_SETTINGS } from '../../domain/organisation/events.js';
import { permissionsOf } from '../../domain/organisation/permissions.js';
import { CurrentCaller, SignedIn, MEMBER_ROLE, PERMISSION } from '../../http/access/access.decorator.js';
import { type Answer, ok } from '../../http/answer.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import { LogoRecord, logoRecord } from '../organisations/organisation.js';
import { APPLICATION_STATUS, ownApplicationRecord, partsOf, TRIAL_STATUS } from './record.js';

const Membership = Named('Membership', {
  organisationId: Uuid,
  organisationName: Type.String(),
  organisationLogo: Nullable(LogoRecord),
  timeZone: Type.String({ description: 'The organisation’s, in which mails and pages show time limits.' }),
  role: MEMBER_ROLE,
  permissions: Type.Array(PERMISSION),
});

const ApplicationSummary = Named('ApplicationSummary', {
  id: Uuid,
  organisationName: Type.String(),
  roleName: Type.String(),
  status: APPLICATION_STATUS,
  trialSessions: Type.Array(Named('TrialSessionSummary', { id: Uuid, status: TRIAL_STATUS })),
});

const Me = Named('Me', {
  subject: Type.String(),
  email: Nullable(Type.String()),
  emailVerified: Type.Boolean(),
  memberships: Type.Array(Membership),
  applications: Type.Array(ApplicationSummary),
});

const operations = {
  read: {
    id: 'me.read',
    tag: 'Identity',
    summary: 'Get the current user',
    links: {
      orgId: '/memberships/0/organisationId',
      applicationId: '/applications/0/id',
      trialSessionId: '/applications/0/trialSessions/0/id',
    },
    success: { status: 200, description: 'The caller, with memberships and applications.', schema: Me },
  },
} satisfies Operations;

/** The caller. A first sign-in binds the subject before the answer is made. */
@Controller('me')
export class MeController {
  constructor(
    private readonly reads: Reads,
    private readonly memberships: StreamMemberships,
    private readonly own: CandidateApplications,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  @Get()
  @SignedIn()
  @Operation(operations.read)
  async read(@Meta() meta: RequestMeta, @CurrentCaller() caller: Caller): Promise<Answer<Static<typeof Me>>> {
    if (!caller.candidateOnly) await this.memberships.signInEverywhere(caller);
    const own = await this.own.all(caller, meta);
    const current = caller.candidateOnly ? [] : await this.memberships.all(caller, meta);
    const ids = [...current, ...own.map(({ application }) => application.document)].map(
      ({ organisationId }) => organisationId,
    );
    const found = await this.reads.getMany(organisations, [...new Set(ids)], meta);
    const nameOf = (organisationId: string) => found.get(organisationId)?.document.name ?? '';
    return ok({
      subject: caller.subject,
      email: caller.email,
      emailVerified: caller.emailVerified,
      memberships: current.map(({ organisationId, role }) => ({
        organisationId,
        organisationName: nameOf(organisationId),
        organisationLogo: logoRecord(
          { organisationId, logo: found.get(organisationId)?.document.logo ?? null },
          this.publicUrl,
        ),
        timeZone: found.get(organisationId)?.document.timeZone ?? INITIAL_SETTINGS.timeZone,
        role,
        permissions: permissionsOf(role),
      })),
      applications: own.map(({ application }) => {
        const { id, roleName, status, trialSessions } = ownApplicationRecord(partsOf(application, null));
        return {
          id,
          organisationName: nameOf(application.document.organisationId),
          roleName,
          status,
          trialSessions: trialSessions.map((session) => ({ id: session.id, status: session.status })),
        };
      }),
    });
  }
}
