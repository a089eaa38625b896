import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.js';
import { dropAll, InterviewRig } from '../../../test/support/interview-rig.js';
import { MAX_ANSWER_BYTES, recordAnswer } from '../../domain/session/interview-decider.js';
import type { Interviewer } from '../interviewer/interviewer.js';
import { ScriptedInterviewer } from '../interviewer/moves.js';

const GOOD = 'I wrote a failing test for the parser first, then I changed 3 functions in tokens.ts.';
const activity = (id: string) => ({
  clientEventId: id,
  eventType: 'page.hidden',
  occurredAt: new Date().toISOString(),
  payload: {},
});

afterEach(dropAll);

/** An interviewer that is asked for a question and answers once `answer` is called. */
const thoughtful = () => {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const scripted = new ScriptedInterviewer();
  const asked: number[] = [];
  const interviewer: Interviewer = {
    async next(soFar) {
      asked.push(soFar.questions.length);
      await answered;
      return scripted.next(soFar);
    },
  };
  return { interviewer, asked, answer: () => answer() };
};

describe('the next question', () => {
  it('is asked of the interviewer once, whatever changes the session meanwhile', async () => {
    const { interviewer, asked, answer } = thoughtful();
    const rig = new InterviewRig({ interviewer });
    const client = rig.connect(await rig.session());
    await eventually(() => asked.length > 0);
    for (const id of ['a', 'b']) {
      client.say({ type: 'activity', id, events: [activity(id)] });
      await client.hearsAck(id);
    }
    expect(asked).toEqual([0]);
    answer();
    await client.hearsQuestion(1);
  });

  it('does not end the interview where there is none, and the client has gone while that was found', async () => {
    let find = (): void => undefined;
    const found = new Promise<void>((resolve) => (find = resolve));
    const scripted = new ScriptedInterviewer();
    const interviewer: Interviewer = {
      async next(soFar) {
        if (soFar.questions.length === 0) return scripted.next(soFar);
        await found;
        return 'finished';
      },
    };
    const rig = new InterviewRig({ interviewer });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.answers(1, GOOD);
    client.drop();
    await eventually(() => rig.eventStore.log.at(-1)?.type === 'interview.disconnected');
    find();
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(await rig.typesOf(admitted)).not.toContain('interview.ended');
  });

  it('is none once the answers take up as much as they may: the interview is finished', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.answers(1, GOOD);
    await client.hearsQuestion(2);
    const plain = { connectionId: null, lastAudioSeq: 0, voice: null, transcriber: null, elapsedMs: 0 };
    const long = { ...plain, text: 'x'.repeat(MAX_ANSWER_BYTES / 8), source: 'typed', gapMs: null } as const;
    // Late answers as long as there is room, and the one to the open turn.
    for (let nth = 0; nth < 8; nth++)
      await rig.record(admitted, (state) => recordAnswer(state, { ...long, turn: 1, messageId: `${nth}` }));
    await rig.record(admitted, (state) => recordAnswer(state, { ...long, turn: 2, messageId: null }));
    expect(await client.ends()).toMatchObject({ code: 1000 });
    expect(client.of('question')).toHaveLength(2);
    expect(client.of('session.completed')).toMatchObject([{ reason: 'finished' }]);
  });
});
