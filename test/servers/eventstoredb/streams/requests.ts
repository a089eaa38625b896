import type shared from '@eventstore/db-client/generated/shared_pb.js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Expectation, Proposed } from '../log/entry.js';
import { invalidArgument, maxAppendSizeExceeded, metadataMissing } from './rpc-errors.js';

export const MAX_APPEND_BYTES = 1024 * 1024;

export const streamName = (identifier: shared.StreamIdentifier | undefined): string => {
  const name = Buffer.from(identifier?.getStreamName_asU8() ?? []).toString();
  if (name === '') throw invalidArgument('A stream has a name.');
  return name;
};

/** A UUID as text, in lower case, as the server stores it. */
function uuidText(uuid: shared.UUID | undefined): string {
  const structured = uuid?.getStructured();
  if (!structured) return (uuid?.getString() ?? '').toLowerCase();
  const half = (bits: string): string => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0');
  const hex = half(structured.getMostSignificantBits()) + half(structured.getLeastSignificantBits());
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

interface ExpectationOptions {
  hasRevision(): boolean;
  getRevision(): string;
  hasNoStream(): boolean;
  hasAny(): boolean;
  hasStreamExists(): boolean;
}

export function expectation(options: ExpectationOptions): Expectation {
  if (options.hasRevision()) return BigInt(options.getRevision());
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasAny()) return 'any';
  if (options.hasStreamExists()) return 'stream_exists';
  throw invalidArgument('An append says what it expects.');
}

type Message = streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage;

/** Collects the events of one append, and refuses them once they are too large together. */
export class Proposal {
  readonly events: Proposed[] = [];
  #size = 0;

  /** @throws {RpcError} the append is too large, or the event lacks what every event has */
  add(message: Message): void {
    const metadata = message.getMetadataMap();
    const type = metadata.get('type');
    const contentType = metadata.get('content-type');
    if (type === undefined) throw metadataMissing('type');
    if (contentType === undefined) throw metadataMissing('content-type');
    const data = message.getData_asU8();
    const customMetadata = message.getCustomMetadata_asU8();
    // The size on disk: the type counts as UTF-16.
    this.#size += data.length + customMetadata.length + 2 * type.length;
    if (this.#size > MAX_APPEND_BYTES) throw maxAppendSizeExceeded(MAX_APPEND_BYTES);
    this.events.push({ id: uuidText(message.getId()), type, contentType, data, metadata: customMetadata });
  }
}
