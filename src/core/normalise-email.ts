/**
 * The form in which e-mail addresses are compared: NFC, trimmed, lower-cased. Normalised again after lower-casing,
 * which can take a composed character apart, so that normalising twice changes nothing.
 */
export function normaliseEmail(email: string): string {
  return email.normalize('NFC').trim().toLowerCase().normalize('NFC');
}
