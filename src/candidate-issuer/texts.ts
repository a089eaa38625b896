import type { Language } from '../domain/candidate/events.js';

/** What the pages and the code's mail say, in one language. */
export interface Texts {
  readonly signIn: string;
  readonly askEmail: string;
  readonly email: string;
  readonly sendCode: string;
  readonly wrongEmail: string;
  readonly enterCode: string;
  /** The same whether the address is known or not. */
  readonly codeSent: (email: string, minutes: number) => string;
  readonly newCodeSent: string;
  readonly code: string;
  readonly again: string;
  readonly another: string;
  readonly noMail: string;
  readonly wrongForm: (digits: number) => string;
  readonly wrongCode: (triesLeft: number) => string;
  readonly codeOver: string;
  readonly tooManyCodes: (minutes: number) => string;
  readonly tooManyRequests: string;
  readonly failed: string;
  readonly ended: string;
  readonly away: string;
  readonly signOut: string;
  readonly askSignOut: string;
  readonly signedOut: string;
  readonly signedOutText: string;
  readonly mail: (
    code: string,
    minutes: number,
  ) => {
    readonly subject: string;
    readonly intro: string;
    readonly outro: string;
  };
}

const en: Texts = {
  signIn: 'Sign in',
  askEmail: 'Enter the e-mail address that your invitation was sent to. You will get a code by e-mail.',
  email: 'E-mail address',
  sendCode: 'Send me a code',
  wrongEmail: 'Enter an e-mail address, such as carol@example.org.',
  enterCode: 'Enter the code',
  codeSent: (email, minutes) =>
    `If ${email} was invited, a code is on its way to it. It is valid for ${minutes} minutes.`,
  newCodeSent: 'A new code is on its way. Only the newest code is valid.',
  code: 'Code from the e-mail',
  again: 'Send a new code',
  another: 'Use another address',
  noMail: 'No e-mail? Look into your spam folder, and check that the address is the invited one.',
  wrongForm: (digits) => `Enter the ${digits} digits from the e-mail.`,
  wrongCode: (triesLeft) => `That code is not right. ${triesLeft} ${triesLeft === 1 ? 'try' : 'tries'} left.`,
  codeOver: 'That code is not valid any more. Ask for a new one.',
  tooManyCodes: (minutes) =>
    `Too many codes were asked for with this address. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
  tooManyRequests: 'Too many requests came from your network. Wait a minute, then try again.',
  failed: 'This sign-in cannot go on',
  ended: 'It has ended, or was begun in another browser. Open the link of your invitation again.',
  away: 'Sign-in is not available at the moment. Try again in a minute.',
  signOut: 'Sign out',
  askSignOut: 'Nobody else can go on with this browser afterwards without a new code.',
  signedOut: 'You are signed out',
  signedOutText: 'To sign in again, open the link of your invitation.',
  mail: (code, minutes) => ({
    subject: `${code} is your sign-in code`,
    intro: `Enter this code on the page where you asked for it. It is valid for ${minutes} minutes and can be used once.`,
    outro:
      'Nobody will ask you for this code by phone or e-mail. If you did not ask for it, you need not do anything: without it nobody can sign in as you.',
  }),
};

const de: Texts = {
  signIn: 'Anmelden',
  askEmail:
    'Geben Sie die E-Mail-Adresse ein, an die Ihre Einladung ging. Sie erhalten einen Code per E-Mail.',
  email: 'E-Mail-Adresse',
  sendCode: 'Code anfordern',
  wrongEmail: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel carol@example.org.',
  enterCode: 'Code eingeben',
  codeSent: (email, minutes) =>
    `Wenn ${email} eingeladen wurde, ist ein Code dorthin unterwegs. Er gilt ${minutes} Minuten.`,
  newCodeSent: 'Ein neuer Code ist unterwegs. Nur der neueste Code gilt.',
  code: 'Code aus der E-Mail',
  again: 'Neuen Code anfordern',
  another: 'Andere Adresse verwenden',
  noMail: 'Keine E-Mail? Sehen Sie im Spam-Ordner nach und prüfen Sie, ob die Adresse die eingeladene ist.',
  wrongForm: (digits) => `Geben Sie die ${digits} Ziffern aus der E-Mail ein.`,
  wrongCode: (triesLeft) =>
    `Dieser Code ist nicht richtig. Noch ${triesLeft} ${triesLeft === 1 ? 'Versuch' : 'Versuche'}.`,
  codeOver: 'Dieser Code gilt nicht mehr. Fordern Sie einen neuen an.',
  tooManyCodes: (minutes) =>
    `Für diese Adresse wurden zu viele Codes angefordert. Versuchen Sie es in ${minutes === 1 ? 'einer Minute' : `${minutes} Minuten`} wieder.`,
  tooManyRequests:
    'Aus Ihrem Netz kamen zu viele Anfragen. Warten Sie eine Minute und versuchen Sie es dann wieder.',
  failed: 'Diese Anmeldung kann nicht fortgesetzt werden',
  ended:
    'Sie ist beendet oder wurde in einem anderen Browser begonnen. Öffnen Sie den Link Ihrer Einladung noch einmal.',
  away: 'Die Anmeldung ist gerade nicht möglich. Versuchen Sie es in einer Minute wieder.',
  signOut: 'Abmelden',
  askSignOut: 'Danach kann in diesem Browser niemand ohne einen neuen Code weitermachen.',
  signedOut: 'Sie sind abgemeldet',
  signedOutText: 'Um sich wieder anzumelden, öffnen Sie den Link Ihrer Einladung.',
  mail: (code, minutes) => ({
    subject: `${code} ist Ihr Anmeldecode`,
    intro: `Geben Sie diesen Code auf der Seite ein, auf der Sie ihn angefordert haben. Er gilt ${minutes} Minuten und nur einmal.`,
    outro:
      'Niemand wird Sie am Telefon oder per E-Mail nach diesem Code fragen. Wenn Sie ihn nicht angefordert haben, müssen Sie nichts tun: Ohne ihn kann sich niemand als Sie anmelden.',
  }),
};

export const TEXTS: Readonly<Record<Language, Texts>> = { en, de };
