import {
  type AiPolicyTexts,
  type MailTexts,
  type NoticeText,
  paragraphs,
  quoted,
  shownSign,
  type SignInTexts,
  type UnloadedTexts,
  waitIn,
} from '../en/shapes.js';
import { timesIn } from '../en/times.js';

const time = timesIn('de-DE', 'full');
const wait = waitIn('de-DE', (hours) => `in etwa ${hours} Stunden`);

/** For pages whose script does not run. */
export const unloaded: UnloadedTexts = {
  text: 'Diese Seite wurde nicht vollständig geladen. Prüfen Sie Ihre Verbindung und laden Sie sie neu. Wenn das nicht hilft, verwenden Sie eine aktuelle Version Ihres Browsers oder einen anderen Browser.',
  again: 'Seite neu laden',
  noScript:
    'Diese Seite braucht JavaScript. Erlauben Sie es für diese Website, oder verwenden Sie einen anderen Browser.',
};

/** The mails to candidates. */
export const mails: MailTexts = {
  greeting: (name) => (name === null ? 'Guten Tag,' : `Guten Tag ${name},`),
  interviewInEnglish: 'Das Interview wird auf Englisch geführt.',
  invitation: ({ organisationName, roleName, expiresAt, timeZone }) => ({
    subject: `Ihre Einladung von ${organisationName}: ${roleName}`,
    paragraphs: [
      `${organisationName} lädt Sie zu einem Auswahlverfahren für die Stelle „${roleName}“ ein.`,
      'Der Link führt zu einer Seite, die erklärt, wie es abläuft, was aufgezeichnet wird und wer es sieht. Dort entscheiden Sie, ob Sie teilnehmen.',
      `Sie können jederzeit beginnen, bis ${time(expiresAt, timeZone)}.`,
    ],
    button: 'Einladung öffnen',
  }),
  reminder: ({ organisationName, roleName, expiresAt, timeZone }) => ({
    subject: `Offen bis ${time(expiresAt, timeZone)}: ${roleName}`,
    paragraphs: [
      `Ihr Auswahlverfahren für die Stelle „${roleName}“ bei ${organisationName} ist noch offen.`,
      `Es endet am ${time(expiresAt, timeZone)}. Danach können Sie nicht mehr teilnehmen.`,
      'Wenn Sie nicht teilnehmen möchten, brauchen Sie nichts zu tun.',
    ],
    button: 'Zum Auswahlverfahren',
  }),
  extension: ({ organisationName, roleName, expiresAt, timeZone }) => ({
    subject: `Neue Frist für Ihr Auswahlverfahren: ${roleName}`,
    paragraphs: [
      `${organisationName} hat die Frist Ihres Auswahlverfahrens für die Stelle „${roleName}“ geändert.`,
      `Sie haben jetzt Zeit bis ${time(expiresAt, timeZone)}.`,
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

/** A further paragraph of the notice of a role with an AI policy, also of its own notice. */
export const aiPolicies: AiPolicyTexts = {
  forbidden: () =>
    '**KI-Assistenten.** In dieser Prüfung dürfen Sie keine KI-Assistenten verwenden, weder für die Aufgaben noch für Ihre Antworten.',
  allowed: () =>
    '**KI-Assistenten.** In dieser Prüfung dürfen Sie KI-Assistenten verwenden. Zu dem, was Sie abgeben, werden Sie wie zu eigener Arbeit befragt.',
  provided: (who) =>
    `**KI-Assistenten.** In dieser Prüfung dürfen Sie den KI-Assistenten verwenden, den ${quoted(who)} dafür bereitstellt, und keinen anderen.`,
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
    `**Was aufgezeichnet wird.** Ihre Antworten und Nachrichten als Text, mit ihren Zeiten; welche Aufgaben Sie beginnen und abschließen; und was von Ihrer Arbeit gemeldet wird, etwa geänderte Dateien, Testläufe und eingefügter Text. Diese Seite meldet, wie viel Sie einfügen, nie den Text. Das Programm assay-work, falls Sie es verwenden, beobachtet den Ordner, in dem Sie arbeiten: Es meldet die Namen geänderter Dateien, wie viele Zeilen sich geändert haben und wie viele Tests bestanden sind, nie ihren Inhalt. ${
      recordAudio
        ? 'Wenn Sie sprechen, wird auch Ihre Stimme aufgezeichnet und aufbewahrt.'
        : 'Wenn Sie sprechen, werden Ihre Worte als Text aufbewahrt, Ihre Stimme nicht.'
    } Sie können jederzeit stattdessen tippen.`,
    `**Arbeit, die Sie abgeben.** Sie wird so gespeichert, wie Sie sie gesendet haben. Hat eine Aufgabe Tests, werden sie damit ausgeführt. Ein Programm vergleicht sie mit dem, was andere bei ${who} für dieselbe Aufgabe abgegeben haben. Ihnen wird deren Arbeit nicht gezeigt, und denen nicht Ihre.`,
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
        ? 'Ein KI-Modell bewertet das Aufgezeichnete und die Arbeit, die Sie abgeben. Ihm wird beides als Text gezeigt; Ihr Name und Ihre Adresse werden ihm nicht genannt. Es nennt die Stellen, auf denen jede Bewertung beruht.'
        : 'Ein Programm bewertet das Aufgezeichnete nach festen Regeln, ohne KI.'
    } Das Ergebnis ist ein Rat: Es entscheiden Menschen bei ${who}.`,
    `**Hinweise zur Echtheit.** Vermerkt werden lange Pausen vor Antworten, große eingefügte Texte, das Verlassen der Seite oder des Vollbilds, ein Wechsel von Gerät, Verbindung oder Netz und ob Sie sich mit der eingeladenen Adresse angemeldet haben; bei abgegebener Arbeit auch, ob sie viel schneller kam als die übrige, ob Testergebnisse, die Ihre Programme melden, von denen der Prüfung abweichen, und ob sie zum größten Teil dieselbe ist wie die einer anderen Person. Das sind Hinweise für Menschen, nie ein Urteil.${
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
  notSent: 'Dieser Dienst sendet keine E-Mails. Er zeigt sie auf einer Seite:',
  outbox: 'Postausgang öffnen',
  noMail: 'Keine E-Mail? Sehen Sie im Spam-Ordner nach und prüfen Sie, ob die Adresse die eingeladene ist.',
  wrongForm: (digits) => `Geben Sie die ${digits} Ziffern aus der E-Mail ein.`,
  wrongCode: (triesLeft) => `Falscher Code. Noch ${triesLeft} ${triesLeft === 1 ? 'Versuch' : 'Versuche'}.`,
  codeOver:
    'Dieser Code ist abgelaufen, wurde schon verwendet oder zu oft falsch eingegeben. Fordern Sie einen neuen an.',
  tooManyCodes: (seconds) =>
    `Für diese Adresse wurden zu viele Codes angefordert. Versuchen Sie es ${wait(seconds)} wieder.`,
  tooManyRequests: (seconds) =>
    `Aus Ihrem Netz kamen zu viele Anfragen. Versuchen Sie es ${wait(seconds)} wieder.`,
  codeUsed: 'Sie sind angemeldet',
  codeUsedText: 'Dieser Code wurde gerade eben in diesem Browser schon verwendet.',
  goOn: 'Weiter',
  tryAgain: 'Noch einmal versuchen',
  toAssessment: 'Zurück zum Auswahlverfahren',
  failed: 'Die Anmeldung ist fehlgeschlagen',
  over: 'Diese Anmeldung ist beendet',
  ended:
    'Vielleicht haben Sie sie schon abgeschlossen oder in einem anderen Browser begonnen. Öffnen Sie den Link in Ihrer Einladung noch einmal.',
  unavailable: 'Die Anmeldung ist gerade nicht möglich. Versuchen Sie es in einer Minute wieder.',
  signOut: 'Abmelden',
  askSignOut: 'Nach dem Abmelden brauchen Sie einen neuen Code, um weiterzumachen.',
  notSignOut: 'Um angemeldet zu bleiben, öffnen Sie den Link in Ihrer Einladung.',
  signedOut: 'Sie sind abgemeldet',
  signedOutText: 'Um sich wieder anzumelden, öffnen Sie den Link in Ihrer Einladung.',
  device: {
    title: 'Ein Programm anmelden',
    ask: 'Geben Sie den Code ein, den das Programm in Ihrem Terminal zeigt. Danach melden Sie sich wie gewohnt per E-Mail an.',
    code: 'Code aus dem Terminal',
    wrong:
      'Dieser Code ist falsch oder abgelaufen. Vergleichen Sie ihn mit dem in Ihrem Terminal. Sind sie gleich, starten Sie das Programm neu, um einen neuen zu erhalten.',
    over: 'Dieser Code ist abgelaufen oder wurde schon verwendet. Starten Sie das Programm neu, um einen neuen zu erhalten.',
    ended:
      'Wenn das Programm nicht angemeldet ist, starten Sie es neu und geben Sie den neuen Code ein, den es zeigt.',
    confirmTitle: 'Darf dieses Programm für Sie handeln?',
    asks: (program, email) =>
      `Das Programm ${program} möchte als ${email} handeln: Ihre Aufgaben lesen, melden, was Sie tun, und Ihre Arbeit abgeben.`,
    shows: 'Es muss diesen Code zeigen:',
    onlyOwn:
      'Fahren Sie nur fort, wenn Sie das Programm gerade selbst auf Ihrem eigenen Computer gestartet haben. Wenn Sie den Code oder einen Link von jemand anderem haben, brechen Sie ab: Diese Person könnte sonst als Sie handeln.',
    yes: 'Ja, ich habe es gestartet',
    no: 'Nein, nicht anmelden',
    signedIn: 'Das Programm ist angemeldet',
    signedInText: 'Gehen Sie zurück zu Ihrem Terminal. Sie können diese Seite schließen.',
    denied: 'Das Programm ist nicht angemeldet',
    deniedText: 'Es hat keinen Zugriff auf Ihr Auswahlverfahren. Sie können diese Seite schließen.',
  },
  mail: (code, minutes) => ({
    subject: `${code} ist Ihr Anmeldecode`,
    intro: `Geben Sie diesen Code auf der Seite ein, auf der Sie ihn angefordert haben. Er gilt ${minutes} Minuten und nur einmal.`,
    outro:
      'Niemand wird Sie am Telefon oder per E-Mail nach diesem Code fragen. Wenn Sie ihn nicht angefordert haben, müssen Sie nichts tun: Ohne ihn kann sich niemand als Sie anmelden.',
  }),
};
