import { describe, expect, it } from '@jest/globals';
import type { Api } from '../../shared/api.js';
import { type Draft, Drafts } from './drafts.js';

const SESSION = 'session';

/** Drafts that a tab left behind, as the next one finds them. */
const given = (...drafts: readonly Draft[]) => {
  const kept = new Map<string, string>();
  const storage = {
    get: (name: string) => kept.get(name) ?? null,
    set: (name: string, value: string | null) => {
      if (value === null) kept.delete(name);
      else kept.set(name, value);
    },
  };
  const before = new Drafts(storage, SESSION);
  drafts.forEach((draft) => before.keep(draft));
  return new Drafts(storage, SESSION);
};

/** A service that has recorded these messages. */
const service = (recorded: readonly string[]) => {
  const asked: string[] = [];
  const get = (path: string) => {
    asked.push(path);
    return Promise.resolve({ ended: true, lastAudioSeq: 0, recorded });
  };
  return { asked, get: get as Api['get'] };
};

const texts = (drafts: Drafts) => drafts.all().map(({ turn, kind, text }) => [turn, kind, text]);
const inTwo: Draft = {
  turn: 1,
  kind: 'answer',
  text: 'First. Second.',
  sent: [
    { id: 'a', text: 'First. ' },
    { id: 'b', text: 'Second.' },
  ],
};

describe('what is kept as not sent, after the tab that sent it is gone', () => {
  it('is none of what the service has recorded, whole or in parts', async () => {
    const drafts = given(inTwo, { turn: 2, kind: 'correction', text: 'C', sent: [{ id: 'c', text: 'C' }] });
    await drafts.askWhatWasRecorded(service(['a', 'c']));
    expect(texts(drafts)).toEqual([[1, 'answer', 'Second.']]);
    await drafts.askWhatWasRecorded(service(['b']));
    expect(texts(drafts)).toEqual([]);
  });

  it('is what was never sent, or was changed since: about that the service is not asked', async () => {
    const drafts = given({ turn: 1, kind: 'answer', text: 'Never.' }, { ...inTwo, turn: 2 });
    drafts.keep({ turn: 2, kind: 'answer', text: 'First. Second. Third.' });
    const { asked, get } = service(['a', 'b']);
    await drafts.askWhatWasRecorded({ get });
    expect(asked).toEqual([]);
    expect(texts(drafts)).toEqual([
      [1, 'answer', 'Never.'],
      [2, 'answer', 'First. Second. Third.'],
    ]);
  });

  it('ends part by part as the interview tells what was recorded, in any order', () => {
    const drafts = given({ turn: 1, kind: 'correction', text: 'Own.' }, inTwo);
    drafts.closed(1, 'First.');
    expect(texts(drafts)).toEqual([[1, 'correction', 'Own.\nSecond.']]);
    drafts.closed(1, 'Second.');
    expect(texts(drafts)).toEqual([[1, 'correction', 'Own.\n']]);
    drafts.closed(1, 'Own.');
    expect(texts(drafts)).toEqual([]);
  });

  it('keeps the question that it is for, which its turn does not number: follow-ups are turns too', () => {
    const drafts = given({ turn: 3, kind: 'answer', text: 'Mine.', question: 'Why?' });
    drafts.closed(3, 'I was heard.');
    expect(drafts.all()).toEqual([{ turn: 3, kind: 'correction', text: 'Mine.', question: 'Why?' }]);
    drafts.keep({ turn: 3, kind: 'answer', text: 'More.', question: 'Why?' });
    drafts.closed(3, 'I was heard again.');
    expect(drafts.all()).toMatchObject([{ text: 'Mine.\nMore.', question: 'Why?' }]);
  });

  it('becomes a correction where something else was recorded, and is known by its messages still', async () => {
    const drafts = given(inTwo);
    drafts.closed(1, 'I was heard.');
    expect(texts(drafts)).toEqual([[1, 'correction', 'First. Second.']]);
    await drafts.askWhatWasRecorded(service(['a', 'b']));
    expect(texts(drafts)).toEqual([]);
  });
});
