import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { CommandStreams } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import type { Invitation } from '../../domain/candidate/events.js';
import { organisation } from '../../domain/organisation/decider.js';
import type { RoleNotice } from '../../domain/role/events.js';
import {
  INTERVIEW_WORDS,
  interviewLanguage,
  type InterviewWords,
  type Language,
  MAIL_TEXTS,
  NOTICE_TEXTS,
} from '../../languages/languages.js';
import { paragraphs, type Participants, type Practice } from '../../languages/en/shapes.js';

/** Injection token of the `Participants` that a generated notice tells of. */
export const PARTICIPANTS = Symbol('Participants');

/** What candidates are told before they consent: by their role, or generated from the configuration. */
@Injectable()
export class Notices {
  constructor(
    private readonly streams: CommandStreams,
    @Inject(PARTICIPANTS) private readonly participants: Participants,
  ) {}

  /** The notice that holds now for an invitation. */
  async of(invitation: Invitation): Promise<RoleNotice> {
    if (invitation.role.notice) return invitation.role.notice;
    const { organisationId, role } = invitation;
    const stream = streamName('organisation', organisationId);
    const { state } = await this.streams.read(organisation, stream);
    if (state === null) throw new Error('The organisation of an invitation has no stream.');
    const practice = { organisation: state, roleName: role.name, participants: this.participants };
    return defaultNotice(practice, invitation.language);
  }
}

/** A notice whose version names its text: any change of the practice is another version. */
export const defaultNotice = (
  practice: Practice,
  language: Language,
  words: InterviewWords = INTERVIEW_WORDS,
): RoleNotice => {
  const isOther = interviewLanguage(language, words) !== language;
  const text = paragraphs(
    NOTICE_TEXTS[language](practice),
    isOther ? MAIL_TEXTS[language].interviewInEnglish : null,
  );
  const digest = createHash('sha256').update(text).digest('hex');
  return { version: `default-${digest.slice(0, 12)}`, text };
};
