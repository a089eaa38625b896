import type { PageTexts } from '../en/page.js';
import { interviewPage } from './interview-page.js';

export const page: PageTexts = {
  name: 'Deutsch',
  skip: 'Zum Inhalt springen',
  steps: 'Schritte',
  step: {
    before: 'Willkommen',
    check: 'Tonprobe',
    practice: 'Übung',
    work: 'Aufgaben',
    room: 'Gespräch',
    after: 'Fertig',
  },
  language: 'Sprache',
  signedInAs: (email) => `Angemeldet als ${email}`,
  signOut: 'Abmelden',
  loading: 'Wird geladen …',
  tryAgain: 'Noch einmal versuchen',
  minutes: (count) => (count === 1 ? '1 Minute' : `${count} Minuten`),
  newTab: '(öffnet einen neuen Tab)',
  offline:
    'Keine Verbindung. Was Sie tun, bleibt auf diesem Gerät und wird gesendet, sobald Sie wieder online sind.',

  signIn: {
    title: 'Ihr Auswahlverfahren',
    text: 'Melden Sie sich mit der E-Mail-Adresse an, an die Ihre Einladung ging.',
    byCode: 'Sie bekommen einen Code per E-Mail. Sie brauchen kein Konto und kein Passwort.',
    button: 'Anmelden',
    leaving: 'Die Anmeldung wird geöffnet …',
    because: {
      expired:
        'Sie wurden abgemeldet. Melden Sie sich wieder an, um weiterzumachen. Alles Gesendete ist gespeichert.',
      refused:
        'Der Dienst hat Ihre Anmeldung nicht angenommen. Melden Sie sich noch einmal an. Wenn das wieder geschieht, fragen Sie die Organisation, die Sie eingeladen hat.',
      failed:
        'Wir konnten Sie nicht anmelden. Die Anmeldung wurde abgebrochen, oder etwas ging schief. Versuchen Sie es noch einmal.',
      leaving: 'Sie werden abgemeldet …',
      left: 'Sie sind abgemeldet. Um weiterzumachen, brauchen Sie einen neuen Code.',
      unreached:
        'Der Dienst hat nicht geantwortet. Solange er das nicht tut, könnte die nächste Person an diesem Browser als Sie weitermachen. Versuchen Sie es noch einmal, bevor Sie das Gerät verlassen.',
    },
    leftHere:
      'Sie sind von dieser Seite abgemeldet. Bei Ihrem Anmeldedienst sind Sie vielleicht noch angemeldet: Melden Sie sich auf einem gemeinsam genutzten Gerät auch dort ab.',
    unreachedTitle: 'Sie sind noch nicht ganz abgemeldet',
    renewal: 'Anmeldung',
    leaves: (minutes: string) =>
      `Innerhalb von ${minutes} werden Sie zur Anmeldung und wieder zurück geleitet. Was Sie geschrieben haben, bleibt erhalten.`,
    leaveNow: 'Jetzt gleich',
    unavailable:
      'Die Anmeldung ist hier gerade nicht möglich. Versuchen Sie es später, oder fragen Sie die Organisation, die Sie eingeladen hat.',
  },
  unknown: {
    title: 'Wir können dieses Auswahlverfahren nicht finden',
    text: 'Der Link ist falsch oder unvollständig, oder er ging an eine andere E-Mail-Adresse als die, mit der Sie angemeldet sind.',
    todo: 'Öffnen Sie noch einmal den Link in Ihrer Einladung. Wenn Sie mehrere E-Mail-Adressen haben, melden Sie sich mit der an, die die Einladung bekommen hat.',
    other: 'Mit einer anderen Adresse anmelden',
  },
  unavailable: {
    title: 'Der Dienst ist nicht erreichbar',
    text: 'Nichts ist verloren. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  },

  loadAgain: 'Seite neu laden',
  outdated:
    'Es gibt eine neue Version dieser Seite. Laden Sie die Seite neu. Was Sie geschrieben haben, bleibt erhalten.',
  waiting: {
    service: 'Warten auf eine Antwort des Dienstes …',
    signIn: 'Warten auf die Anmeldung …',
    application: 'Warten auf Ihr Auswahlverfahren …',
    start: 'Warten, dass der Dienst Ihr Auswahlverfahren beginnt …',
    sending: 'Wird gesendet. Warten auf die Bestätigung des Dienstes …',
    file: 'Warten auf Ihre Datei …',
    leave: 'Nicht länger warten',
  },
  unsent: {
    title: (count: number) =>
      count === 1 ? 'Eines ist nicht gesendet' : `${count} Dinge sind nicht gesendet`,
    text: 'Es ist auf diesem Gerät gespeichert und wird gesendet, sobald eine Verbindung besteht. Wenn Sie sich jetzt abmelden, wird es gelöscht.',
    stay: 'Bleiben',
    lose: 'Abmelden und verlieren',
  },
  lost: {
    invalid: (count: number) =>
      `Etwas von dem, was Sie getan haben, kann der Dienst nicht speichern (Anzahl: ${count}). Alles andere ist gespeichert.`,
    full: (count: number) =>
      `Die Sitzung ist voll. Etwas von dem, was Sie getan haben, wurde nicht gespeichert (Anzahl: ${count}), und mehr wird nicht gespeichert.`,
    over: (count: number) =>
      `Das Auswahlverfahren ist beendet. Etwas von dem, was Sie getan haben, kam zu spät und wurde nicht gespeichert (Anzahl: ${count}).`,
  },

  before: {
    title: (role) => `Ihr Auswahlverfahren: ${role}`,
    hello: (name) => `Guten Tag ${name}`,
    from: (organisation) => `${organisation} lädt Sie ein.`,
    open: (until) => `Sie können jederzeit bis ${until} beginnen.`,
    frame: (minutes) => `Planen Sie ${minutes} für die Aufgaben ein.`,
    interview: 'Am Ende stellt Ihnen ein Interviewer einige Fragen.',
    byEither: 'Sie können sprechen oder tippen.',
    byTyping: 'Sie tippen Ihre Antworten.',
    interviewTime: (minutes) => `Das Gespräch dauert höchstens ${minutes}.`,
    stay: 'Sie können die Seite schließen und wiederkommen: Was Sie gesendet haben, ist gespeichert.',
    expectTitle: 'Was Sie erwartet',
    instructionsTitle: 'Anleitung',
    tasksTitle: 'Aufgaben',
    tasksCount: (count) => (count === 1 ? 'Es gibt eine Aufgabe.' : `Es gibt ${count} Aufgaben.`),
    noticeTitle: 'Was aufgezeichnet wird und wozu',
    accommodationTitle: 'Brauchen Sie etwas anderes?',
    accommodationText:
      'Mehr Zeit, nur tippen, Untertitel oder etwas anderes: Schreiben Sie, was Ihnen hilft. Die Organisation liest es, bevor Sie beginnen. Sie müssen keinen Grund nennen.',
    accommodationLabel: 'Was würde Ihnen helfen?',
    accommodationSend: 'Anfrage senden',
    accommodationFailed: 'Die Anfrage wurde nicht gesendet. Versuchen Sie es noch einmal.',
    accommodationSent: (when) =>
      `Ihre Anfrage wurde am ${when} gesendet. Sie können die Antwort abwarten, bevor Sie beginnen.`,
    accommodationGranted: 'Für Sie eingerichtet:',
    moreTime: (factor) => `das ${factor}-Fache der üblichen Zeit`,
    typedOnly: 'tippen statt sprechen',
    captions: 'Untertitel',
    startTitle: 'Beginnen',
    consent: 'Ich habe gelesen, was aufgezeichnet und wozu es verwendet wird, und bin einverstanden.',
    consentFirst:
      'Setzen Sie zuerst das Häkchen: Ohne Ihr Einverständnis wird nichts aufgezeichnet und Sie können nicht beginnen.',
    start: 'Jetzt beginnen',
    starting: 'Wird begonnen …',
    changed:
      'Der Hinweis hat sich geändert, seit Sie die Seite geöffnet haben. Lesen Sie ihn noch einmal und stimmen Sie dann zu.',
    failed: 'Das Auswahlverfahren konnte nicht begonnen werden. Versuchen Sie es noch einmal.',
    prepare:
      'Bevor Sie beginnen, können Sie Ihr Mikrofon und eine Frage ausprobieren. Nichts wird gespeichert.',
    toCheck: 'Mikrofon und Ton prüfen',
    prepareTyping:
      'Bevor Sie beginnen, können Sie den Ton und eine Frage ausprobieren. Nichts wird gespeichert.',
    toCheckTyping: 'Ton und Verbindung prüfen',
    toPractice: 'Mit einer Frage üben',
  },

  work: {
    title: 'Ihre Aufgaben',
    since: (time) => `Begonnen am ${time}.`,
    left: (minutes) => `Noch ${minutes} der geplanten Zeit.`,
    over: 'Die geplante Zeit ist um. Sie können trotzdem fertig werden.',
    none: 'Es gibt keine Aufgaben. Gehen Sie zum Gespräch, wenn Sie bereit sind.',
    unnamed: (number) => `Aufgabe ${number}`,
    estimated: (minutes) => `etwa ${minutes}`,
    links: 'Links',
    read: 'Aufgabe anzeigen',
    notRead: 'Die Aufgabe konnte nicht geladen werden. Versuchen Sie es noch einmal.',
    start: 'Diese Aufgabe beginnen',
    finish: 'Als fertig markieren',
    reopen: 'Noch einmal beginnen',
    started: 'Begonnen',
    finished: 'Fertig',
    toRoom: 'Zum Gespräch',
    toRoomText: (minutes) =>
      `Das Gespräch ist der letzte Teil. Ab der ersten Frage haben Sie ${minutes}, und das Auswahlverfahren endet damit.`,
    begun: 'Sie haben das Gespräch begonnen.',
    confirmTitle: 'Das Gespräch beginnen?',
    confirmText: 'Ihre Zeit läuft ab der ersten Frage. Sie können das Gespräch nicht anhalten.',
    confirmOpen: (count) =>
      count === 1 ? 'Eine Aufgabe ist nicht fertig.' : `${count} Aufgaben sind nicht fertig.`,
    confirm: 'Gespräch beginnen',
    notYet: 'Noch nicht',
  },

  after: {
    kept: {
      title: 'Nicht gesendet',
      text: 'Das haben Sie geschrieben, aber es hat den Dienst nicht erreicht, bevor das Gespräch endete. Es bleibt auf diesem Gerät, bis Sie sich abmelden. Kopieren Sie es, und senden Sie es der Organisation, die Sie eingeladen hat.',
      copy: 'Text kopieren',
      copied: 'Der Text wurde kopiert.',
      notCopied: 'Ihr Browser blockiert das Kopieren. Markieren Sie den Text und kopieren Sie ihn selbst.',
    },
    handedIn: {
      title: 'Am Ende gesendet',
      text: 'Das hat die Seite für Sie gesendet, bevor das Gespräch endete. Es ist gespeichert.',
    },
    completed: {
      title: 'Danke. Sie sind fertig.',
      text: 'Alles ist gespeichert. Sie können diese Seite schließen.',
      textButKept:
        'Alles, was Sie gesendet haben, ist gespeichert. Ein Teil von dem, was Sie geschrieben haben, wurde nicht gesendet: siehe unten.',
      next: (organisation) => `${organisation} meldet sich bei Ihnen.`,
    },
    expired: {
      title: 'Dieses Auswahlverfahren ist abgelaufen',
      text: 'Die Zeit dafür ist um. Wenn Sie es trotzdem machen möchten, fragen Sie die Organisation, die Sie eingeladen hat.',
    },
    withdrawn: {
      title: 'Dieses Auswahlverfahren wurde zurückgezogen',
      text: 'Es wird nicht beurteilt. Sie können diese Seite schließen.',
    },
    receiptTitle: 'Beleg',
    role: 'Stelle',
    organisation: 'Organisation',
    started: 'Begonnen',
    ended: 'Beendet',
    reference: 'Kennzeichen',
    dataTitle: 'Ihre Daten',
    dataText:
      'Alles, was über Sie gespeichert ist, als Datei: Ihre Antworten, die aufgezeichneten Tätigkeiten und Bewertungen, falls es welche gibt.',
    export: 'Meine Daten herunterladen',
    exporting: 'Die Datei wird vorbereitet …',
    exported: 'Die Datei wurde heruntergeladen.',
    exportFailed: 'Die Datei konnte nicht erstellt werden. Versuchen Sie es noch einmal.',
  },
  erasure: {
    title: 'Löschung',
    text: (organisation: string) =>
      `Sie können ${organisation} bitten, alles zu löschen, was dort über Sie gespeichert ist, für alle Ihre Bewerbungen.`,
    button: 'Um Löschung bitten',
    confirmTitle: 'Um Löschung bitten?',
    confirmText:
      'Die Mitarbeitenden der Organisation sehen Ihre Bitte und führen sie aus. Was gelöscht ist, kann nicht wiederhergestellt werden: Ihre Antworten sind nicht mehr lesbar, und eine offene Entscheidung fällt vielleicht ohne sie.',
    confirm: 'Um Löschung bitten',
    cancel: 'Abbrechen',
    asked: (time: string) =>
      `Sie haben am ${time} um Löschung gebeten. Nach der Löschung lässt sich diese Seite nicht mehr öffnen.`,
    failed: 'Die Bitte wurde nicht gesendet. Versuchen Sie es noch einmal.',
  },
  result: {
    title: 'Ihr Ergebnis',
    score: (score, threshold) => `${score} von 100 Punkten; ${threshold} waren nötig.`,
    passed: 'Sie haben die Schwelle erreicht.',
    failed: 'Sie haben die Schwelle nicht erreicht.',
    decided: 'Menschen haben über Ihre Bewerbung entschieden. Die Punkte allein entscheiden nicht.',
    dimensionsTitle: 'Wie Sie bewertet wurden',
    points: (score) => `${score} von 100`,
    threshold: (threshold) => `${threshold} waren nötig.`,
    unchecked: (points) =>
      `Ein Teil Ihrer Arbeit konnte nicht geprüft werden. Dafür fehlen bis zu ${points} Punkte.`,
    quotes: 'Die Bewertung stützt sich auf diese Teile der Aufzeichnung:',
  },
  contest: {
    title: 'Stimmt etwas nicht?',
    text: 'Schreiben Sie, womit Sie nicht einverstanden sind. Die Organisation liest es neben der Aufzeichnung und antwortet. Ihre Worte und die Antwort werden damit aufbewahrt.',
    transcriptOnly:
      'Sie können beanstanden, was von Ihren Worten aufgezeichnet wurde. Um es zu sehen, laden Sie unten Ihre Daten herunter.',
    open: 'Etwas beanstanden',
    kind: 'Worum geht es?',
    kinds: {
      quote: 'Ein Zitat',
      transcript: 'Was von meinen Worten aufgezeichnet wurde',
      finding: 'Eine Beobachtung zu meiner Arbeitsweise',
      score: 'Eine Bewertung',
    },
    place: 'Wo? (freiwillig)',
    placeHint: 'Zum Beispiel: die zweite Frage.',
    words: 'Was ist falsch?',
    send: 'Senden',
    sending: 'Wird gesendet …',
    sent: 'Gesendet. Die Antwort erscheint hier.',
    failed: 'Das wurde nicht gesendet. Versuchen Sie es noch einmal.',
    full: 'Sie haben die Höchstzahl erreicht: Mehr können Sie nicht senden.',
    yours: (when) => `Sie schrieben am ${when}:`,
    answer: (when) => `Antwort vom ${when}:`,
    waiting: 'Noch keine Antwort.',
  },
  rating: {
    title: 'Wie war es?',
    text: 'Zwei Fragen, wenn Sie mögen. Ihre Antworten gehören nicht zum Auswahlverfahren.',
    ease: 'Wie leicht war diese Seite zu benutzen?',
    fairness: 'Wie gerecht war das Auswahlverfahren?',
    lowEase: '1 ist sehr schwer, 5 ist sehr leicht.',
    lowFairness: '1 ist gar nicht gerecht, 5 ist sehr gerecht.',
    words: 'Sonst noch etwas? (freiwillig)',
    send: 'Rückmeldung senden',
    empty: 'Wählen Sie eine Zahl, oder schreiben Sie zuerst etwas.',
    sent: 'Danke. Ihre Rückmeldung wurde gesendet.',
    failed: 'Ihre Rückmeldung wurde nicht gesendet. Versuchen Sie es noch einmal.',
  },
  withdraw: {
    title: 'Zurückziehen',
    text: 'Sie können sich jederzeit zurückziehen. Das Auswahlverfahren endet dann, und niemand beurteilt es.',
    button: 'Vom Auswahlverfahren zurückziehen',
    confirmTitle: 'Von diesem Auswahlverfahren zurückziehen?',
    confirmText: 'Es endet jetzt und kann nicht wieder geöffnet werden.',
    confirm: 'Zurückziehen',
    cancel: 'Bleiben',
    failed: 'Sie konnten nicht zurückgezogen werden. Versuchen Sie es noch einmal.',
  },

  ...interviewPage,
};
