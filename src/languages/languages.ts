import { consoleTexts as germanConsole } from './de/console.js';
import { interview as germanInterview } from './de/interview.js';
import * as de from './de/messages.js';
import { page as germanPage } from './de/page.js';
import { roleTemplates as germanTemplates } from './de/role-templates.js';
import { spoken as spokenGerman } from './de/spoken.js';
import { consoleTexts as englishConsole, type ConsoleTexts } from './en/console.js';
import { interview as englishInterview } from './en/interview.js';
import * as en from './en/messages.js';
import { page as englishPage, type PageTexts } from './en/page.js';
import { roleTemplates as englishTemplates } from './en/role-templates.js';
import type {
  AiPolicyTexts,
  InterviewTexts,
  MailTexts,
  NoticeText,
  RoleTemplateTexts,
  SignInTexts,
  SpokenLanguage,
  UnloadedTexts,
} from './en/shapes.js';
import { spoken as spokenEnglish } from './en/spoken.js';

/**
 * The languages that candidates are written to and interviewed in. Each has a folder here with all its texts: another
 * one is a folder, its name in this list and in each record of texts.
 */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

// One record a kind of text: a bundle that needs the page's alone has no others.

/** The candidate's page. */
export const PAGE_TEXTS: Readonly<Record<Language, PageTexts>> = { en: englishPage, de: germanPage };
/** The staff's console. */
export const CONSOLE_TEXTS: Readonly<Record<Language, ConsoleTexts>> = {
  en: englishConsole,
  de: germanConsole,
};
/** The documents of both pages, until their script runs. */
export const UNLOADED_TEXTS: Readonly<Record<Language, UnloadedTexts>> = { en: en.unloaded, de: de.unloaded };
/** The pages of the sign-in, and the mail with its code. */
export const SIGN_IN_TEXTS: Readonly<Record<Language, SignInTexts>> = { en: en.signIn, de: de.signIn };
/** The mails to candidates. */
export const MAIL_TEXTS: Readonly<Record<Language, MailTexts>> = { en: en.mails, de: de.mails };
/** The notices of roles that have none of their own. */
export const NOTICE_TEXTS: Readonly<Record<Language, NoticeText>> = { en: en.notice, de: de.notice };

/** What staff can begin a role with. */
export const ROLE_TEMPLATE_TEXTS: Readonly<Record<Language, RoleTemplateTexts>> = {
  en: englishTemplates,
  de: germanTemplates,
};

/** What notices say of AI assistants. */
export const AI_POLICY_TEXTS: Readonly<Record<Language, AiPolicyTexts>> = {
  en: en.aiPolicies,
  de: de.aiPolicies,
};

/** If a browser prefers none of them. */
export const DEFAULT_LANGUAGE = 'en' satisfies Language;

/** The interviewer's words. A language may lack them: see `interviewLanguage`. */
export type InterviewWords = Readonly<Partial<Record<Language, InterviewTexts>>> & {
  readonly [DEFAULT_LANGUAGE]: InterviewTexts;
};
export const INTERVIEW_WORDS: InterviewWords = { en: englishInterview, de: germanInterview };

/** How candidates speak. */
export const SPOKEN: Readonly<Record<Language, SpokenLanguage>> = { en: spokenEnglish, de: spokenGerman };

/** The language of the interview for an invitation in that language: English if the interviewer has no words in it. */
export const interviewLanguage = (language: Language, words: InterviewWords = INTERVIEW_WORDS): Language =>
  words[language] === undefined ? DEFAULT_LANGUAGE : language;

/** The interviewer's words for an invitation in that language. */
export const interviewTexts = (language: Language): InterviewTexts =>
  INTERVIEW_WORDS[language] ?? INTERVIEW_WORDS[DEFAULT_LANGUAGE];

const MAX_TAGS = 20;

/**
 * The language of a page: what the client asks for (`ui_locales`), then what the browser prefers (`Accept-Language`),
 * then English.
 */
export const preferredLanguage = (uiLocales: unknown, accepted: string | undefined): Language =>
  firstKnown(typeof uiLocales === 'string' ? uiLocales.split(' ') : []) ??
  firstKnown(preferred(accepted ?? '')) ??
  DEFAULT_LANGUAGE;

/** The first of some tags that is known: `de-AT` is `de`. Only the first twenty are read. */
export const firstKnown = (tags: readonly (string | null | undefined)[]): Language | undefined => {
  for (const tag of tags.slice(0, MAX_TAGS)) {
    const found = LANGUAGES.find((language) => tag?.toLowerCase().split('-', 1)[0] === language);
    if (found) return found;
  }
  return undefined;
};

const preferred = (header: string): readonly string[] =>
  header
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
      const quality = parameters.find((one) => one.startsWith('q='))?.slice('q='.length) ?? '1';
      return { tag, quality: Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
