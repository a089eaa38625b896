import { Named, type Static, Type } from '../../core/json-schema.js';
import { ErrorDetailRecord } from '../../http/openapi/responses.js';
import { toApiError } from '../../http/to-api-error.js';
import { Schema } from '../../http/validation/fields.js';
import { Checked, Email, Instant, OneOf, Optional, Text, Uuid } from '../../http/validation/rules.js';
import type { Language } from '../../languages/languages.js';
import { ApplicationRecord, LANGUAGE } from './record.js';

/** UTF-16 units of a candidate's name, or of its id in another system. */
const MAX_NAME = 200;

@Schema('InviteCandidate')
export class InviteCandidateDto {
  @Email() candidateEmail!: string;
  @Optional() @Instant() expiresAt?: string;
  @Optional() @Text({ notBlank: true, maxLength: MAX_NAME, inMails: true }) candidateName?: string;
  @Optional() @Text({ notBlank: true, maxLength: MAX_NAME }) externalId?: string;
  @Optional() @OneOf(LANGUAGE) language?: Language;
  @Optional() @Uuid() retakeOf?: string;
}

/** Maximum number of invitations of one request. */
const MAX_INVITATIONS = 200;

const count = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** Each invitation is checked by itself, so that a wrong one does not prevent the others. */
@Schema('InviteCandidates')
export class InviteCandidatesDto {
  @Checked(
    Type.Array(
      Type.Unknown({
        description: 'As the body of one invitation, `InviteCandidate`: each is checked by itself.',
      }),
      { minItems: 1, maxItems: MAX_INVITATIONS },
    ),
    { name: 'array', holds: Array.isArray, sentence: '{path} must be a list.' },
    {
      name: 'minItems',
      holds: (value) => count(value) >= 1,
      sentence: '{path} must have at least 1 item.',
    },
    {
      name: 'maxItems',
      holds: (value) => count(value) <= MAX_INVITATIONS,
      sentence: `{path} must have at most ${MAX_INVITATIONS} items.`,
    },
  )
  invitations!: readonly unknown[];
}

/** The answer to one invitation of several: the same as if it had been sent alone. */
export type InvitationAnswer = Static<typeof InvitationAnswer>;
export const InvitationAnswer = Named('InvitationAnswer', {
  status: Type.Integer({ description: '201 with the application; else as an error has it.' }),
  application: Type.Optional(ApplicationRecord),
  error: Type.Optional(Type.String()),
  code: Type.Optional(Type.String()),
  details: Type.Optional(Type.Array(ErrorDetailRecord)),
});

export const InvitationAnswers = Named('InvitationAnswers', { items: Type.Array(InvitationAnswer) });

/** What a command takes of a body. */
export const inputOf = (body: InviteCandidateDto) => {
  const {
    candidateEmail: email,
    candidateName: name,
    externalId,
    language = 'en',
    expiresAt = null,
    retakeOf,
  } = body;
  const naming = { ...(name !== undefined && { name }), ...(externalId !== undefined && { externalId }) };
  return { email, naming, language, expiresAt, ...(retakeOf !== undefined && { retakeOf }) };
};

/**
 * The answer to an invitation that is refused.
 * @throws what concerns all invitations of the request: there is no such role, or the service is at fault
 */
export const refusedAs = (fault: unknown): InvitationAnswer => {
  const refused = toApiError(fault);
  if (refused.code === 'not_found' || refused.status >= 500) throw fault;
  const { status, message: error, code, details } = refused;
  return { status, error, code, ...(details && { details: [...details] }) };
};
