import { StreamNotFoundError } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { connect as connectTo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { places, rejection, withServer } from './spec-kit.js';

interface Begun {
  readonly socket: Socket;
  readonly session: ClientHttp2Session;
  readonly call: ClientHttp2Stream;
}
type End = (begun: Begun) => unknown;

const WAYS: readonly (readonly [string, End])[] = [
  ['loses its connection', ({ socket }) => socket.destroy()],
  ['has its connection reset', ({ socket }) => socket.resetAndDestroy()],
  ['has its connection ended in good order', ({ socket }) => socket.end()],
  ['ends its session', ({ session }) => session.destroy()],
];

describe('an append that breaks off before its last event', () => {
  const { server, client } = withServer();
  const sessions: ClientHttp2Session[] = [];
  afterEach(() => sessions.splice(0).forEach((session) => session.destroy()));

  /** Sends an append's options and its first three events, without an end of the request. */
  async function begin(stream: string): Promise<Begun> {
    const url = new URL(server().url.replace('esdb:', 'http:'));
    const socket = connectTo(Number(url.port), url.hostname);
    const session = connect(url.origin, { createConnection: () => socket });
    session.on('error', () => undefined);
    sessions.push(session);
    const call = session.request({
      ':method': 'POST',
      ':path': '/event_store.client.streams.Streams/Append',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    call.on('error', () => undefined);
    call.write(framed(options(stream)));
    for (let place = 0; place < 3; place++) await written(call, framed(proposed(place)));
    return { socket, session, call };
  }

  it.each(WAYS)('stores nothing where the client %s', async (name, end) => {
    for (const [stream, afterMs] of [
      [`at-once-${name}`, 0],
      [`later-${name}`, 30],
    ] as const) {
      const begun = await begin(stream);
      await sleep(afterMs);
      end(begun);
      await sleep(60);
      expect(await rejection(places(client().readStream(stream)))).toBeInstanceOf(StreamNotFoundError);
    }
  });

  it('stores what has come whole, and only that', async () => {
    const { call } = await begin('whole');
    call.end(framed(proposed(3)));
    call.resume();
    await once(call, 'close');
    expect(await places(client().readStream('whole'))).toEqual([0, 1, 2, 3].map((at) => `whole@${at}`));
  });
});

const options = (stream: string): streams.AppendReq =>
  new streams.AppendReq().setOptions(
    new streams.AppendReq.Options()
      .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)))
      .setNoStream(new shared.Empty()),
  );

function proposed(place: number): streams.AppendReq {
  const message = new streams.AppendReq.ProposedMessage();
  message.setId(new shared.UUID().setString(`00000000-0000-4000-8000-00000000000${place}`));
  message.getMetadataMap().set('type', 'made').set('content-type', 'application/octet-stream');
  return new streams.AppendReq().setProposedMessage(message.setData(Buffer.from('{}')));
}

/** A message in the wire format: an uncompressed flag, its length, its bytes. */
function framed(request: streams.AppendReq): Buffer {
  const bytes = request.serializeBinary();
  const frame = Buffer.alloc(5 + bytes.length);
  frame.writeUInt32BE(bytes.length, 1);
  frame.set(bytes, 5);
  return frame;
}

const written = (call: ClientHttp2Stream, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    call.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
