import { type Batch, batchOf, disclosedItems, personalTexts, isBatchPart, linkedItems } from './batch.js';
import { CHAIN_START, commitmentOf, type Disclosure, linker, type LinkSigner, signedBytes } from './chain.js';
import {
  freshSalt,
  metadataText,
  packPersonal,
  parseMetadata,
  parsePersonal,
  readData,
  readMetadata,
  readTail,
  unpackPersonal,
} from './codec-stored.js';
import { type MaybePromise, whenThere } from './concurrency.js';
import { DamagedEvent } from './errors.js';
import type { EncodedEvent, RecordedEvent } from './event-store.js';
import type { AnyEvent, ChainLink, ItemLink, LinkSignature, Metadata, Stored } from './event.js';
import { deepFreeze } from './json.js';
import type { JustWrittenEvents, ReadParts } from './just-written-events.js';
import { newId } from './random.js';
import { type EventDefinition, type Registry, upcast } from './registry.js';
import type { Sealer } from './sealing.js';
import { PersonErased, type PersonId } from './vault/port.js';

/**
 * The result of decoding a stored event. `newer`: written by newer code than this; `unknown`: its type is not in the
 * registry.
 */
export type Decoded =
  | { readonly kind: 'event'; readonly event: Stored }
  | { readonly kind: 'newer'; readonly type: string; readonly schemaVersion: number }
  | { readonly kind: 'unknown'; readonly type: string };

/**
 * Translates between domain events and the store's bytes: stored names, schema versions, upcasters, sealed personal
 * parts.
 */
export interface Codec {
  /**
   * @param metadata the metadata of all the events; each gets its type's schema version
   * @param chain for evidence streams: the hash of the event before the first one, `null` at a chain's beginning
   * @returns the bytes, and the last event's hash if they are chained
   * @throws {MissingKey} the person's key was never made, or is lost
   * @throws {PersonErased} the person was erased, so nothing can be sealed for them
   * @throws {TypeError} an event of an unregistered type, a personal part without a person, a signed type without a
   *   signer
   */
  encode(
    events: readonly AnyEvent[],
    metadata: Omit<Metadata, 'schemaVersion'>,
    chain?: { readonly previousHash: string | null },
  ): Promise<{ readonly encoded: readonly EncodedEvent[]; readonly lastHash: string | null }>;

  /**
   * The event upcast to its latest shape and deeply frozen. It returns a promise only if the vault has to fetch the
   * person's key: with a promise for each event, these would take most of the time of reading a long log.
   * @throws {MissingKey} the vault has neither the person's key nor a tombstone: stop, and never fold past this event
   * @throws {DamagedEvent} the bytes are not what an encoder wrote
   */
  decode(event: RecordedEvent): MaybePromise<Decoded>;

  /**
   * As `decode`, with `personal` as `null`: no key is needed and nothing is waited for.
   * @throws {DamagedEvent} the bytes are not what an encoder wrote
   */
  outline(event: RecordedEvent): Decoded;

  /**
   * The types that `decode` may return for this stored type, so that the feed decodes only what a view handles: that
   * type alone, since upcasters change shapes, never names.
   */
  latestTypes(storedType: string): readonly string[];
}

/**
 * @param registry every type that may be written, and read
 * @param signer signs the events that are declared with `signedHead`; `null`: such an event cannot be encoded
 * @param justWritten remembers what this codec encodes, if the same process soon reads it back; `null`: it does not
 */
export function createCodec(
  registry: Registry,
  sealer: Sealer,
  signer: LinkSigner | null = null,
  justWritten: JustWrittenEvents | null = null,
): Codec {
  return new JsonCodec(registry, sealer, signer, justWritten);
}

/** An event as `read` leaves it: all but the personal part, which `finish` takes once it is opened. */
interface Unopened {
  readonly person: PersonId | null;
  readonly personal: string | null;
  readonly finish: (opened: Buffer | 'erased' | null) => Decoded;
}

class JsonCodec implements Codec {
  constructor(
    private readonly registry: Registry,
    private readonly sealer: Sealer,
    private readonly signer: LinkSigner | null,
    private readonly justWritten: JustWrittenEvents | null,
  ) {}

  async encode(
    events: readonly AnyEvent[],
    metadata: Omit<Metadata, 'schemaVersion'>,
    chain?: { readonly previousHash: string | null },
  ): Promise<{ readonly encoded: readonly EncodedEvent[]; readonly lastHash: string | null }> {
    const encoded: EncodedEvent[] = [];
    let lastHash = chain ? (chain.previousHash ?? CHAIN_START) : null;
    for (const event of events) {
      const { bytes, hash } = await this.encodeOne(event, metadata, lastHash);
      encoded.push(bytes);
      lastHash = hash;
    }
    return { encoded, lastHash };
  }

  private async encodeOne(
    event: AnyEvent,
    common: Omit<Metadata, 'schemaVersion'>,
    previousHash: string | null,
  ): Promise<{ readonly bytes: EncodedEvent; readonly hash: string | null }> {
    const { type, person } = event;
    const definition = this.registry.get(type);
    if (!definition) throw new TypeError(`The event type ${type} is not in the registry.`);
    const batch = definition.batch ? batchOf(event) : null;
    const id = newId();
    const plain = JSON.stringify(event.data);
    const sealed = await this.sealPersonal(event, batch, common.requestHash);
    // In the shape that `readMetadata` returns: `justWritten` hands it out in place of the stored bytes.
    const metadata: Metadata = {
      schemaVersion: definition.version,
      ...common,
      actor: { type: common.actor.type, id: common.actor.id },
    };
    let chain: ChainLink | null = null;
    if (previousHash !== null) {
      const { schemaVersion, recordedAt, actor } = metadata;
      // A batch has a link for each of its items, in place of one for the event: each item can be proved alone.
      const parts = batch ? linkedItems(id, batch.data) : [{ eventId: id, plain }];
      const link = linker({ type, schemaVersion, recordedAt, actor, person });
      let hash = previousHash;
      const links = parts.map(({ eventId, plain }, place): ItemLink => {
        const commitment = sealed?.commitments[place] ?? null;
        hash = link(hash, { eventId, plain, commitment });
        return { commitment, hash };
      });
      const signature = this.signatureOf(event, definition, hash);
      const commitment = batch ? null : (links[0]?.commitment ?? null);
      const items = batch && { items: links };
      chain = { previousHash, commitment, hash, ...items, ...(signature && { signature }) };
    }
    const text = metadataText(metadata, { person, personal: sealed?.text ?? null, chain });
    const bytes = { id, type, data: Buffer.from(plain), metadata: Buffer.from(text) };
    this.justWritten?.keep(bytes, { data: event.data, person, personal: event.personal, metadata, chain });
    return { bytes, hash: chain?.hash ?? null };
  }

  private signatureOf(
    { type, data }: AnyEvent,
    { signedHead }: EventDefinition,
    hash: string,
  ): LinkSignature | null {
    if (!signedHead) return null;
    const head = signedHead(data);
    if (!head) throw new TypeError(`An event ${type} names no head that could be signed.`);
    if (!this.signer) throw new TypeError(`An event ${type} must be signed, and there is no key to sign it.`);
    return { keyId: this.signer.keyId, value: this.signer.sign(signedBytes(head, hash)) };
  }

  private async sealPersonal(
    { type, person, personal }: AnyEvent,
    batch: Batch | null,
    requestHash: string | null,
  ): Promise<{ readonly text: string; readonly commitments: readonly string[] } | null> {
    if (personal === null) return null;
    if (person === null) throw new TypeError(`An event ${type} has a personal part but names no person.`);
    const salt = freshSalt();
    const { text, items } = batch
      ? personalTexts(batch.personal)
      : { text: JSON.stringify(personal), items: null };
    const sealed = await this.sealer.seal(person, packPersonal({ salt, requestHash, text }));
    if (sealed === null) throw new PersonErased(person);
    return {
      text: sealed,
      commitments: (items ? disclosedItems(salt, items) : [{ salt, text }]).map(commitmentOf),
    };
  }

  decode(event: RecordedEvent): MaybePromise<Decoded> {
    const own = this.justWritten?.take(event);
    // Without a cached key the person may have been erased since the write: the vault must be read.
    if (own && (own.personal === null || this.sealer.hasKey(own.person))) return storedAs(event, own);
    const read = this.read(event);
    if ('kind' in read) return read;
    const { person, personal, finish } = read;
    if (person === null || personal === null) return finish(null);
    return whenThere(this.sealer.open(person, personal), finish);
  }

  outline(event: RecordedEvent): Decoded {
    const read = this.read(event);
    return 'kind' in read ? read : read.finish(null);
  }

  latestTypes(storedType: string): readonly string[] {
    return [storedType];
  }

  /** Reads all that needs no key; of an event of a known type and version, the rest is left to `finish`. */
  private read(event: RecordedEvent): Exclude<Decoded, { kind: 'event' }> | Unopened {
    const { type } = event;
    const definition = this.registry.get(type);
    if (!definition) return { kind: 'unknown', type };
    const metadata = parseMetadata(event);
    const { schemaVersion } = metadata;
    if (schemaVersion > definition.version) return { kind: 'newer', type, schemaVersion };
    const data = readData(event);
    const { person, personal, chain } = readTail(event, metadata);

    const finish: Unopened['finish'] = (opened) => {
      const part = opened === null || opened === 'erased' ? null : openedPart(event, person, opened, chain);
      const shape = upcast(definition, schemaVersion, { data, personal: part?.personal ?? null });
      const known = readMetadata(event, metadata);
      return storedAs(event, {
        data: shape.data,
        person,
        personal: shape.personal,
        metadata: part ? { ...known, requestHash: part.requestHash } : known,
        chain,
      });
    };
    return { person, personal, finish };
  }
}

/** @param parts are frozen */
function storedAs(event: RecordedEvent, parts: ReadParts): Decoded {
  const { id, type, stream, revision, position } = event;
  const { data, person, personal, metadata, chain } = parts;
  const stored: Stored = { type, data, person, personal, id, stream, revision, position, metadata, chain };
  return { kind: 'event', event: deepFreeze(stored) };
}

function openedPart(
  event: RecordedEvent,
  person: PersonId | null,
  opened: Buffer,
  chain: ChainLink | null,
): { readonly personal: object; readonly requestHash: string | null } {
  const { salt, requestHash, text } = unpackPersonal(event, opened);
  const personal = parsePersonal(event, text);
  // The seal is intact, but may be another event's of the same person: the chain's link commits to this event's text.
  if (chain && !isCommittedTo(chain, { salt, text }, personal))
    throw new DamagedEvent(
      event,
      `its personal part (person ${String(person)}) is not the one it was written with`,
    );
  return { personal, requestHash };
}

/**
 * Whether the link commits to this personal part. Of a batch, only the first item is checked: all items are in one
 * seal.
 */
function isCommittedTo({ commitment, items }: ChainLink, whole: Disclosure, personal: object): boolean {
  if (!items) return commitment === commitmentOf(whole);
  if (!isBatchPart(personal) || personal.items.length !== items.length) return false;
  const [first] = disclosedItems(whole.salt, [JSON.stringify(personal.items[0])]);
  return first !== undefined && commitmentOf(first) === items[0]?.commitment;
}
