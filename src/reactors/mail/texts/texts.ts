/** What mails about an application say of it. */
export interface MailInput {
  readonly organisationName: string;
  readonly roleName: string;
  /** `null`: unknown. */
  readonly candidateName: string | null;
  /** Where the candidate goes on. It signs nobody in. */
  readonly link: string;
  /** RFC 3339. */
  readonly expiresAt: string;
}

/** A mail in words: each paragraph is plain text. */
export interface Letter {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** What the link is called; `null`: the mail has none. */
  readonly button: string | null;
}

/** All that is written to candidates, in one language. */
export interface MailTexts {
  readonly invitation: (input: MailInput) => Letter;
  readonly reminder: (input: MailInput) => Letter;
  readonly extension: (input: MailInput) => Letter;
  readonly receipt: (input: MailInput) => Letter;
  readonly cancellation: (input: MailInput) => Letter;
  readonly erasure: (input: Pick<MailInput, 'organisationName' | 'candidateName'>) => Letter;
  readonly greeting: (candidateName: string | null) => string;
  /** Who sends it, and why. */
  readonly footer: (organisationName: string) => string;
}

/** A time in words, with its time zone. */
export const timeIn = (locale: string): ((instant: string) => string) => {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' });
  return (instant) => `${format.format(new Date(instant))} UTC`;
};
