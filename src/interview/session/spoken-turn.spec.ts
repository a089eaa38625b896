import { expect, it } from '@jest/globals';
import { spoken } from '../../../test/support/pcm.js';
import { QuestionClock } from './clocks.js';
import { SpokenTurn } from './spoken-turn.js';

it('a turn that is restored has the first gap and any end that its chunks have', () => {
  const turn = new SpokenTurn(new QuestionClock(1, () => 0), 500);
  const pcm = Buffer.concat(spoken(400));
  turn.restore(pcm, 40, true);
  turn.restore(pcm, null, false);
  turn.restore(pcm, 90, false);
  expect(turn).toMatchObject({ answerGapMs: 40, isOver: true, durationMs: 1_200 });
});
