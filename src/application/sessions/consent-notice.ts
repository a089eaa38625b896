import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { CommandStreams } from '../../core/handle.js';
import type { Invitation } from '../../domain/candidate/events.js';
import { organisation } from '../../domain/organisation/decider.js';
import { DEFINITION_LIMITS, type RoleNotice } from '../../domain/role/events.js';
import type { HeldNotice } from '../../domain/session/decider.js';
import { paragraphs, type Participants, type Practice } from '../../languages/en/shapes.js';
import {
  AI_POLICY_TEXTS,
  INTERVIEW_WORDS,
  interviewLanguage,
  type InterviewWords,
  type Language,
  MAIL_TEXTS,
  NOTICE_TEXTS,
} from '../../languages/languages.js';

/** Injection token of the `Participants` that a generated notice names. */
export const PARTICIPANTS = Symbol('Participants');

/** What a notice depends on: the terms of an invitation, or a role with a language. */
export type NoticeTerms = Pick<Invitation, 'organisationId' | 'language'> & {
  readonly role: Pick<Invitation['role'], 'name' | 'notice' | 'aiPolicy'>;
};

/** The notices that candidates read before they consent: their role's own, or generated from the configuration. */
@Injectable()
export class ConsentNotices {
  constructor(
    private readonly streams: CommandStreams,
    @Inject(PARTICIPANTS) private readonly participants: Participants,
  ) {}

  /** The notice that a candidate on these terms is shown now. */
  async noticeOf(terms: NoticeTerms): Promise<RoleNotice> {
    return (await this.currentOf(terms)).current;
  }

  /**
   * As `noticeOf`, with whether it allows to compare work that is handed in and to show it to a model. A role's own notice
   * is never parsed: it counts as allowing neither.
   */
  async currentOf({ organisationId, role, language }: NoticeTerms): Promise<HeldNotice> {
    const { state } = await this.streams.read(organisation, organisationId);
    if (state === null) throw new Error('The organisation of an invitation has no stream.');
    const policy = role.aiPolicy ? AI_POLICY_TEXTS[language][role.aiPolicy](state.name) : null;
    const { notice } = role;
    if (notice) return { current: ownNotice(notice, policy), comparesWork: false, modelReadsWork: false };
    const practice = { organisation: state, roleName: role.name, participants: this.participants };
    return {
      current: defaultNotice(practice, language, policy),
      comparesWork: true,
      modelReadsWork: this.participants.scorer.kind === 'openai',
    };
  }
}

/**
 * A role's own notice, as a candidate reads it. The service's words of the policy name the organisation and may change:
 * with them, the version names the whole text.
 */
export const ownNotice = (notice: RoleNotice, policy: string | null): RoleNotice => {
  if (policy === null) return notice;
  const text = paragraphs(notice.text, policy);
  const suffix = `+${digestOf(`${notice.version}\n${text}`)}`;
  const version = notice.version.slice(0, DEFINITION_LIMITS.noticeVersion - suffix.length);
  return { version: `${version.replace(/[\uD800-\uDBFF]$/, '')}${suffix}`, text };
};

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/**
 * A notice whose version names its text: any change of the practice is another version.
 * @param policy what it says of AI assistants, if the role says anything
 */
export const defaultNotice = (
  practice: Practice,
  language: Language,
  policy: string | null = null,
  words: InterviewWords = INTERVIEW_WORDS,
): RoleNotice => {
  const isOther = interviewLanguage(language, words) !== language;
  const text = paragraphs(
    NOTICE_TEXTS[language](practice),
    policy,
    isOther ? MAIL_TEXTS[language].interviewInEnglish : null,
  );
  return { version: `default-${digestOf(text)}`, text };
};
