/** What mails about an application contain of it. */
export interface MailInput {
  readonly organisationName: string;
  readonly roleName: string;
  /** `null`: unknown. */
  readonly candidateName: string | null;
  /** The address of the next step. It does not sign the reader in. */
  readonly link: string;
  /** RFC 3339. */
  readonly expiresAt: string;
  /** The organisation's time zone. */
  readonly timeZone: string;
}

/** The text of a mail. Each paragraph is plain text. */
export interface Letter {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The label of the link; `null`: the mail has none. */
  readonly button: string | null;
}

/** What the documents of the pages show if their script does not run. */
export interface UnloadedTexts {
  /** The script did not load, or the browser is too old for it. */
  readonly text: string;
  readonly again: string;
  /** The browser runs no scripts. */
  readonly noScript: string;
}

/** The occasions of mails to a candidate about an application. They are stored. */
export const MAIL_KINDS = ['invitation', 'reminder', 'extension', 'receipt', 'cancellation'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** The mails to candidates. */
export interface MailTexts extends Readonly<Record<MailKind, (input: MailInput) => Letter>> {
  readonly erasure: (input: Pick<MailInput, 'organisationName' | 'candidateName'>) => Letter;
  /** @param candidateName `null`: the invitation named none, or it can no longer be read */
  readonly greeting: (candidateName: string | null) => string;
  /** For the invitation and the notice, if the interviewer has no texts in this language. */
  readonly interviewInEnglish: string;
  /** Who sends the mail, and why. */
  readonly footer: (organisationName: string) => string;
}

/** How long to wait, in words: `in 5 minutes`. From an hour and a half on, in hours by `hours`. */
export const waitIn = (locale: string, hours: (count: number) => string): ((seconds: number) => string) => {
  const format = new Intl.RelativeTimeFormat(locale);
  return (seconds) => {
    const minutes = Math.max(1, Math.ceil(seconds / 60));
    return minutes < 90 ? format.format(minutes, 'minute') : hours(Math.round(minutes / 60));
  };
};

/** A character in the form for a sentence: an invisible one as its code. */
export const shownSign = (sign: string): string =>
  /[\p{Z}\p{C}]/u.test(sign)
    ? `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    : `“${sign}”`;

/** The character that makes a text an invalid e-mail address. */
export interface EmailMistake {
  /** The character as it was written; a space for any kind of space. */
  readonly sign: string;
  /** `remove`: the sign is not allowed there. `at`: it is in place of the `@`. `missing`: there is no `@`. */
  readonly fault: 'remove' | 'at' | 'missing';
  /** The text before the character, from the last punctuation mark on; empty at the beginning. */
  readonly after: string;
}

/** The texts of the sign-in's pages and of the mail with the code, in one language. */
export interface SignInTexts {
  readonly signIn: string;
  readonly askEmail: string;
  readonly email: string;
  readonly sendCode: string;
  readonly wrongEmail: string;
  /** Which character of an address is wrong. Also in the API's errors about bodies. */
  readonly wrongSign: (mistake: EmailMistake) => string;
  readonly enterCode: string;
  /** Must be the same for known and unknown addresses. */
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
  /** The title of `ended` and of `device.ended`: a sign-in that succeeded has ended too. */
  readonly over: string;
  readonly ended: string;
  readonly unavailable: string;
  readonly signOut: string;
  readonly askSignOut: string;
  readonly notSignOut: string;
  readonly signedOut: string;
  readonly signedOutText: string;
  /** For the sign-in of a program by the code that it shows. */
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
    /** Warns not to confirm another person's code. */
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

/** The programs and models that take part in an assessment. A default notice depends on them. */
export interface Participants {
  readonly interviewer: { readonly kind: 'scripted' | 'openai' };
  readonly scorer: { readonly kind: 'rubric' | 'openai' };
  readonly transcriber: { readonly kind: 'browser' | 'command' | 'openai' };
  readonly synthesiser: { readonly kind: 'browser' | 'command' | 'openai' };
  readonly detector: { readonly kind: 'none' | 'command' };
  readonly checker:
    | { readonly kind: 'none' }
    /** @property isolations the isolations that it supports for a ticket's checks */
    | { readonly kind: 'command'; readonly isolations: readonly ('separate' | 'shared')[] };
}

/** A role's policy about AI assistants: forbidden, allowed, or only the provided one is allowed. */
export const AI_POLICIES = ['forbidden', 'allowed', 'provided'] as const;
export type AiPolicy = (typeof AI_POLICIES)[number];

/** A notice's paragraph about each AI policy, in Markdown. @param who the organisation */
export type AiPolicyTexts = Readonly<Record<AiPolicy, (who: string) => string>>;

/** What a default notice depends on. */
export interface Practice {
  readonly organisation: {
    readonly name: string;
    readonly recordAudio: boolean;
    /** `null`: no time is set, and what is recorded stays until it is erased. */
    readonly retentionDays: number | null;
  };
  readonly roleName: string;
  readonly participants: Participants;
}

/** A notice in Markdown. */
export type NoticeText = (practice: Practice) => string;

/**
 * A question about one of a role's dimensions. Its name is passed as a title: quoted, and with the end of a sentence.
 */
export interface TopicWording {
  readonly ask: (title: string) => string;
  /** The question in other words, for the first and the second clarification. */
  readonly again: readonly [(title: string) => string, (title: string) => string];
}

/**
 * The scripted interviewer's words. They are spoken: use short sentences, no symbols, and no quotation of an answer. A
 * name that staff wrote may be a word or a whole question: use it as a title, apart from the sentence's grammar.
 */
export interface InterviewTexts {
  /** For a model's instructions: the language in which it speaks, and how. */
  readonly manner: string;
  /** A name in quotation marks. */
  readonly quote: (name: string) => string;
  /** Spoken instead of `&` and `/` in names. */
  readonly and: string;
  readonly or: string;
  /** Before the first question. @param role the role's name in quotation marks; empty: it cannot be spoken */
  readonly greeting: (role: string) => string;
  /** By the category of a dimension, used in turn. */
  readonly topics: Readonly<Record<'process' | 'correctness' | 'other', readonly TopicWording[]>>;
  /** A topic whose name cannot be spoken. */
  readonly unnamedTopic: string;
  /** The question for a role without questions and dimensions; `generalAgain` is the same in other words. */
  readonly general: string;
  readonly generalAgain: readonly [string, string];
  /** Repeats a role's own question, whose words must not change. */
  readonly ownAgain: readonly [(text: string) => string, (text: string) => string];
  /** Before a question that is repeated after its follow-up. */
  readonly afterFollowUp: readonly [string, string];
  /** Follow-ups for the first and for the second time, each used in turn. */
  readonly followUps: Readonly<Record<'short' | 'vague', readonly [readonly string[], readonly string[]]>>;
  /** @param hurried the time is nearly over */
  readonly closing: (hurried: boolean) => string;
  readonly closingAgain: readonly [string, string];
}

/** A name as text of a notice, with Markdown escaped. */
export const quoted = (name: string): string =>
  name.replace(/\s+/gu, ' ').replace(/[\\`*_[\]<>#|~!&]/gu, '\\$&');

/** Joins the parts of a notice; `null`: left out. */
export const paragraphs = (...parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null).join('\n\n');

/**
 * How candidates speak in a language. Requests are patterns for the beginning of a part of a sentence, in lower case,
 * without accents (`ö` is `o`, also `oe`), quotation marks and symbols. A text that asks again consists only of them.
 */
export interface SpokenLanguage {
  /** Requests to repeat or explain. */
  readonly requests: readonly string[];
  /** Requests if only politeness is around them: sorry, what. */
  readonly exclamations: readonly string[];
  /** Around requests. */
  readonly politeness: readonly string[];
  /** Words around requests that are also answers by themselves: I don't know. */
  readonly doubts: readonly string[];
  /** Signs of a number, a reason, an example, an order or something that was done. */
  readonly concrete: readonly RegExp[];
  /** Common words, by which the language is detected. */
  readonly common: RegExp;
  /** Whether words with a capital within a sentence are names. In German they are nouns. */
  readonly capitalsAreNames: boolean;
  /** Number of letters from which a word counts as two. Smaller in languages that join words. */
  readonly longWord: number;
}

/** A pattern for any of the patterns. */
export const anyOf = (...patterns: readonly string[]): string => `(?:${patterns.join('|')})`;

/** A pattern for a number of words of which none begins another thought. @param stops a pattern for words that do */
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
  /** The dimension for whether the work does what it should. */
  readonly correctness: { readonly name: string; readonly rubric: string };
  /** The dimension for how the candidate proceeded. */
  readonly process: { readonly name: string; readonly rubric: string };
  readonly questions: readonly { readonly text: string; readonly about: 'correctness' | 'process' }[];
  /** The ticket that candidates work on. The description is Markdown. */
  readonly ticket: { readonly title: string; readonly description: string };
}

/** The templates of roles that the service has. */
export const ROLE_TEMPLATES = ['backend', 'frontend', 'data', 'support'] as const;
export type RoleTemplateId = (typeof ROLE_TEMPLATES)[number];
export type RoleTemplateTexts = Readonly<Record<RoleTemplateId, RoleTemplateText>>;
