import type { InterviewPageTexts } from '../en/interview-page.js';

/** The interview, its sound check and its practice. */
export const interviewPage: InterviewPageTexts = {
  check: {
    title: 'Prüfen Sie Ihren Ton',
    text: 'Nichts von dieser Probe verlässt Ihr Gerät.',
    microphone: 'Mikrofon',
    ask: 'Ihr Browser fragt Sie um Erlaubnis. Wählen Sie „Zulassen“.',
    test: 'Mikrofon ausprobieren',
    opening: 'Wartet auf Ihre Erlaubnis …',
    level: 'Pegel des Mikrofons',
    speakNow: 'Sprechen Sie: Der Balken bewegt sich mit Ihrer Stimme.',
    works: 'Ihr Mikrofon funktioniert.',
    record: 'Einen Satz aufnehmen',
    recording: (seconds) => `Aufnahme: ${seconds} s`,
    stop: 'Anhalten',
    play: 'Abspielen',
    recorded: 'Aufgenommen. Spielen Sie es ab, um zu hören, wie Sie klingen.',
    off: 'Mikrofon ausschalten',
    loudspeaker: 'Lautsprecher',
    chime: 'Einen Ton abspielen',
    chimeText:
      'Sie sollten drei kurze Töne hören. Wenn nicht, stellen Sie lauter oder wählen Sie eine andere Ausgabe.',
    chimeStalled:
      'Ihr Browser gibt keinen Ton wieder. Vielleicht nutzt ihn ein Anruf oder ein anderes Programm. Beenden Sie es und versuchen Sie es noch einmal.',
    network: 'Verbindung',
    measure: 'Verbindung prüfen',
    measuring: 'Wird geprüft …',
    good: (ms) => `Gut: Antworten brauchen ${ms} ms.`,
    slow: (ms) =>
      `Langsam: Antworten brauchen ${ms} ms. Sprache kommt vielleicht verzögert. Tippen geht gut.`,
    away: 'Der Dienst hat nicht geantwortet. Prüfen Sie Ihre Verbindung.',
    typing: 'Ich tippe lieber',
    typingText: 'Sie brauchen nie ein Mikrofon. Sie können jede Antwort tippen und jederzeit wechseln.',
    typedOnlyText: 'Sie tippen jede Antwort. Ein Mikrofon ist nicht nötig.',
    done: 'Weiter',
  },
  problem: {
    denied:
      'Ihr Browser blockiert das Mikrofon. Wählen Sie das Symbol neben der Adresse, erlauben Sie das Mikrofon und versuchen Sie es noch einmal. Oder tippen Sie Ihre Antworten.',
    none: 'Es wurde kein Mikrofon gefunden. Schließen Sie eines an und versuchen Sie es noch einmal. Oder tippen Sie Ihre Antworten.',
    'in-use':
      'Ein anderes Programm verwendet das Mikrofon. Schließen Sie Anrufe und andere Tabs, die es verwenden, und versuchen Sie es noch einmal. Oder tippen Sie Ihre Antworten.',
    unplugged:
      'Das Mikrofon wurde getrennt. Schließen Sie es wieder an und schalten Sie es ein. Oder tippen Sie Ihre Antworten.',
    unsupported:
      'Dieser Browser kann hier nicht aufnehmen. Verwenden Sie einen aktuellen Browser, oder tippen Sie Ihre Antworten.',
    outdated:
      'Das Mikrofon braucht die neue Version dieser Seite. Laden Sie die Seite neu, oder tippen Sie Ihre Antworten.',
    failed: 'Das Mikrofon funktioniert nicht. Versuchen Sie es noch einmal, oder tippen Sie Ihre Antworten.',
    stopped:
      'Von Ihrem Mikrofon kommt kein Ton. Ein Anruf, ein Headset oder ein anderes Programm nutzt es. Es kommt von selbst zurück, sobald es frei ist. Wenn nicht, tippen Sie auf die Seite, oder schalten Sie das Mikrofon aus und wieder ein. Oder tippen Sie Ihre Antworten.',
    silent:
      'Ihr Mikrofon ist eingeschaltet, aber es kommt nur Stille. Prüfen Sie seinen Schalter, oder wählen Sie im Browser ein anderes. Oder tippen Sie Ihre Antworten.',
  },
  field: {
    tooLong: (characters) =>
      `Das ist um ${characters} Zeichen zu lang zum Senden. Kürzen Sie es. Ihr Text ist noch da.`,
  },
  practice: {
    title: 'Üben Sie mit einer Frage',
    text: 'So läuft das Gespräch. Ihre Antwort wird nicht gesendet und nicht gespeichert.',
    question: 'Erzählen Sie von etwas, das Sie gebaut oder repariert haben. Was war schwierig?',
    done: 'So geht es. Nichts wurde gespeichert.',
    again: 'Noch einmal',
  },
  room: {
    title: 'Gespräch',
    question: (number) => `Frage ${number}`,
    questionOf: (number, of) => `Frage ${number} von ${of}`,
    followUp: 'Nachfrage',
    closing: 'letzte Frage',
    waiting: 'Die nächste Frage kommt …',
    connecting: 'Verbindung wird hergestellt …',
    saved: 'Gespeichert',
    savedButDraft: 'Gespeichert · Entwurf nicht gesendet',
    unsaved: 'Nicht alles wurde gespeichert: siehe unten.',
    saving: 'Wird gespeichert …',
    reconnecting: 'Neue Verbindung … Was Sie schreiben, bleibt erhalten.',
    timeLeft: (minutes) => `Noch ${minutes}`,
    timeShort: 'Weniger als eine Minute',
    timeWarning: (minutes) =>
      `Für den Rest des Gesprächs haben Sie ${minutes}. Was Sie bis zum Ende geschrieben haben, wird automatisch gesendet.`,
    timeEnds:
      'Ihre Zeit ist fast um. Was Sie geschrieben haben, wird in wenigen Sekunden gesendet. Sie müssen nichts tun.',
    hideTime: 'Zeit verbergen',
    showTime: 'Zeit zeigen',
    answerLabel: 'Ihre Antwort',
    send: 'Antwort senden',
    sending:
      'Ihre Antwort wird gesendet … Bei langsamer oder fehlender Verbindung geschieht das, sobald es möglich ist.',
    empty: 'Schreiben Sie zuerst eine Antwort.',
    skip: 'Diese Frage überspringen',
    skipping: 'Wird übersprungen …',
    bySpeech: 'Mündlich antworten',
    browserSpeech:
      'Ihr Browser erkennt Ihre Stimme. Viele Browser senden den Ton dafür an ihren Hersteller. Der Text erscheint im Feld, wo Sie ihn ändern können, bevor Sie ihn senden.',
    browserSpeechStop: 'Nicht mehr zuhören',
    dictation: {
      denied:
        'Ihr Browser blockiert die Spracherkennung. Wählen Sie das Symbol neben der Adresse, erlauben Sie das Mikrofon und versuchen Sie es noch einmal. Oder tippen Sie Ihre Antwort.',
      'no-microphone':
        'Ihr Browser findet kein Mikrofon. Schließen Sie eines an und versuchen Sie es noch einmal. Oder tippen Sie Ihre Antwort.',
      language: 'Ihr Browser erkennt in dieser Sprache nicht, was gesprochen wird. Tippen Sie Ihre Antwort.',
      network:
        'Die Spracherkennung Ihres Browsers hat keine Verbindung. Versuchen Sie es noch einmal, oder tippen Sie Ihre Antwort.',
      taken:
        'Eine andere Seite oder ein anderes Programm nutzt die Spracherkennung. Schließen Sie es und versuchen Sie es noch einmal. Oder tippen Sie Ihre Antwort.',
      failed:
        'Ihr Browser hat die Spracherkennung beendet. Versuchen Sie es noch einmal, oder tippen Sie Ihre Antwort.',
    },
    lastWords: 'Wartet auf Ihre letzten Worte …',
    listening: 'Hört zu …',
    microphoneOn: 'Mikrofon einschalten',
    microphoneOff: 'Mikrofon ausschalten',
    microphoneOpening: 'Wartet auf Ihre Erlaubnis …',
    mute: 'Stumm schalten',
    unmute: 'Stummschaltung aufheben',
    muted: 'Ihr Mikrofon ist stumm geschaltet.',
    speakNow: 'Sprechen Sie Ihre Antwort. Sie endet mit einer Pause oder mit dem Knopf.',
    spoken: 'Ich bin fertig mit Sprechen',
    transcribing:
      'Ihre Worte werden zu Text … Das kann bis zu einer Minute dauern. Sie können Ihre Antwort auch tippen und jetzt senden.',
    recorded: 'Der Ton Ihrer Stimme wird aufgezeichnet.',
    notRecorded: 'Ihre Stimme wird zu Text. Der Ton wird nicht aufbewahrt.',
    captions: 'Untertitel',
    interrupt: 'Ton stoppen',
    repeat: 'Frage noch einmal vorlesen',
    soundOn: 'Fragen vorlesen',
    soundOff: 'Nicht vorlesen',
    soundBlocked: 'Ton einschalten',
    you: 'Ihre Antwort',
    skipped: 'Übersprungen',
    noAnswer: 'Keine Antwort',
    former: 'Frühere Fragen',
    correct: 'Berichtigen oder ergänzen',
    correctLabel: 'Ihre Berichtigung',
    correctText: 'Die aufgezeichnete Antwort bleibt. Ihre Berichtigung steht daneben.',
    correctSend: 'Berichtigung senden',
    correctSending: 'Ihre Berichtigung wird gesendet …',
    correctKept:
      'Das haben Sie geschrieben und nicht gesendet. Senden Sie es als Berichtigung, oder löschen Sie es aus dem Feld.',
    corrected: 'Ihre Berichtigung',
    end: 'Gespräch beenden',
    endTitle: 'Das Gespräch jetzt beenden?',
    endText: 'Das Auswahlverfahren endet damit. Sie können nicht zurückkommen.',
    endConfirm: 'Jetzt beenden',
    endCancel: 'Gespräch fortsetzen',
    endDraft:
      'Sie haben etwas geschrieben, das nicht gesendet ist. Sie können es senden, bevor das Gespräch endet.',
    endSend: 'Senden und beenden',
    endWithout: 'Beenden, ohne es zu senden',
    ending: 'Das Gespräch wird beendet …',
    elsewhere: 'Das Gespräch wurde in einem anderen Tab oder auf einem anderen Gerät geöffnet.',
    here: 'Hier weitermachen',
    lost: 'Die Verbindung zum Gespräch ist abgebrochen. Ihre bisherigen Antworten sind gespeichert, und was Sie gerade schrieben, bleibt erhalten.',
    refused: 'Der Dienst hat die Nachrichten dieser Seite nicht angenommen. Laden Sie die Seite neu.',
    refusal: {
      answer: 'Ihre Antwort wurde nicht gespeichert. Sie steht noch im Feld.',
      correction: 'Ihre Berichtigung wurde nicht gespeichert. Sie steht noch im Feld.',
      skip: 'Die Frage konnte nicht übersprungen werden.',
      commit: 'Ihre gesprochene Antwort wurde nicht gespeichert.',
      interrupt: 'Der Dienst hat nicht erfahren, dass Sie den Ton gestoppt haben. Sie müssen nichts tun.',
      end: 'Das Gespräch konnte nicht beendet werden.',
    },
    because: {
      bad_message:
        'So kann der Dienst es nicht speichern. Kürzen oder ändern Sie es, und senden Sie es dann noch einmal.',
      session_full:
        'Die Sitzung ist voll, und mehr kann nicht gespeichert werden. Kopieren Sie Ihren Text, und senden Sie ihn der Organisation, die Sie eingeladen hat.',
      outbox_full:
        'Zu viel wartet auf das Senden. Warten Sie, bis Sie verbunden sind, und versuchen Sie es dann noch einmal.',
      transcription_failed:
        'Daraus konnte kein Text gemacht werden. Tippen Sie Ihre Antwort, oder sprechen Sie sie noch einmal.',
      ended:
        'Die Verbindung endete, bevor der Dienst es bestätigt hat. Sehen Sie unter „Frühere Fragen“ nach, ob es da ist. Wenn nicht, tun Sie es noch einmal.',
      not_handed_in:
        'Was Sie geschrieben haben, wurde nicht gespeichert. Lesen Sie die Meldung daneben, und versuchen Sie es dann noch einmal.',
      other:
        'Versuchen Sie es noch einmal. Wenn es wieder nicht gelingt, laden Sie die Seite neu: Was Sie geschrieben haben, bleibt erhalten.',
    },
    problem: {
      no_words:
        'In dem, was Sie gesagt haben, waren keine Worte zu finden. Sagen Sie es noch einmal, oder tippen Sie Ihre Antwort.',
      unavailable: 'Der Dienst kann gerade nichts speichern. Die Seite versucht es weiter.',
      rate_limited:
        'Es wurde zu viel auf einmal gesendet. Die Seite sendet es in wenigen Sekunden noch einmal.',
      internal:
        'Im Dienst ging etwas schief. Die Seite verbindet sich von selbst wieder, und was Sie schreiben, bleibt erhalten.',
      audio_full:
        'Zu viel Sprache wartet auf das Senden. Machen Sie eine Pause, oder tippen Sie Ihre Antwort.',
      audio_lost:
        'Ein Teil Ihrer gesprochenen Antwort ging verloren. Prüfen Sie den Text, wenn er erscheint.',
      transcription_failed: 'Aus Ihrer gesprochenen Antwort konnte kein Text gemacht werden. Tippen Sie sie.',
      speech_failed: 'Die Frage kann nicht gesprochen werden. Lesen Sie sie hier.',
      session_full: 'Die Sitzung ist voll. Es kann nichts mehr gespeichert werden.',
      other: 'Etwas ging schief. Ihre Antworten bleiben erhalten. Versuchen Sie es noch einmal.',
    },
  },
};
