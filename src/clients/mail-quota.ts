import { Serial } from '../core/concurrency.js';
import { normaliseEmail } from '../core/email-address.js';
import type { KeyedHasher } from '../core/keyed-hash.js';
import { DAY_MS } from '../core/timestamp.js';
import type { Vault } from '../vault/port.js';
import { SealedRecords } from '../vault/sealed-records.js';

/** How many mails one address may get in 24 hours, from all organisations together. */
export const ADDRESS_MAILS_PER_DAY = 10;

/** Kinds of the vault's records: stored names. */
const ADDRESS = 'mails to an address';
const ORGANISATION = 'mails of an organisation';
/**
 * An organisation's mails are counted by quarters of an hour, since a time for each mail would make the record large.
 */
const STEP_MS = 15 * 60 * 1_000;

/** A mail's id, and when it was counted, in milliseconds since 1970. */
type Counted = readonly [mail: string, at: number];
/** When a quarter of an hour began, in milliseconds since 1970, and how many mails were counted in it. */
type Step = readonly [from: number, mails: number];

/** An organisation has reached its limit of mails in 24 hours. Callers of `MailQuota` throw it. */
export class MailsLimited extends Error {
  override readonly name = 'MailsLimited';

  /** @param seconds until the organisation may send another mail */
  constructor(readonly seconds: number) {
    super(
      'This organisation has asked for as many mails as it may in 24 hours: wait, or let the operator raise MAILS_PER_DAY.',
    );
  }
}

/**
 * Counts the mails of the last 24 hours to each address and of each organisation. The counts are in the vault, so all
 * processes share them. The sender counts by address, the use cases that request mails count by organisation. Counts of
 * more than a quarter of an hour in the future are ignored, since a clock was wrong. All methods throw what the vault
 * throws.
 */
export class MailQuota {
  readonly #records: SealedRecords;
  // An organisation's record changes with each invitation. The calls of this process are queued, so that they do not
  // conflict.
  readonly #turns = new Serial();

  /**
   * @param perOrganisation limit of an organisation in 24 hours; `null`: the service sends no mails, and counts none
   */
  constructor(
    private readonly vault: Pick<Vault, 'shortLived'>,
    hasher: KeyedHasher,
    private readonly perOrganisation: number | null,
    private readonly now: () => number = Date.now,
  ) {
    this.#records = new SealedRecords(vault, hasher, now);
  }

  /**
   * Counts a mail to an address, unless the same mail was counted in the last 24 hours.
   * @returns when it may be sent, in milliseconds since 1970; `null`: now
   */
  countForAddress(email: string, mail: string): Promise<number | null> {
    return this.#records.update<readonly Counted[], number | null>(
      ADDRESS,
      normaliseEmail(email),
      (stored) => {
        const now = this.now();
        const counted = (stored ?? []).filter(([, at]) => at > now - DAY_MS && at <= now + STEP_MS);
        if (counted.some(([known]) => known === mail)) return { answer: null };
        // Set if the limit is reached: once this mail is 24 hours old, there is room for another.
        const oldest = counted.at(-ADDRESS_MAILS_PER_DAY);
        if (oldest !== undefined) return { answer: oldest[1] + DAY_MS };
        return { answer: null, to: { value: [...counted, [mail, now]], seconds: DAY_MS / 1_000 } };
      },
    );
  }

  /** Counts a mail of an organisation. @returns seconds until the limit allows it, and it is not counted; 0: counted */
  countForOrganisation(organisationId: string): Promise<number> {
    return this.#change(organisationId, (steps, limit, now) => {
      const wait = waitFor(steps, limit, 1, now);
      return wait > 0 ? { wait } : { wait, steps: withMails(steps, now, 1) };
    });
  }

  /** Seconds until an organisation may send that many mails; 0: now. Counts nothing. */
  secondsUntilRoom(organisationId: string, mails: number): Promise<number> {
    return this.#change(organisationId, (steps, limit, now) => ({ wait: waitFor(steps, limit, mails, now) }));
  }

  /** Uncounts a mail of an organisation. Call it if the invitation was refused after `countForOrganisation`. */
  async giveBack(organisationId: string): Promise<void> {
    await this.#change(organisationId, (steps, _, now) => ({ wait: 0, steps: withMails(steps, now, -1) }));
  }

  /** Removes the vault's short-lived entries that have expired, these counts among them. */
  async sweep(): Promise<void> {
    await this.vault.shortLived.sweep(this.now());
  }

  /** @param change returns the wait, and the steps to store if they change. @returns the wait, in seconds */
  async #change(
    organisationId: string,
    change: (
      steps: readonly Step[],
      limit: number,
      now: number,
    ) => { readonly wait: number; readonly steps?: readonly Step[] },
  ): Promise<number> {
    const limit = this.perOrganisation;
    if (limit === null) return 0;
    const counted = (): Promise<number> =>
      this.#records.update<readonly Step[], number>(ORGANISATION, organisationId, (stored) => {
        const now = this.now();
        const known = (stored ?? []).filter(
          ([from]) => from + STEP_MS > now - DAY_MS && from <= now + STEP_MS,
        );
        const { wait, steps } = change(known, limit, now);
        return { answer: wait, ...(steps && { to: { value: steps, seconds: (DAY_MS + STEP_MS) / 1_000 } }) };
      });
    return this.#turns.run(organisationId, counted);
  }
}

/** The steps with one mail more in the current quarter of an hour, or one less in the last that has any. */
const withMails = (steps: readonly Step[], now: number, mails: 1 | -1): readonly Step[] => {
  const from = now - (now % STEP_MS);
  const changed = steps.findLastIndex(([begun, count]) => (mails > 0 ? begun === from : count > 0));
  if (changed >= 0)
    return steps.map(([begun, count], index) => [begun, index === changed ? count + mails : count]);
  return mails < 0 ? steps : [...steps, [from, mails]];
};

/** Seconds until that many further mails are within the limit; for more than the limit, until no mail is counted. */
const waitFor = (steps: readonly Step[], limit: number, mails: number, now: number): number => {
  let over = steps.reduce((sum, [, count]) => sum + count, 0) + Math.min(mails, limit) - limit;
  if (over <= 0) return 0;
  for (const [from, count] of steps) {
    over -= count;
    if (over <= 0) return Math.ceil((from + STEP_MS + DAY_MS - now) / 1_000);
  }
  return DAY_MS / 1_000;
};
