import {
  type MailTexts,
  type NoticeText,
  paragraphs,
  quoted,
  shownSign,
  type SignInTexts,
  timeIn,
  waitIn,
} from '../en/shapes.js';

const time = timeIn('de-DE');
const wait = waitIn('de-DE', (hours) => `in etwa ${hours} Stunden`);

/** The mails to candidates. */
export const mails: MailTexts = {
  greeting: (name) => (name === null ? 'Guten Tag,' : `Guten Tag ${name},`),
  interviewInEnglish: 'Das Interview wird auf Englisch geführt.',
  invitation: ({ organisationName, roleName, expiresAt }) => ({
    subject: `Ihre Einladung von ${organisationName}: ${roleName}`,
    paragraphs: [
      `${organisationName} lädt Sie zu einem Auswahlverfahren für die Stelle „${roleName}“ ein.`,
      'Der Link führt zu einer Seite, auf der steht, was Sie erwartet, was aufgezeichnet wird und wer es sieht. Dort entscheiden Sie, ob Sie teilnehmen.',
      `Sie können jederzeit beginnen, bis ${time(expiresAt)}.`,
    ],
    button: 'Einladung öffnen',
  }),
  reminder: ({ organisationName, roleName, expiresAt }) => ({
    subject: `Offen bis ${time(expiresAt)}: ${roleName}`,
    paragraphs: [
      `Ihr Auswahlverfahren für die Stelle „${roleName}“ bei ${organisationName} ist noch offen.`,
      `Es endet am ${time(expiresAt)}. Danach können Sie nicht mehr teilnehmen.`,
      'Wenn Sie nicht teilnehmen möchten, brauchen Sie nichts zu tun.',
    ],
    button: 'Zum Auswahlverfahren',
  }),
  extension: ({ organisationName, roleName, expiresAt }) => ({
    subject: `Neue Frist für Ihr Auswahlverfahren: ${roleName}`,
    paragraphs: [
      `${organisationName} hat die Frist Ihres Auswahlverfahrens für die Stelle „${roleName}“ geändert.`,
      `Sie haben jetzt Zeit bis ${time(expiresAt)}.`,
    ],
    button: 'Zum Auswahlverfahren',
  }),
  receipt: ({ organisationName, roleName }) => ({
    subject: `Eingegangen: Ihr Auswahlverfahren für ${roleName}`,
    paragraphs: [
      `Ihr Auswahlverfahren für die Stelle „${roleName}“ ist abgeschlossen. ${organisationName} hat es erhalten.`,
      'Wie es weitergeht, entscheiden Menschen dort und teilen es Ihnen mit. Über den Link sehen Sie, was über Sie gespeichert ist.',
    ],
    button: 'Gespeichertes ansehen',
  }),
  cancellation: ({ organisationName, roleName }) => ({
    subject: `Ihr Auswahlverfahren für ${roleName} wurde abgesagt`,
    paragraphs: [
      `${organisationName} hat Ihr Auswahlverfahren für die Stelle „${roleName}“ abgesagt. Sie brauchen nichts zu tun.`,
      `Fragen dazu beantwortet ${organisationName}.`,
    ],
    button: null,
  }),
  erasure: ({ organisationName }) => ({
    subject: `Ihre Daten bei ${organisationName} wurden gelöscht`,
    paragraphs: [
      `Was hier für ${organisationName} über Sie gespeichert war, wurde endgültig gelöscht.`,
      'Auch Ihre E-Mail-Adresse wurde gelöscht: Dies ist die letzte Nachricht dazu.',
    ],
    button: null,
  }),
  footer: (organisationName) =>
    `Diese Nachricht wurde automatisch für ${organisationName} gesendet, weil diese Adresse zu einem Auswahlverfahren eingeladen wurde. Wenn Sie sie nicht erwartet haben, können Sie sie ignorieren.`,
};

/** The notice of a role that has none of its own. */
export const notice: NoticeText = ({
  organisation: { name, recordAudio, retentionDays },
  roleName,
  participants,
}) => {
  const who = quoted(name);
  const { interviewer, scorer, transcriber, synthesiser, detector } = participants;
  return paragraphs(
    `**Wer fragt.** ${who} lädt Sie zu dieser Prüfung für die Stelle „${quoted(roleName)}“ ein und entscheidet, was daraus folgt.`,
    `**Was aufgezeichnet wird.** Ihre Antworten und Nachrichten als Text, mit ihren Zeiten; welche Aufgaben Sie beginnen und abschließen; und was von Ihrer Arbeit gemeldet wird, etwa geänderte Dateien, Testläufe und eingefügter Text. ${
      recordAudio
        ? 'Wenn Sie sprechen, wird auch Ihre Stimme aufgezeichnet und aufbewahrt.'
        : 'Wenn Sie sprechen, werden Ihre Worte als Text aufbewahrt, Ihre Stimme nicht.'
    } Sie können jederzeit stattdessen tippen.`,
    `**Wer das Gespräch führt.** ${
      interviewer.kind === 'openai'
        ? 'Ein KI-Modell stellt die Fragen und kann zu Ihren Antworten nachfragen.'
        : 'Ein Programm stellt vorbereitete Fragen. Keine KI wählt sie aus.'
    } ${
      {
        browser:
          'Ihr Browser wandelt Sprache in Text um; manche Browser senden den Ton dafür an ihren Hersteller.',
        command: 'Ein Programm dieses Dienstes wandelt Sprache in Text um.',
        openai: 'Ein KI-Dienst wandelt Sprache in Text um.',
      }[transcriber.kind]
    }${synthesiser.kind === 'openai' ? ' Ein KI-Dienst spricht die Fragen.' : ''}`,
    `**Wer bewertet.** ${
      scorer.kind === 'openai'
        ? 'Ein KI-Modell bewertet das Aufgezeichnete und nennt die Stellen, auf denen jede Bewertung beruht.'
        : 'Ein Programm bewertet das Aufgezeichnete nach festen Regeln, ohne KI.'
    } Das Ergebnis ist ein Rat: Es entscheiden Menschen bei ${who}.`,
    `**Hinweise zur Echtheit.** Vermerkt werden lange Pausen vor Antworten, große eingefügte Texte, das Verlassen der Seite oder des Vollbilds, ein Wechsel von Gerät, Verbindung oder Netz und ob Sie sich mit der eingeladenen Adresse angemeldet haben. Das sind Hinweise für Menschen, nie ein Urteil.${
      detector.kind === 'command' ? ' Ein Programm schätzt, ob Texte erzeugt wurden.' : ''
    }`,
    retentionDays === null
      ? `**Wie lange es aufbewahrt wird.** Bis ${who} es löscht. Sie können die Löschung jederzeit verlangen.`
      : `**Wie lange es aufbewahrt wird.** Es wird ${retentionDays === 1 ? 'einen Tag' : `${retentionDays} Tage`} nach der letzten Einladung, Sitzung oder Entscheidung über Sie gelöscht. Sie können die Löschung früher verlangen.`,
    `**Lieber ein Mensch.** Wenn Sie lieber mit einem Menschen sprechen oder mehr Zeit, nur Tippen oder Untertitel brauchen, fragen Sie ${who}, bevor Sie beginnen.`,
  );
};

/** The pages of the sign-in, and the mail with its code. */
const SIGNS: Readonly<Record<string, string>> = {
  ' ': 'das Leerzeichen',
  '\t': 'den Tabulator',
  '\n': 'den Zeilenumbruch',
  '\r': 'den Zeilenumbruch',
  ',': 'das Komma',
  ';': 'das Semikolon',
  ':': 'den Doppelpunkt',
  '.': 'den Punkt',
  '"': 'das Anführungszeichen',
  '\\': 'den umgekehrten Schrägstrich',
};

const wrongSign: SignInTexts['wrongSign'] = ({ sign, fault, after }) => {
  if (fault === 'missing') return 'Das @ fehlt: Eine Adresse ist zum Beispiel carol@example.org.';
  if (fault === 'at') return `Schreiben Sie @ statt ${sign}.`;
  const place = after === '' ? 'am Anfang' : `nach „${after}“`;
  return `Entfernen Sie ${SIGNS[sign] ?? shownSign(sign)} ${place}.`;
};

export const signIn: SignInTexts = {
  signIn: 'Anmelden',
  askEmail:
    'Geben Sie die E-Mail-Adresse ein, an die Ihre Einladung ging. Sie erhalten einen Code per E-Mail.',
  email: 'E-Mail-Adresse',
  sendCode: 'Code anfordern',
  wrongEmail: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel carol@example.org.',
  wrongSign,
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
  tooManyCodes: (seconds) =>
    `Für diese Adresse wurden zu viele Codes angefordert. Versuchen Sie es ${wait(seconds)} wieder.`,
  tooManyRequests: (seconds) =>
    `Aus Ihrem Netz kamen zu viele Anfragen. Versuchen Sie es ${wait(seconds)} wieder.`,
  codeUsed: 'Sie sind angemeldet',
  codeUsedText: 'Dieser Code wurde gerade eben in diesem Browser schon verwendet.',
  goOn: 'Weiter',
  tryAgain: 'Noch einmal versuchen',
  toAssessment: 'Zurück zum Auswahlverfahren',
  failed: 'Diese Anmeldung kann nicht fortgesetzt werden',
  ended:
    'Sie ist beendet oder wurde in einem anderen Browser begonnen. Öffnen Sie den Link Ihrer Einladung noch einmal.',
  away: 'Die Anmeldung ist gerade nicht möglich. Versuchen Sie es in einer Minute wieder.',
  signOut: 'Abmelden',
  askSignOut: 'Danach kann in diesem Browser niemand ohne einen neuen Code weitermachen.',
  notSignOut: 'Um ohne Abmelden weiterzumachen, öffnen Sie den Link Ihrer Einladung.',
  signedOut: 'Sie sind abgemeldet',
  signedOutText: 'Um sich wieder anzumelden, öffnen Sie den Link Ihrer Einladung.',
  mail: (code, minutes) => ({
    subject: `${code} ist Ihr Anmeldecode`,
    intro: `Geben Sie diesen Code auf der Seite ein, auf der Sie ihn angefordert haben. Er gilt ${minutes} Minuten und nur einmal.`,
    outro:
      'Niemand wird Sie am Telefon oder per E-Mail nach diesem Code fragen. Wenn Sie ihn nicht angefordert haben, müssen Sie nichts tun: Ohne ihn kann sich niemand als Sie anmelden.',
  }),
};
