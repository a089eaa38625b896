/** A store did not answer in time. The call may or may not have taken effect: try again. */
export abstract class Unavailable extends Error {
  abstract readonly code: string;
}

/** The event store did not answer in time: the events may or may not have been stored. */
export class StoreUnavailable extends Unavailable {
  readonly code = 'store_unavailable';
  override readonly name = 'StoreUnavailable';
}

/** The vault is unreachable or did not answer in time: the call may or may not have taken effect. Try again. */
export class VaultUnavailable extends Unavailable {
  readonly code = 'vault_unavailable';
  override readonly name = 'VaultUnavailable';
}

/** An append that is invalid in itself: sending it again is useless. Nothing was stored. */
export class AppendRefused extends Error {
  readonly code = 'append_refused';
  override readonly name: string = 'AppendRefused';
}

/** An append larger than the store accepts at once. Nothing was stored. */
export class AppendTooLarge extends AppendRefused {
  override readonly name = 'AppendTooLarge';
}

/** The store's files are damaged, of a newer version or not ours. The message says what an operator can do. */
export class StoreUnusable extends Error {
  readonly code = 'store_unusable';
  override readonly name = 'StoreUnusable';
}

/** The beginning of a stream is missing in the store: the rest must not pass for the whole stream. */
export class StreamIncomplete extends StoreUnusable {
  /** @param first the revision of the first event that is left; `null`: none is */
  constructor(stream: string, first: number | null) {
    const left = first === null ? 'no event is left of it' : `it begins with event ${first + 1}`;
    super(
      `The stream’s beginning is missing: of ${stream}, ${left}. The event store has let go of the rest: restore the log from its backup.`,
    );
  }
}

/** A stored event that is not as the codec writes events. The message names its place and nothing of its content. */
export class DamagedEvent extends Error {
  readonly code = 'damaged_event';
  override readonly name = 'DamagedEvent';
  /** @param what is wrong, as a part of a sentence */
  constructor(
    event: { readonly id: string; readonly stream: string; readonly revision: number },
    readonly what: string,
  ) {
    super(
      `Event ${event.id} (${event.stream}, revision ${event.revision}) is damaged: ${what}. Restore the log from its backup.`,
    );
  }
}

/** Whether an error has that `code`, as errors of the system have (`ENOENT`). */
export const hasCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;

/** Whether a call of the system has failed, such as one that reads or writes a file. Its message names the call. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'errno' in error && 'code' in error;

/** Whether an error's code is of OpenSSL's verification or handshake. */
export const isTlsCode = (code: string): boolean =>
  /^ERR_(SSL|TLS)_|CERT|^EPROTO$|^UNABLE_TO_|SIGNATURE|^HOSTNAME_MISMATCH$|CHAIN/.test(code);

/** An error's message, or the text of what was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
