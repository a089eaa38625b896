import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { InterviewerVoice } from './interviewer-voice.js';

/** A sound that ends when the test says so. */
class Source extends EventTarget {
  static readonly all: Source[] = [];
  buffer = null;
  connect = () => undefined;
  start = () => void Source.all.push(this);
  stop = () => this.end();
  end = () => void this.dispatchEvent(new Event('ended'));
}
class Context {
  readonly state = 'running';
  readonly currentTime = 0;
  resume = async () => undefined;
  close = async () => undefined;
  createBuffer = () => ({ duration: 1, copyToChannel: () => undefined });
  createBufferSource = () => new Source();
}

describe('the interviewer’s voice', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    Object.assign(globalThis, { AudioContext: Context });
  });
  afterEach(() => {
    jest.useRealTimers();
    Reflect.deleteProperty(globalThis, 'AudioContext');
  });

  it('ends once, by the last of two ways to its end: that of a former speech does not end the next one', async () => {
    const speaking: boolean[] = [];
    const voice = new InterviewerVoice(
      () => undefined,
      (speaks) => speaking.push(speaks),
    );
    voice.begins();
    voice.play(1, new Uint8Array(4));
    voice.endsOncePlayed();
    voice.begins();
    for (const source of Source.all) source.end();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(speaking).toEqual([true, true]);
    voice.endsOncePlayed();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(speaking).toEqual([true, true, false]);
    voice.close();
  });
});
