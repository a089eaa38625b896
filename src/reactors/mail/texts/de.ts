import { type MailTexts, timeIn } from './texts.js';

const time = timeIn('de-DE');

/** German. */
export const DE: MailTexts = {
  greeting: (name) => (name === null ? 'Guten Tag,' : `Guten Tag ${name},`),
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
