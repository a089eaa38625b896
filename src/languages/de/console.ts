import type { ConsoleTexts } from '../en/console.js';
import { candidateTexts } from './console-candidates.js';
import { roleTexts } from './console-roles.js';
import { settingsTexts } from './console-settings.js';
import { signalTexts } from './console-signal.js';
import { ticketTexts } from './console-tickets.js';

/** Every text of the staff's console in German. */
export const consoleTexts: ConsoleTexts = {
  name: 'Deutsch',
  skip: 'Zum Inhalt springen',
  language: 'Sprache',
  organisation: 'Organisation',
  signOut: 'Abmelden',
  offline: 'Keine Verbindung. Was Sie geschrieben haben, bleibt hier. Versuchen Sie es später noch einmal.',
  nav: {
    label: 'Seiten',
    home: 'Start',
    roles: 'Stellen',
    tickets: 'Aufgaben',
    candidates: 'Eingeladene',
    evaluations: 'Auswertungen',
    signal: 'Zahlen',
    settings: 'Einstellungen',
  },
  memberRole: { owner: 'Eigentümer', admin: 'Administration', recruiter: 'Recruiting', reviewer: 'Prüfung' },
  actors: {
    staff: 'Mitglied',
    api_key: 'API-Schlüssel',
    candidate: 'Eingeladene Person',
    operator: 'Betrieb',
    share_link: 'Geteilter Link',
    system: 'Der Dienst',
  },
  actor: (kind, id) => (id === '' ? kind : `${kind} ${id}`),
  signIn: {
    title: 'Bei Assay anmelden',
    loading: 'Sie werden angemeldet …',
    what: 'Assay führt Auswahlverfahren durch: Eingeladene bearbeiten Aufgaben und sprechen darüber, und jede Bewertung zeigt, worauf sie beruht.',
    text: 'Hier melden sich Mitglieder eines Einstellungsteams an.',
    candidates: 'Wurden Sie zu einem Auswahlverfahren eingeladen? Öffnen Sie den Link in Ihrer Einladung.',
    notSent: 'Dieser Dienst sendet keine E-Mails: Er zeigt sie auf einer Seite.',
    outbox: 'Postausgang öffnen',
    button: 'Anmelden',
    people: 'Anmelden als',
    leaving: 'Die Anmeldung wird geöffnet …',
    development: 'In der Entwicklung kann sich jeder anmelden, mit jeder Adresse und ohne Passwort.',
    developmentEmail: 'E-Mail-Adresse',
    because: {
      failed:
        'Die Anmeldung hat nicht geklappt. Sie wurde abgebrochen, oder es gab einen Fehler. Versuchen Sie es noch einmal.',
      left: 'Sie sind abgemeldet.',
      unavailable:
        'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    },
    ended: 'Anmeldung',
    endedBecause: {
      over: 'Ihre Anmeldung ist abgelaufen. Melden Sie sich neu an: Ein Fenster öffnet sich, und diese Seite bleibt, wie sie ist.',
      failed:
        'Die Anmeldung hat nicht geklappt. Versuchen Sie es noch einmal: Diese Seite bleibt, wie sie ist.',
      'other person':
        'Jemand anderes hat sich angemeldet. Melden Sie sich als die Person an, die diese Seite geöffnet hat.',
    },
    elsewhere: 'Sie sind angemeldet. Sie können dieses Fenster schließen.',
  },
  noMember: {
    title: 'Sie können diese Organisation nicht öffnen',
    text: (email) => `${email} ist dort kein Mitglied, oder es gibt sie nicht.`,
    none: 'Sie sind in keiner Organisation Mitglied',
    noneText: (email) =>
      `Sie sind als ${email} angemeldet. Bitten Sie die Eigentümer oder die Administration Ihrer Organisation, diese Adresse aufzunehmen.`,
    make: 'Name einer neuen Organisation',
    makeHint: 'In der Entwicklung kann jeder eine anlegen. Sie werden Eigentümer.',
    makeButton: 'Organisation anlegen',
    operator: 'Wer diesen Dienst betreibt, legt eine Organisation an mit',
    other: 'Als jemand anderes anmelden',
  },
  unknown: {
    title: 'Seite nicht gefunden',
    text: 'Diese Seite gibt es nicht, oder Ihre Rolle in dieser Organisation umfasst sie nicht.',
    home: 'Zur ersten Seite',
  },
  wait: {
    loading: (what) => `Wird geladen: ${what} …`,
    long: 'Das dauert länger als sonst. Sie können warten oder die Seite neu laden.',
  },
  failure: {
    retry: 'Noch einmal versuchen',
    signInAgain: 'Neu anmelden',
    unknown: 'Auf dieser Seite gab es einen Fehler. Versuchen Sie es noch einmal.',
    reference: (requestId) =>
      `Wenn es wieder geschieht, nennen Sie Ihrem Betreiber diese Nummer: ${requestId}.`,
    byCode: {
      no_answer: 'Es kam keine Antwort. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
      timeout: 'Es kam keine rechtzeitige Antwort. Versuchen Sie es noch einmal.',
      missing_token: 'Ihre Anmeldung ist abgelaufen.',
      invalid_token: 'Ihre Anmeldung ist abgelaufen.',
      forbidden: 'Ihre Rolle in dieser Organisation erlaubt das nicht.',
      not_found: 'Nicht gefunden. Vielleicht wurde es entfernt.',
      erased: 'Diese Person wurde gelöscht.',
      conflict:
        'Etwas anderes wurde zur selben Zeit geändert oder steht im Weg. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
      version_mismatch:
        'Jemand anderes hat das inzwischen geändert. Sie sehen den neuen Stand: Senden Sie noch einmal, wenn Sie das weiterhin wollen.',
      already_invited: 'Diese Person hat eine offene Bewerbung für die Stelle.',
      import_stopped:
        'Wer den Import begonnen hat, darf nicht mehr einladen: Das Mitglied wurde entfernt oder hat eine andere Rolle, oder der API-Schlüssel ist beendet. Importieren Sie die Datei noch einmal, um fortzufahren.',
      role_archived: 'Die Stelle ist im Archiv.',
      role_draft: 'Die Stelle ist ein Entwurf: Es fehlt noch etwas.',
      mail_pending: 'Diese Mail wird noch gesendet.',
      mail_resend_limited:
        'Eine Mail wird frühestens nach 10 Minuten noch einmal gesendet, eine verlangte Erinnerung nach einer Stunde, jede höchstens 5-mal. Geben Sie der Person den Link auf anderem Weg, wenn es eilt.',
      mail_pointless: 'Worum es in dieser Mail geht, ist vorbei, oder das Gespräch hat begonnen.',
      already_member: 'Diese Person ist schon Mitglied.',
      last_owner:
        'Eine Organisation behält mindestens eine Person mit der Rolle Eigentümer: Geben Sie diese zuerst jemand anderem.',
      already_answered: 'Dieser Einspruch ist schon beantwortet. Laden Sie die Seite neu.',
      application_closed: 'Die Bewerbung ist beendet. Laden Sie die Seite neu.',
      evaluation_generating:
        'Die Auswertung wird gerade erstellt. Versuchen Sie es noch einmal, wenn sie fertig ist.',
      evaluation_not_ready: 'Die Auswertung ist noch nicht fertig.',
      session_ended: 'Die Aufgabe ist beendet. Laden Sie die Seite neu.',
      not_started: 'Die Aufgabe hat noch nicht begonnen.',
      trial_not_completed: 'Die Aufgabe ist noch nicht abgeschlossen.',
      idempotency_key_reused: 'Das wurde schon einmal mit anderen Worten gesendet. Laden Sie die Seite neu.',
      too_large: 'Das ist zu groß, um gesendet zu werden.',
      too_far: 'Die Liste reicht nicht weiter. Filtern Sie sie.',
      view_parked: 'Das kann im Moment nicht gezeigt werden. Ein Betreiber muss es beheben.',
      rate_limited: 'Zu viele Anfragen. Warten Sie kurz und versuchen Sie es noch einmal.',
      unavailable: 'Der Dienst ist im Moment nicht verfügbar. Versuchen Sie es noch einmal.',
      internal: 'Im Dienst gab es einen Fehler.',
      unknown:
        'Statt des Dienstes hat ein anderer Server geantwortet. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    },
    byRule: {
      required: 'Das fehlt.',
      notBlank: 'Das darf nicht leer sein.',
      maxLength: (most) => `Das ist zu lang: höchstens ${most} Zeichen.`,
      maxBytes: (most) => `Das ist im Ganzen zu groß: höchstens ${most} Bytes.`,
      maxItems: (most) => `Höchstens ${most} sind möglich.`,
      minItems: 'Es braucht mindestens eines.',
      integer: 'Das ist keine ganze Zahl.',
      min: (least) => `Eine ganze Zahl ab ${least}.`,
      max: (most) => `Eine ganze Zahl bis ${most}.`,
      range: (least, most) => `Eine ganze Zahl von ${least} bis ${most}.`,
      email: 'Das ist keine E-Mail-Adresse. Suchen Sie nach Zeichen, die nicht hineingehören.',
      future: 'Dieser Zeitpunkt ist vorbei.',
      atLeastOne: 'Wählen Sie mindestens eines.',
      candidate: 'Die ganze E-Mail-Adresse einer eingeladenen Person oder ein Text ohne @.',
      consistent: 'Das passt nicht zu den anderen Teilen der Aufgabe: Ändern Sie eines davon.',
      logo: 'Dieses Bild ist nicht möglich. Es muss eine vollständige, unbewegte PNG- oder JPEG-Datei sein, höchstens 200 KB und 1.024 × 1.024 Pixel.',
      timeZone: 'Eine Zeitzone dieses Namens gibt es nicht.',
      target:
        'Die Adresse beginnt mit https:// und führt zu einem Rechner im öffentlichen Internet. Sie enthält keinen Benutzernamen und keinen Teil nach #.',
      name: 'Dieser Name steht in Mails: kein Link, keine E-Mail-Adresse und kein unsichtbares Zeichen.',
      inMails: 'Dieser Name steht in Mails: kein Link, keine E-Mail-Adresse und kein unsichtbares Zeichen.',
      pattern: 'Eine Zeile Text ohne E-Mail-Adresse (kein @).',
    },
  },
  notLoaded: {
    title: 'Diese Seite wurde nicht geladen',
    text: 'Vielleicht fehlt die Verbindung, oder es gibt eine neue Fassung dieser Seiten.',
    again: 'Noch einmal laden',
  },
  table: {
    pages: 'Seiten der Liste',
    first: 'Erste Seite',
    next: 'Nächste Seite',
    export: 'Als CSV exportieren',
    file: 'die Datei',
  },
  form: {
    blank: 'Das darf nicht leer sein.',
    sending: 'Wird gespeichert …',
    cancel: 'Abbrechen',
    now: 'Derzeit:',
    close: 'Schließen',
    unsaved: 'Ihre Änderungen sind nicht gespeichert. Trotzdem verlassen?',
    incomplete: (count) =>
      count === 1 ? '1 Feld muss berichtigt werden.' : `${count} Felder müssen berichtigt werden.`,
  },
  home: {
    title: 'Start',
    what: 'was zu tun ist',
    nothing: 'Es ist nichts zu tun',
    nothingText: 'Im Moment gibt es nichts, was Sie tun können.',
    begin: 'Legen Sie zuerst eine Stelle an und laden Sie dann dazu ein.',
    toRoles: 'Zu den Stellen',
    toCandidates: 'Zu den Eingeladenen',
    waits: {
      outcome: { name: 'Ergebnisse einzutragen', text: 'Abgeschlossene Bewertungen ohne Ergebnis.' },
      contested: {
        name: 'Einsprüche zu beantworten',
        text: 'Personen, die etwas in ihrer Auswertung bestreiten.',
      },
      expiring: { name: 'Läuft bald ab', text: 'Offene Bewertungen, die innerhalb von 3 Tagen enden.' },
      accommodation: { name: 'Ausgleich erbeten', text: 'Personen, die um einen Nachteilsausgleich bitten.' },
      failed: { name: 'Fehlgeschlagene Auswertungen', text: 'Sie können noch einmal erstellt werden.' },
      overdue: { name: 'Überfällige Auswertungen', text: 'Seit mehr als 15 Minuten in Arbeit.' },
      erasure: { name: 'Löschung erbeten', text: 'Personen, die gelöscht werden möchten.' },
    },
  },
  ...roleTexts,
  ...ticketTexts,
  ...candidateTexts,
  ...signalTexts,
  ...settingsTexts,
};
