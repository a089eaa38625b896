import { newId } from './new-id.js';
import type { Actor } from './event.js';
import type { KeyedHasher } from './keyed-hash.js';

/** Who asks, and by which id the same command is known when it is sent again. */
export interface CommandContext {
  readonly commandId: string;
  /** `null`: the command cannot be sent again under its id (no Idempotency-Key), so its id need not be remembered. */
  readonly requestHash: string | null;
  readonly actor: Actor;
  readonly correlationId: string;
  readonly causationId: string | null;
  readonly now: Date;
  /** Whether nobody waits for the answer any more; left out where that cannot be told. */
  readonly isGone?: () => boolean;
}

/** What of an HTTP request makes a command known when it is sent again. */
export interface CommandSource {
  readonly correlationId: string;
  readonly idempotencyKey: string | null;
  readonly ifMatch: number | null;
  readonly method: string;
  /** The full path, query included. */
  readonly path: string;
  readonly body: unknown;
  readonly isGone?: () => boolean;
}

/** A command's context with the ids it makes: derived from its Idempotency-Key where it has one, else fresh. */
export interface RequestContext extends CommandContext {
  /** The version named by If-Match; `null`: any. */
  readonly expectedVersion: number | null;
  /** The same id for the same purpose whenever this command is sent again under its key (UUID v8), else a UUID v7. */
  newId(purpose: string): string;
  /**
   * As `newId`, for a record whose stream the command itself begins: by the key alone, so that the key sent with
   * another body comes to that same stream, whose state holds its id.
   */
  newRecordId(purpose: string): string;
}

/** The context of a command that no request asked for: it is never sent again under its id. */
export const unaskedContext = (actor: Actor, correlationId: string, now = new Date()): CommandContext => ({
  ...{ commandId: newId(), requestHash: null, actor, correlationId, causationId: null, now },
});

/** Makes command contexts from requests. The Idempotency-Key itself is never stored: only a keyed hash of it is. */
export class CommandContexts {
  constructor(
    private readonly hasher: KeyedHasher,
    private readonly clock: () => Date = () => new Date(),
  ) {}

  /**
   * @param subject the caller's: keys of different callers are independent
   * @param actor named by person if the caller's subject is personal
   */
  forRequest(source: CommandSource, subject: string, actor: Actor): RequestContext {
    const { idempotencyKey: key, method, path, isGone } = source;
    const keyed = key !== null;
    const commandId = keyed ? this.hasher.uuidV8('command', subject, method, path, key) : newId();
    const requestHash = keyed
      ? this.hasher.hmac('request', method, path, JSON.stringify(source.body ?? null))
      : null;
    return {
      commandId,
      requestHash,
      actor,
      correlationId: source.correlationId,
      causationId: null,
      now: this.clock(),
      expectedVersion: source.ifMatch,
      ...(isGone && { isGone }),
      newId: (purpose) => (keyed ? this.hasher.uuidV8('id', commandId, requestHash ?? '', purpose) : newId()),
      newRecordId: (purpose) => (keyed ? this.hasher.uuidV8('record', commandId, purpose) : newId()),
    };
  }

  /** For a command of staff. */
  forStaff(source: CommandSource, { subject }: { readonly subject: string }): RequestContext {
    return this.forRequest(source, subject, { type: 'staff', id: subject });
  }

  /** For a candidate's command about what is their own. */
  forCandidate(
    source: CommandSource,
    { subject }: { readonly subject: string },
    candidateId: string,
  ): RequestContext {
    return this.forRequest(source, subject, { type: 'candidate', id: candidateId });
  }

  /** For a reactor: known by the event that asked for it and the reactor's name, so that its effect happens once. */
  forReaction(reactor: string, causingEventId: string, correlationId: string): RequestContext {
    const commandId = this.hasher.uuidV8('reaction', reactor, causingEventId);
    return {
      commandId,
      requestHash: reactor,
      actor: { type: 'system', id: reactor },
      correlationId,
      causationId: causingEventId,
      now: this.clock(),
      expectedVersion: null,
      newId: (purpose) => this.hasher.uuidV8('id', commandId, reactor, purpose),
      newRecordId: (purpose) => this.hasher.uuidV8('record', commandId, purpose),
    };
  }

  /** For what the service itself notices about a caller, such as a first sign-in: never sent again under an id. */
  forSystem(actor: Actor, correlationId: string): RequestContext {
    const ids = { newId: () => newId(), newRecordId: () => newId() };
    return { ...unaskedContext(actor, correlationId, this.clock()), expectedVersion: null, ...ids };
  }
}
