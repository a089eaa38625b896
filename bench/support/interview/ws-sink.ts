import type { AddressInfo } from 'node:net';
import { type RawData, WebSocketServer } from 'ws';

/*
 * A program, `node ws-sink.js`: the baseline of the interview's socket, bare `ws` without a service. It checks the order of
 * audio frames, acknowledges them at the end of a turn, and echoes texts. It prints its URL once it listens.
 */

/** Where a frame's header has its flags and its `seq` (`audio-frame.ts`). */
const FLAGS_AT = 1;
const SEQ_AT = 4;
const END_OF_TURN = 1;

const server = new WebSocketServer({
  host: '127.0.0.1',
  port: 0,
  perMessageDeflate: false,
  maxPayload: 32 * 1024,
});

server.on('connection', (socket) => {
  let last = 0;
  socket.on('message', (data: RawData, isBinary) => {
    const bytes = data as Buffer;
    if (!isBinary) {
      socket.send(bytes.toString('utf8'));
      return;
    }
    const seq = bytes.readUInt32BE(SEQ_AT);
    if (seq !== last + 1) socket.close(4400);
    last = seq;
    if (bytes[FLAGS_AT] === END_OF_TURN)
      socket.send(JSON.stringify({ type: 'audio.ack', lastAudioSeq: last }));
  });
});
server.once('listening', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.once('SIGTERM', () => process.exit(0));
