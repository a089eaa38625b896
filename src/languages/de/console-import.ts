import type { ImportTexts } from '../en/console-import.js';

/** The console's pages about imports of candidates in German. */
export const importTexts: ImportTexts = {
  title: 'Personen importieren',
  text: 'Füllen Sie eine Tabelle mit einer Zeile für jede Person aus, speichern Sie sie als CSV und wählen Sie die Datei hier. Die erste Zeile nennt die Spalten: candidateEmail und, wenn Sie sie haben, candidateName, externalId, language und expiresAt. Niemand wird eingeladen, bevor Sie die Zeilen gesehen und bestätigt haben.',
  template: 'Vorlage herunterladen',
  file: 'CSV-Datei',
  drop: 'Wählen Sie eine Datei, oder legen Sie sie hier ab. Höchstens 500 Zeilen.',
  noRole: 'Zu keiner Rolle kann eingeladen werden: Vervollständigen Sie zuerst eine Rolle.',
  tooLarge: 'Die Datei ist zu groß: höchstens 256 KB.',
  notText:
    'Die Datei ist keine CSV-Datei in UTF-8. Speichern Sie sie als „CSV UTF-8“ und wählen Sie sie noch einmal.',
  checking: 'Wird geprüft …',
  faults: (count) => (count === 1 ? 'Ein Fehler in der Datei' : `${count} Fehler in der Datei`),
  faultsText: 'Niemand wurde eingeladen. Berichtigen Sie die Datei und wählen Sie sie noch einmal.',
  ready: (count) => (count === 1 ? 'Eine Zeile, und sie stimmt' : `${count} Zeilen, und alle stimmen`),
  row: 'Zeile',
  column: 'Spalte',
  fault: 'Was falsch ist',
  wholeFile: 'Datei',
  email: 'E-Mail-Adresse',
  name: 'Name',
  language: 'Sprache',
  expiresAt: 'Läuft ab am',
  inTwoWeeks: 'in 14 Tagen',
  languages: { en: 'Englisch', de: 'Deutsch' },
  shown: (shown, all) => `Die ersten ${shown} von ${all} Zeilen sind zu sehen.`,
  confirm: (count, role) =>
    count === 1
      ? `Eine Person wird zu „${role}“ eingeladen und bekommt eine Mail.`
      : `${count} Personen werden zu „${role}“ eingeladen. Jede bekommt eine Mail.`,
  begin: (count) => (count === 1 ? 'Eine Person einladen' : `${count} Personen einladen`),
  other: 'Andere Datei wählen',
  rules: {
    required: 'Das fehlt.',
    notBlank: 'Das darf nicht leer sein.',
    email: 'Das ist keine E-Mail-Adresse.',
    unique: 'Eine Zeile darüber hat diese Adresse schon.',
    future: 'Dieser Zeitpunkt ist vorbei.',
    timestamp: 'Das ist kein Zeitpunkt wie 2027-03-01T18:00:00Z.',
    instant: 'Das ist kein Zeitpunkt wie 2027-03-01T18:00:00Z.',
    oneOf: 'Schreiben Sie en oder de.',
    maxLength: (most) => `Das ist zu lang: höchstens ${most} Zeichen.`,
    inMails: 'Ein Name, der in Mails steht, darf keinen Link und keine E-Mail-Adresse enthalten.',
    header: 'Die erste Zeile nennt keine Spalte für dieses Feld.',
    encoding:
      'Buchstaben sind verloren gegangen. Speichern Sie die Datei als „CSV UTF-8“ und wählen Sie sie noch einmal.',
  },
  headerRules: {
    unique: 'Eine andere Spalte heißt schon so.',
    header:
      'Diese Spalte gibt es nicht. Die Spalten sind candidateEmail, candidateName, externalId, language und expiresAt.',
  },
  fileRules: {
    notBlank: 'Die Datei ist leer.',
    csv: (line) =>
      `Zeile ${line} ist nicht lesbar: Ein Anführungszeichen darin fehlt oder muss doppelt stehen.`,
    header: 'Die erste Zeile muss die Spalten nennen, darunter candidateEmail.',
    rows: 'Die Datei braucht eine Zeile mit den Namen der Spalten und darunter 1 bis 500 Zeilen.',
    more: (count) => `Fehler, die hier nicht stehen: ${count}.`,
  },
  former: 'Importe',
  whatFormer: 'die Importe',
  role: 'Stelle',
  when: 'Wann',
  progress: 'Eingeladen',
  of: (invited, all) => `${invited} von ${all}`,
  one: 'Import',
  whatOne: 'der Import',
  running: 'Er läuft von selbst weiter: Sie können diese Seite verlassen.',
  finished: 'Fertig.',
  invited: (invited, all) => `${invited} von ${all} eingeladen`,
  refused: (count) =>
    count === 1 ? 'Eine Zeile wurde nicht eingeladen' : `${count} Zeilen wurden nicht eingeladen`,
  why: 'Warum nicht',
  toCandidates: 'Personen dieser Rolle öffnen',
  lost: 'Gerade keine Antwort. Diese Seite versucht es weiter.',
};
