import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../../test/support/eventually.js';
import { dropAll, type FakeClient, InterviewRig, transcriber } from '../../../test/support/interview-rig.js';
import { ReadPauses } from '../socket/flow.js';

afterEach(dropAll);

/** So much audio that more would be unbounded memory while none of it can be stored. */
const FRAMES = 170;
const FRAME = new Uint8Array(3_200);
/** So many messages that more would be unbounded memory while the first cannot be recorded. */
const MESSAGES = 140;
const FLOW_MS = 20;

const gate = () => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
};

const waitsFor =
  <A extends unknown[], R>(opened: Promise<void>, append: (...given: A) => Promise<R>) =>
  async (...given: A): Promise<R> => {
    await opened;
    return append(...given);
  };

/** A client that has come back in turn 1, so that it may send much audio at once. */
const reconnected = async () => {
  const rig = new InterviewRig({ speech: { transcriber: transcriber(() => ''), synthesiser: 'client' } });
  const visitor = await rig.session();
  const first = rig.connect(visitor);
  await first.hearsQuestion(1);
  first.drop();
  const client = rig.connect(visitor);
  const events: string[] = [];
  const pauses = new ReadPauses(FLOW_MS, {
    pause: () => events.push('stops reading'),
    resume: () => events.push('reads on'),
    notify: (state) => events.push(`tells ${state}`),
  });
  client.pause = () => pauses.pause();
  await client.hearsQuestion(1);
  return { rig, client, events };
};

const flood = (client: FakeClient): void => {
  for (let seq = 1; seq <= FRAMES; seq += 1) client.speak({ turn: 1, seq, pcm: FRAME });
  client.say({ type: 'interrupt', id: 'first', turn: 1, playedMs: 0 });
  for (let nth = 1; nth < MESSAGES; nth += 1) client.say({ type: 'question.repeat', id: `r${nth}`, turn: 1 });
};

describe('a client that sends faster than both stores take it', () => {
  it('is read again once less than 512 KiB of its audio wait, and no sooner', async () => {
    const { rig, client } = await reconnected();
    let stored = 0;
    const append = rig.audio.append.bind(rig.audio);
    rig.audio.append = async (...given) => {
      const answer = await append(...given);
      stored += given[2].pcm.byteLength;
      return answer;
    };
    const storedAtRelease: number[] = [];
    client.pause = () => () => storedAtRelease.push(stored);
    const frames = 250;
    for (let seq = 1; seq <= frames; seq += 1) client.speak({ turn: 1, seq, pcm: FRAME });
    await eventually(() => client.of('audio.ack').at(-1)?.lastAudioSeq === frames);
    const waiting = storedAtRelease.map((bytes) => frames * FRAME.byteLength - bytes);
    expect(waiting).toEqual([480_000]);
  });

  it.each(['the audio', 'the events'])(
    'is read again once all of it is taken, %s first, and nothing of it is lost',
    async (first) => {
      const { rig, client, events } = await reconnected();
      const [audio, log] = [gate(), gate()];
      rig.audio.append = waitsFor(audio.opened, rig.audio.append.bind(rig.audio));
      rig.eventStore.append = waitsFor(log.opened, rig.eventStore.append.bind(rig.eventStore));
      flood(client);
      expect(events).toEqual(['stops reading']);
      await eventually(() => events.length > 1);
      const audioIsTaken = () => client.of('audio.ack').some((ack) => ack.lastAudioSeq === FRAMES);
      const messagesAreTaken = () => client.of('ack').length === MESSAGES;
      const [open, isTaken, openOther, isOtherTaken] =
        first === 'the audio'
          ? [audio.open, audioIsTaken, log.open, messagesAreTaken]
          : [log.open, messagesAreTaken, audio.open, audioIsTaken];
      open();
      await eventually(() => isTaken());
      await sleep(2 * FLOW_MS);
      expect(isOtherTaken()).toBe(false);
      expect(events).toEqual(['stops reading', 'tells pause']);
      openOther();
      await eventually(() => isOtherTaken());
      expect(events).toEqual(['stops reading', 'tells pause', 'reads on', 'tells resume']);
      expect(client.of('error')).toEqual([]);
      expect(client.closing).toBeNull();
    },
  );
});
