import { closedLoop } from '../support/closed-loop.js';
import { answers, type PeerEvent, type View } from './domain.js';
import { openStore } from './open.js';

/**
 * Appends events through emmett alone and folds them into a view, then rebuilds that view.
 * `node log.js sqlite|postgresql LOCATION EVENTS WRITERS` prints `{"append": …, "rebuild": …}`, events a second.
 */
const [kind = '', location = '', events = '0', writers = '0'] = process.argv.slice(2);
const count = Number(events);
/** Appends to one stream before a writer takes the next, about as long as an aggregate's life. */
const STREAM_LENGTH = 20;

const answered = (session: string, question: number): PeerEvent => ({
  type: 'QuestionAnswered',
  data: {
    sessionId: session,
    question,
    milliseconds: (question * 7919) % 90_000,
    text: 'Moved the parser behind its own interface and added the two failing cases. '.repeat(2),
  },
});

const store = await openStore(kind, location, [answers as View]);
const append = await closedLoop(Number(writers), count, async (writer, turn) => {
  const session = `${process.pid}-${writer}-${Math.floor(turn / STREAM_LENGTH)}`;
  const revision = turn % STREAM_LENGTH;
  const stored = await store.append(`session-${session}`, revision, [answered(session, revision)]);
  if (!stored) throw new Error('The peer refused an append to a stream that has no other writer.');
});

const start = performance.now();
const documents = await store.rebuild(answers as View);
const rebuild = (count * 1_000) / (performance.now() - start);
if (documents < count / STREAM_LENGTH)
  throw new Error(`The rebuild made ${documents} documents, fewer than there are streams.`);
await store.close();
console.log(JSON.stringify({ append, rebuild }));
process.exit(0);
