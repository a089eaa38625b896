import type { ErasureAnnouncer } from '../../application/applications/erase-candidate.js';
import type { MailQuota } from '../../clients/mail-quota.js';
import type { Mail, Mailer } from '../../clients/mail.js';
import { pause } from '../../core/backoff.js';
import type { CommandStreams } from '../../core/handle.js';
import { candidate } from '../../domain/candidate/decider.js';
import { organisation } from '../../domain/organisation/decider.js';
import { reasonOf } from '../../engine/errors.js';
import type { EngineLog } from '../../engine/log.js';
import { erasureText, senderOf } from './letter.js';

type ErasureMail = Mail & { readonly id: string };

/** Wait before each attempt, in milliseconds. */
const WAITS_MS = [0, 30_000, 120_000];

/**
 * Sends candidates a mail that they were erased. The erasure deletes their address, so it is held in this process's
 * memory alone until the last attempt has ended: a few minutes, at most a quarter of an hour, since each attempt has a time limit. The mail is lost if
 * the process ends, or if the mail server is unavailable for longer.
 */
export class ErasureMails implements ErasureAnnouncer {
  readonly #stopping = new AbortController();

  /** @param mailer `null`: no mails are sent */
  constructor(
    private readonly streams: CommandStreams,
    private readonly mailer: Mailer | null,
    private readonly quota: Pick<MailQuota, 'countForAddress'>,
    private readonly log: EngineLog,
    private readonly waitsMs: readonly number[] = WAITS_MS,
  ) {}

  async prepare(candidateId: string): Promise<() => void> {
    const mail = this.mailer && (await this.mailTo(candidateId));
    return () => void (mail && this.send(mail));
  }

  /** Ends all attempts at once. Mails that are not sent by then are lost. */
  stop(): Promise<void> {
    this.#stopping.abort();
    return Promise.resolve();
  }

  private async mailTo(candidateId: string): Promise<ErasureMail | null> {
    const { state: person } = await this.streams.read(candidate, candidateId);
    const invitation = person?.invitations.at(-1);
    if (!person?.email || !invitation) return null;
    const { state: employer } = await this.streams.read(organisation, person.organisationId);
    if (!employer) return null;
    const { candidateName } = invitation;
    const text = erasureText(invitation.language, { organisationName: employer.name, candidateName });
    const sender = { senderName: senderOf(employer), timeZone: employer.timeZone };
    return { ...text, ...sender, to: person.email, id: `erasure.${candidateId}`, isUrgent: true };
  }

  private async send(mail: ErasureMail): Promise<void> {
    const { signal } = this.#stopping;
    let reason = '';
    for (const ms of this.waitsMs) {
      await pause(ms, signal);
      if (signal.aborted) return;
      try {
        const sendAt = await this.quota.countForAddress(mail.to, mail.id);
        if (sendAt !== null) {
          reason = 'The address has got as many mails as it may in 24 hours.';
          break;
        }
        await this.mailer?.send(mail, signal);
        return;
      } catch (error) {
        reason = reasonOf(error);
      }
    }
    this.log.warn({ reason }, 'A candidate could not be told of the erasure by mail.');
  }
}
