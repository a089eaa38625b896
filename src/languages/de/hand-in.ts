import type { HandInTexts } from '../en/hand-in.js';
import { refusedWork } from './refused-work.js';

/** Every text of the part of the candidate's page where work is handed in, in German. */
export const handIn: HandInTexts = {
  starter: {
    title: 'Vorlage',
    text: 'Mit diesen Dateien beginnt die Aufgabe. Laden Sie sie herunter, oder bearbeiten Sie sie hier.',
    zip: 'Als zip herunterladen',
    tar: 'Als tar herunterladen',
    failed:
      'Die Dateien konnten nicht geladen werden. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    preparing: 'Der Download wird vorbereitet …',
    edit: 'Die Dateien hier bearbeiten',
  },
  files: (count) => (count === 1 ? '1 Datei' : `${count} Dateien`),
  folders: 'Ordner und Dateien',
  size: (number, unit) => `${number} ${unit}`,
  checks: {
    both: 'Wenn Sie abgeben, laufen Prüfungen über Ihre Arbeit, und Sie sehen das Ergebnis. Weitere Prüfungen laufen nach dem Auswahlverfahren.',
    visible: 'Wenn Sie abgeben, laufen Prüfungen über Ihre Arbeit, und Sie sehen das Ergebnis.',
    hidden: 'Nach dem Auswahlverfahren laufen Prüfungen über Ihre Arbeit.',
    title: 'Prüfungen',
    hiddenResult: 'Das Ergebnis der Prüfungen ist nicht mehr abrufbar. Ihre Arbeit ist trotzdem angekommen.',
    waiting: 'Die Prüfungen warten oder laufen. Sie müssen nicht darauf warten.',
    passed: (passed, all) => `${passed} von ${all} Prüfungen bestanden.`,
    failed: 'Die Prüfungen konnten über diese Abgabe nicht laufen.',
    reasons: {
      unavailable: 'Dieser Dienst kann sie nicht ausführen. Ihre Arbeit ist trotzdem angekommen.',
      tooLong:
        'Sie haben zu lange gedauert. Sehen Sie nach, ob Ihre Arbeit in jedem Fall zu einem Ende kommt.',
      tooMuch: 'Ihre Arbeit oder die Prüfungen haben zu viel geschrieben.',
      noTests: 'Sie haben keine Tests ausgeführt.',
      workFailed:
        'Ihre Arbeit konnte nicht geprüft werden. Sehen Sie nach, ob sie auf Ihrem eigenen Computer läuft.',
      other: 'Sie haben ohne Ergebnis geendet.',
    },
    message: 'Meldung',
    leftOut: (count) =>
      count === 1
        ? '1 weiterer Test wird nicht angezeigt.'
        : `${count} weitere Tests werden nicht angezeigt.`,
    status: { pass: 'Bestanden', fail: 'Nicht bestanden', error: 'Fehler' },
  },
  choose: {
    title: 'Abgeben',
    drop: 'Ziehen Sie einen Ordner, Dateien oder ein Archiv hierher.',
    limits: (files, megabytes) =>
      `Höchstens ${files} Dateien und ${megabytes}. Archive: zip, tar, tar.gz oder ein git-Bundle.`,
    folder: 'Ordner auswählen',
    files: 'Dateien oder Archiv auswählen',
    reading: 'Die Dateien werden gelesen …',
    unreadable: 'Die Dateien konnten nicht gelesen werden. Wählen Sie sie noch einmal aus.',
    empty: 'Darin ist keine Datei. Wählen Sie einen anderen Ordner oder eine andere Datei.',
    tooMany: (files) =>
      `Es sind mehr als ${files}. Lassen Sie weg, was nicht zu Ihrer Arbeit gehört, und wählen Sie noch einmal aus.`,
    tooLarge: (megabytes) =>
      `Die Dateien haben zusammen mehr als ${megabytes}. Lassen Sie weg, was nicht zu Ihrer Arbeit gehört, und wählen Sie noch einmal aus.`,
  },
  review: {
    title: 'Sehen Sie es vor der Abgabe durch',
    unknown:
      'Diese Seite kann nicht in die Datei sehen. Der Dienst liest sie, wenn sie angekommen ist. Liegt ein Ordner um die Dateien, die die Vorlage hat, nimmt der Dienst, was darin ist.',
    nothingChanged: 'Nichts unterscheidet sich von der Vorlage.',
    leftOut: (folders) => `Weggelassen, weil sie installierte Pakete enthalten: ${folders}.`,
    wrapper: (folder) => `Die Dateien werden ohne den Ordner „${folder}“ um sie herum abgegeben.`,
    missing: (count) =>
      count === 1
        ? 'Eine Datei der Vorlage fehlt. Sie wird auch in Ihrer Arbeit fehlen.'
        : `${count} Dateien der Vorlage fehlen. Sie werden auch in Ihrer Arbeit fehlen.`,
    same: (count) => `${count} unverändert`,
    added: (count) => `${count} neu`,
    changed: (count) => `${count} geändert`,
    removed: (count) => `${count} entfernt`,
    change: { added: 'Neu', changed: 'Geändert', removed: 'Entfernt' },
    lines: (path) => `Geänderte Zeilen: ${path}`,
    linesFailed: 'Die geänderten Zeilen können nicht gezeigt werden.',
    noLines: 'Diese Datei ist kein Text.',
    unchangedLines: (count) => (count === 1 ? '1 unveränderte Zeile' : `${count} unveränderte Zeilen`),
    addedLine: 'neu: ',
    removedLine: 'entfernt: ',
    send: 'Abgeben',
    cancel: 'Nicht abgeben',
  },
  sending: {
    progress: (name) => `Wird abgegeben: ${name}`,
    percent: (percent) => `${percent} abgegeben. Sie können weiterarbeiten.`,
    waiting: 'Keine Verbindung. Die Abgabe bleibt auf diesem Gerät und geht von selbst weiter.',
    refused: (sentence) => `Das wurde nicht abgegeben. ${refusedWork(sentence)}`,
  },
  receipt: {
    title: 'Abgegeben',
    latest: (when) => `Abgegeben am ${when}. Die letzte Abgabe zählt.`,
    arrived: 'Ihre Arbeit ist angekommen.',
    earlier: (count) => (count === 1 ? '1 frühere Abgabe' : `${count} frühere Abgaben`),
    hash: 'SHA-256',
    copy: 'Quittung kopieren',
    copied: 'Die Quittung wurde kopiert.',
    notCopied: 'Ihr Browser verhindert das Kopieren. Markieren Sie den Text und kopieren Sie ihn selbst.',
    unread: 'Was Sie bisher abgegeben haben, konnte nicht geladen werden.',
    nothing: 'Noch ist nichts abgegeben.',
  },
  answer: {
    label: 'Ihre Antwort',
    kept: 'Auf diesem Gerät gespeichert. Noch nicht abgegeben.',
    notKept: 'Ihr Browser speichert nicht, was Sie schreiben. Geben Sie ab, bevor Sie diese Seite verlassen.',
    asHandedIn: 'Das haben Sie abgegeben.',
    send: 'Antwort abgeben',
    empty: 'Schreiben Sie zuerst etwas.',
  },
  editor: {
    file: 'Datei',
    label: (path) => `Inhalt von ${path}`,
    hint: 'Tab rückt ein. Um den Editor zu verlassen, drücken Sie Escape und dann Tab.',
    changed: 'geändert',
    revert: 'Alle Änderungen an dieser Datei verwerfen',
    revertTitle: 'Alle Änderungen an dieser Datei verwerfen?',
    revertText:
      'Die Datei wird wieder, wie sie in der Vorlage war. Was Sie darin geschrieben haben, geht verloren.',
    cancel: 'Abbrechen',
    review: 'Durchsehen und abgeben',
    close: 'Editor schließen',
    notText: 'Diese Datei ist kein Text und kann hier nicht geändert werden.',
    plain: 'Der Editor konnte nicht geladen werden. Sie können in dieses Feld schreiben.',
  },
  quoted: (title) => `„${title}“`,
  missing: (titles) => `Nichts abgegeben haben Sie für: ${titles}.`,
  notArrived: (titles) => `Ihre letzte Abgabe ist noch nicht angekommen für: ${titles}.`,
  changedSince: (titles) =>
    `Nicht abgegeben ist, was Sie seit der letzten Abgabe geschrieben haben: ${titles}.`,
};
