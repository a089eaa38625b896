import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Proposed } from './entry.js';

/** Ticks of 100 ns since 1970, as the server tells when an event was written. */
const now = (): string => `${BigInt(Date.now()) * 10_000n}`;

/** The answer that hands an event to a reader, encoded once and for good. */
export function encodeFrame(stream: string, revision: bigint, position: number, event: Proposed): Buffer {
  const at = position.toString();
  const record = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)))
    .setStreamRevision(revision.toString())
    .setPreparePosition(at)
    .setCommitPosition(at)
    .setData(event.data)
    .setCustomMetadata(event.metadata);
  record
    .getMetadataMap()
    .set('type', event.type)
    .set('created', now())
    .set('content-type', event.contentType);
  const read = new streams.ReadResp.ReadEvent().setEvent(record).setCommitPosition(at);
  return Buffer.from(new streams.ReadResp().setEvent(read).serializeBinary());
}

/** The data of the event in a frame. */
export const dataOf = (frame: Uint8Array): Uint8Array =>
  streams.ReadResp.deserializeBinary(frame).getEvent()?.getEvent()?.getData_asU8() ?? new Uint8Array();
