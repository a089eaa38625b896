/** What mails about an application say of it. */
export interface MailInput {
  readonly organisationName: string;
  readonly roleName: string;
  /** `null`: unknown. */
  readonly candidateName: string | null;
  /** The address of the next step. It does not sign the reader in. */
  readonly link: string;
  /** RFC 3339. */
  readonly expiresAt: string;
  /** The organisation's. */
  readonly timeZone: string;
}

/** A mail in words: each paragraph is plain text. */
export interface Letter {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** What the link is called; `null`: the mail has none. */
  readonly button: string | null;
}

/** The occasions of mails to a candidate about an application. They are stored. */
export const MAIL_KINDS = ['invitation', 'reminder', 'extension', 'receipt', 'cancellation'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** The mails to candidates. */
export interface MailTexts extends Readonly<Record<MailKind, (input: MailInput) => Letter>> {
  readonly erasure: (input: Pick<MailInput, 'organisationName' | 'candidateName'>) => Letter;
  readonly greeting: (candidateName: string | null) => string;
  /** Of the invitation and the notice, if the interviewer has no words in this language. */
  readonly interviewInEnglish: string;
  /** Who sends it, and why. */
  readonly footer: (organisationName: string) => string;
}

/** How long to wait, in words: `in 5 minutes`. From an hour and a half on in hours, by `hours`. */
export const waitIn = (locale: string, hours: (count: number) => string): ((seconds: number) => string) => {
  const format = new Intl.RelativeTimeFormat(locale);
  return (seconds) => {
    const minutes = Math.max(1, Math.ceil(seconds / 60));
    return minutes < 90 ? format.format(minutes, 'minute') : hours(Math.round(minutes / 60));
  };
};

/** A sign as a sentence shows it: one that is not seen by its number. */
export const shownSign = (sign: string): string =>
  /[\p{Z}\p{C}]/u.test(sign)
    ? `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    : `“${sign}”`;

/** Why a text is no e-mail address, as far as one sign of it is to blame. */
export interface EmailMistake {
  /** As it was written, but a space for any kind of space. */
  readonly sign: string;
  /** `remove`: the sign is not allowed there. `at`: it is in place of the `@`. `missing`: there is no `@`. */
  readonly fault: 'remove' | 'at' | 'missing';
  /** What is before the sign, up to the last mark; empty at the beginning. */
  readonly after: string;
}

/** What the pages and the code's mail say, in one language. */
export interface SignInTexts {
  readonly signIn: string;
  readonly askEmail: string;
  readonly email: string;
  readonly sendCode: string;
  readonly wrongEmail: string;
  /** Which sign of an address is wrong. Also what the API's bodies are answered with. */
  readonly wrongSign: (mistake: EmailMistake) => string;
  readonly enterCode: string;
  /** The same whether the address is known or not. */
  readonly codeSent: (email: string, minutes: number) => string;
  readonly newCodeSent: string;
  readonly code: string;
  readonly again: string;
  readonly another: string;
  readonly noMail: string;
  /** In development, where no mail is sent. */
  readonly notSent: string;
  readonly outbox: string;
  readonly wrongForm: (digits: number) => string;
  readonly wrongCode: (triesLeft: number) => string;
  readonly codeOver: string;
  readonly tooManyCodes: (seconds: number) => string;
  readonly tooManyRequests: (seconds: number) => string;
  readonly codeUsed: string;
  readonly codeUsedText: string;
  readonly goOn: string;
  readonly tryAgain: string;
  readonly toAssessment: string;
  readonly failed: string;
  readonly ended: string;
  readonly away: string;
  readonly signOut: string;
  readonly askSignOut: string;
  readonly notSignOut: string;
  readonly signedOut: string;
  readonly signedOutText: string;
  /** Of the sign-in of a program by the code that it shows. */
  readonly device: {
    readonly title: string;
    readonly ask: string;
    readonly code: string;
    readonly wrong: string;
    readonly over: string;
    readonly ended: string;
    readonly confirmTitle: string;
    readonly asks: (program: string, email: string) => string;
    readonly shows: string;
    /** That a code of somebody else must not be confirmed. */
    readonly onlyOwn: string;
    readonly yes: string;
    readonly no: string;
    readonly signedIn: string;
    readonly signedInText: string;
    readonly denied: string;
    readonly deniedText: string;
  };
  readonly mail: (
    code: string,
    minutes: number,
  ) => {
    readonly subject: string;
    readonly intro: string;
    readonly outro: string;
  };
}

/** What takes part in an assessment: a default notice depends on it. */
export interface Participants {
  readonly interviewer: { readonly kind: 'scripted' | 'openai' };
  readonly scorer: { readonly kind: 'rubric' | 'openai' };
  readonly transcriber: { readonly kind: 'browser' | 'command' | 'openai' };
  readonly synthesiser: { readonly kind: 'browser' | 'command' | 'openai' };
  readonly detector: { readonly kind: 'none' | 'command' };
  readonly checker:
    | { readonly kind: 'none' }
    /** @property isolations what it can do for a ticket's checks */
    | { readonly kind: 'command'; readonly isolations: readonly ('separate' | 'shared')[] };
}

/** What a role says of AI assistants: their use is forbidden, allowed, or allowed of the provided one alone. */
export const AI_POLICIES = ['forbidden', 'allowed', 'provided'] as const;
export type AiPolicy = (typeof AI_POLICIES)[number];

/** What a notice says of an AI policy, in Markdown. @param who the organisation */
export type AiPolicyTexts = Readonly<Record<AiPolicy, (who: string) => string>>;

/** What a default notice depends on. */
export interface Practice {
  readonly organisation: {
    readonly name: string;
    readonly recordAudio: boolean;
    readonly retentionDays: number | null;
  };
  readonly roleName: string;
  readonly participants: Participants;
}

/** A notice in Markdown. */
export type NoticeText = (practice: Practice) => string;

/** A question about one of a role's dimensions. Each name comes as a title: quoted, and with the end of a sentence. */
export interface TopicWording {
  readonly ask: (title: string) => string;
  /** The same in other words, for the first and the second time that it is asked for. */
  readonly again: readonly [(title: string) => string, (title: string) => string];
}

/**
 * The scripted interviewer's words. They are spoken: use short sentences, no symbols, and no quotation of an answer. A
 * name that staff wrote may be a word or a whole question: use it as a title, apart from the sentence's grammar.
 */
export interface InterviewTexts {
  /** For a model's instructions: the language that it speaks, and how. */
  readonly manner: string;
  /** A name in quotation marks. */
  readonly quote: (name: string) => string;
  /** What is said for `&` and `/` in names. */
  readonly and: string;
  readonly or: string;
  /** Before the first question. @param role the role's name in quotation marks; empty: it has none that can be said */
  readonly greeting: (role: string) => string;
  /** By the category of a dimension, used in turn. */
  readonly topics: Readonly<Record<'process' | 'correctness' | 'other', readonly TopicWording[]>>;
  /** A topic whose name cannot be said. */
  readonly unnamedTopic: string;
  /** Where a role has nothing to ask about, and the same in other words. */
  readonly general: string;
  readonly generalAgain: readonly [string, string];
  /** A role's own question again: its words are not ours to change. */
  readonly ownAgain: readonly [(text: string) => string, (text: string) => string];
  /** Before a question that is said again after it was asked about further. */
  readonly afterFollowUp: readonly [string, string];
  /** Asks for more, first and second time, used in turn. */
  readonly followUps: Readonly<Record<'short' | 'vague', readonly [readonly string[], readonly string[]]>>;
  /** @param hurried the time is nearly over */
  readonly closing: (hurried: boolean) => string;
  readonly closingAgain: readonly [string, string];
}

/** A name as text of a notice: what would be markup in it is escaped. */
export const quoted = (name: string): string =>
  name.replace(/\s+/gu, ' ').replace(/[\\`*_[\]<>#|~!&]/gu, '\\$&');

/** The parts of a notice, but those that are left out. */
export const paragraphs = (...parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null).join('\n\n');

/**
 * How candidates speak in a language. Requests are patterns of what a part of a sentence begins with, in lower case,
 * without accents (`ö` is `o`, also `oe`), quotation marks and symbols; all of a text that asks again is made of them.
 */
export interface SpokenLanguage {
  /** They ask to repeat or explain. */
  readonly requests: readonly string[];
  /** They ask so where nothing but politeness is around them: sorry, what. */
  readonly exclamations: readonly string[];
  /** Around requests. */
  readonly politeness: readonly string[];
  /** Around requests, and answers of their own: I don't know. */
  readonly doubts: readonly string[];
  /** What names a number, a reason, an example, an order or something that was done. */
  readonly concrete: readonly RegExp[];
  /** Common words, by which the language is detected. */
  readonly common: RegExp;
  /** Capitals within a sentence are names; in German they are nouns. */
  readonly capitalsAreNames: boolean;
  /** Letters from which a word counts as two: languages that join words use fewer. */
  readonly longWord: number;
}

/** One of the patterns. */
export const anyOf = (...patterns: readonly string[]): string => `(?:${patterns.join('|')})`;

/** Up to so many words, none of which begins another thought. @param stops a pattern of those that do */
export const wordsBut =
  (stops: string) =>
  (min: number, max: number): string =>
    `(?: (?!${stops}(?: |$))[\\p{L}\\p{N}']+){${min},${max}}`;

/** The words of a role’s template. */
export interface RoleTemplateText {
  readonly name: string;
  /** For staff: what the role is for. */
  readonly description: string;
  readonly instructions: string;
  /** Of whether the work does what it should. */
  readonly correctness: { readonly name: string; readonly rubric: string };
  /** Of how the candidate went about it. */
  readonly process: { readonly name: string; readonly rubric: string };
  readonly questions: readonly { readonly text: string; readonly about: 'correctness' | 'process' }[];
  /** Of the ticket that candidates work on; the description is Markdown. */
  readonly ticket: { readonly title: string; readonly description: string };
}

/** The templates of roles that ship. */
export const ROLE_TEMPLATES = ['backend', 'frontend', 'data', 'support'] as const;
export type RoleTemplateId = (typeof ROLE_TEMPLATES)[number];
export type RoleTemplateTexts = Readonly<Record<RoleTemplateId, RoleTemplateText>>;
