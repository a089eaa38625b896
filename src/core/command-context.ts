import type { Actor } from './event.js';
import type { KeyedHasher } from './keyed-hash.js';
import { newId } from './random.js';

/** Who sends a command, and the id by which it is recognised if it is sent again. */
export interface CommandContext {
  /** A UUID. */
  readonly commandId: string;
  /** `null`: the command cannot be sent again under its id (no Idempotency-Key), so its id need not be remembered. */
  readonly requestHash: string | null;
  readonly actor: Actor;
  /** The same for a request and for everything that reactors do because of it. */
  readonly correlationId: string;
  /** The event that the command reacts to; `null`: it reacts to none. */
  readonly causationId: string | null;
  /** The time of the command: its events' `recordedAt`. */
  readonly now: Date;
  /** Whether the client has disconnected; left out if no client waits for the command. */
  readonly isGone?: () => boolean;
}

/** The parts of an HTTP request by which a command that is sent again is recognised. */
export interface CommandSource {
  readonly correlationId: string;
  /** `null`: the request has none, and is not recognised if it is sent again. */
  readonly idempotencyKey: string | null;
  /** The version that `If-Match` names; `null`: any. */
  readonly ifMatch: number | null;
  readonly method: string;
  /** The full path, query included. */
  readonly path: string;
  readonly body: unknown;
  /** Whether the client has disconnected: its answer will not be read. */
  readonly isGone: () => boolean;
}

/** A command's context with the ids it makes: derived from its Idempotency-Key if it has one, else fresh. */
export interface RequestContext extends CommandContext {
  /** The version named by If-Match; `null`: any. */
  readonly expectedVersion: number | null;
  /** The same id for the same purpose whenever this command is sent again under its key (UUID v8), else a UUID v7. */
  newId(purpose: string): string;
  /**
   * As `newId`, for a record whose stream the command itself begins. Derived from the key alone: if the key is sent
   * again with another body, the command reaches the same stream, where its reuse is found.
   */
  newRecordId(purpose: string): string;
}

/** The context of a command that no request caused: it is never sent again under its id. */
export const unaskedContext = (actor: Actor, correlationId: string, now = new Date()): CommandContext => ({
  ...{ commandId: newId(), requestHash: null, actor, correlationId, causationId: null, now },
});

/** The actor of a member's request, as events and records of reads name it. */
export const actorOf = ({
  subject,
  apiKey,
}: {
  readonly subject: string;
  /** Key of the program that called in the member's place; absent if the member called. */
  readonly apiKey?: object;
}): Actor & { readonly type: 'staff' | 'api_key' } => ({ type: apiKey ? 'api_key' : 'staff', id: subject });

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
      isGone,
      newId: (purpose) => (keyed ? this.hasher.uuidV8('id', commandId, requestHash ?? '', purpose) : newId()),
      newRecordId: (purpose) => (keyed ? this.hasher.uuidV8('record', commandId, purpose) : newId()),
    };
  }

  /** For a candidate's command about their own data. */
  forCandidate(
    source: CommandSource,
    { subject }: { readonly subject: string },
    candidateId: string,
  ): RequestContext {
    return this.forRequest(source, subject, { type: 'candidate', id: candidateId });
  }

  /** For a reactor: its id is made from the causing event and the reactor's name, so its effect happens once. */
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

  /** For what the service itself records about a caller, such as a first sign-in: never sent again under its id. */
  forSystem(actor: Actor, correlationId: string): RequestContext {
    const ids = { newId: () => newId(), newRecordId: () => newId() };
    return { ...unaskedContext(actor, correlationId, this.clock()), expectedVersion: null, ...ids };
  }
}
