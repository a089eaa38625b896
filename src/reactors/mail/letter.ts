import { logoPath } from '../../application/organisations/logos.js';
import { harmlessName } from '../../core/names.js';
import type { Organisation } from '../../domain/organisation/decider.js';
import type { Logo, OrganisationSettings } from '../../domain/organisation/events.js';
import { fitted } from '../../domain/organisation/logo.js';
import { type Html, html, htmlDocument } from '../../http/page.js';
import type { Letter, MailInput, MailKind } from '../../languages/en/shapes.js';
import {
  INTERVIEW_WORDS,
  interviewLanguage,
  type InterviewWords,
  type Language,
  MAIL_TEXTS,
} from '../../languages/languages.js';

/** The sender's name in an organisation's mails. */
export const senderOf = ({ name, senderName }: Pick<OrganisationSettings, 'name' | 'senderName'>): string =>
  harmlessName(senderName ?? name);

/** What a mail is made from. */
export interface LetterInput extends MailInput {
  /** The organisation's logo, with its public address. Default: none. */
  readonly logo?: (Pick<Logo, 'width' | 'height'> & { readonly url: string }) | null;
}

/** An organisation's logo for its mails. @param publicUrl the service's URL, without a slash at its end */
export const logoFor = (
  { organisationId, logo }: Pick<Organisation, 'organisationId' | 'logo'>,
  publicUrl: string,
): NonNullable<LetterInput['logo']> | null =>
  logo && { ...logo, url: `${publicUrl}${logoPath(organisationId, logo)}` };

/** The content of a mail, without its recipient. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Makes a mail, as text and as HTML. The HTML has no scripts and no tracking: its only picture is the logo.
 * @param words the interviewer's texts: they decide in which language the interview is held
 */
export const mailText = (
  kind: MailKind,
  language: Language,
  input: LetterInput,
  words: InterviewWords = INTERVIEW_WORDS,
): MailText => {
  const line = withHarmlessNames(input);
  const letter = MAIL_TEXTS[language][kind](line);
  // The invitation mentions if the interview is in another language.
  const isOther = kind === 'invitation' && interviewLanguage(language, words) !== language;
  const more = isOther ? [MAIL_TEXTS[language].interviewInEnglish] : [];
  return layOut(language, { ...letter, paragraphs: [...letter.paragraphs, ...more] }, line);
};

/** Makes the mail about an erasure, before the erasure, while the names can be read. */
export const erasureText = (
  language: Language,
  input: Pick<LetterInput, 'organisationName' | 'candidateName' | 'logo'>,
): MailText => {
  const line = withHarmlessNames({ ...input, roleName: '', link: '', expiresAt: '', timeZone: '' });
  return layOut(language, MAIL_TEXTS[language].erasure(line), line);
};

/** Names come from users: puts them in one line, and keeps mail programs from making links of them. */
const withHarmlessNames = (input: LetterInput): LetterInput => ({
  ...input,
  organisationName: harmlessName(input.organisationName),
  roleName: harmlessName(input.roleName),
  candidateName: input.candidateName === null ? null : harmlessName(input.candidateName) || null,
});

/** Lays a letter out as text and as HTML. */
const layOut = (
  language: Language,
  { subject, paragraphs, button }: Letter,
  { organisationName, candidateName, link, logo }: LetterInput,
): MailText => {
  const { greeting, footer } = MAIL_TEXTS[language];
  const words = [greeting(candidateName), ...paragraphs];
  const end = footer(organisationName);
  return {
    subject,
    text: `${[...words, ...(button === null ? [] : [`${button}: ${link}`]), `-- \n${end}`].join('\n\n')}\n`,
    html: htmlDocument(
      subject,
      html`<meta name="color-scheme" content="light dark">`,
      html`<div style="${PAGE}">
${logo ? picture(logo, organisationName) : ''}${words.map((paragraph) => html`<p style="${PARAGRAPH}">${paragraph}</p>\n`)}
${button === null ? '' : html`<p style="${PARAGRAPH}"><a style="${BUTTON}" href="${link}">${button}</a></p>\n<p style="${SMALL}">${link}</p>`}
<hr style="${RULE}">
<p style="${SMALL}">${end}</p>
</div>`,
      language,
    ),
  };
};

/** The logo on a light background, also in dark mode. Programs that block pictures show the name. */
const picture = ({ url, ...logo }: NonNullable<LetterInput['logo']>, name: string): Html => {
  const { width, height } = fitted(logo, { width: 240, height: 40 });
  return html`<p style="${PARAGRAPH}"><img src="${url}" alt="${name}" width="${width}" height="${height}" style="${LOGO}"></p>\n`;
};

// Mail programs apply only styles in an element's own `style` attribute.
const PAGE =
  'max-width:34rem;margin:0 auto;padding:1.5rem 1rem;font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,sans-serif;overflow-wrap:anywhere';
const PARAGRAPH = 'margin:0 0 1rem';
const BUTTON =
  'display:inline-block;padding:.7rem 1.2rem;border-radius:.5rem;background:#1f4fa3;color:#ffffff;font-weight:600;text-decoration:none';
const LOGO = 'padding:8px;border-radius:8px;background:#ffffff;color:#1d2433;font-weight:600';
const SMALL = 'margin:0 0 1rem;font-size:13px;opacity:.75';
const RULE = 'margin:1.5rem 0 1rem;border:0;border-top:1px solid #8a94a6';
