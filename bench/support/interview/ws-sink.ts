import type { AddressInfo } from 'node:net';
import { type RawData, WebSocketServer } from 'ws';

/**
 * Bare `ws`, in a process of its own: it looks at the order of audio frames, says how far it is at the end of a turn,
 * and answers a text with itself. Prints its URL once it listens. `node ws-sink.js`
 */
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
    const seq = bytes.readUInt32BE(4);
    if (seq !== last + 1) socket.close(4400);
    last = seq;
    if (bytes[1] === 1) socket.send(JSON.stringify({ type: 'audio.ack', lastAudioSeq: last }));
  });
});
server.once('listening', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.once('SIGTERM', () => process.exit(0));
