import { type MailQuota, MailsLimited } from '../../clients/mail-quota.js';
import type { Handled } from '../../core/handle.js';

/**
 * Runs a command that requests a mail of an organisation. The mail is uncounted again if this sending of the command
 * requests none: it is refused, fails, or changes nothing.
 * @param run gets a function that counts the mail: call it once the command is accepted. It does nothing if the mail is
 * counted, and throws `MailsLimited` if the organisation may not ask for another mail today
 */
export const countingMail = async <S>(
  quota: Pick<MailQuota, 'countForOrganisation' | 'giveBack'>,
  organisationId: string,
  run: (count: () => Promise<void>) => Promise<Handled<S>>,
): Promise<Handled<S>> => {
  const mail = { isCounted: false, isRequested: false };
  const count = async (): Promise<void> => {
    if (mail.isCounted) return;
    const wait = await quota.countForOrganisation(organisationId);
    if (wait > 0) throw new MailsLimited(wait);
    mail.isCounted = true;
  };
  try {
    const handled = await run(count);
    mail.isRequested = handled.kind !== 'refused' && handled.changed;
    return handled;
  } finally {
    if (mail.isCounted && !mail.isRequested) await quota.giveBack(organisationId);
  }
};
