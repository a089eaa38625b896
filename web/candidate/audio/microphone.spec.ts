import { afterEach, describe, expect, it } from '@jest/globals';
import { openMicrophone } from './microphone.js';

const REPLACED = ['navigator', 'AudioContext', 'AudioWorkletNode'] as const;

describe('a microphone that cannot be listened to', () => {
  const before = REPLACED.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  afterEach(() =>
    REPLACED.forEach((name, at) => {
      const descriptor = before[at];
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
    }),
  );

  it('of two things opened, the microphone is closed if the sound of the page cannot be opened', async () => {
    let isOn = true;
    const track = { label: 'Desk', stop: () => (isOn = false) };
    const stream = { getTracks: () => [track], getAudioTracks: () => [track] };
    const replaced = {
      navigator: { mediaDevices: { getUserMedia: async () => stream } },
      AudioWorkletNode: () => undefined,
      AudioContext: function () {
        throw new Error('The number of audio contexts is at its limit.');
      },
    };
    for (const name of REPLACED)
      Object.defineProperty(globalThis, name, { configurable: true, value: replaced[name] });
    const nothing = () => undefined;
    const opening = openMicrophone('/worklet.js', { sound: nothing, health: nothing, lost: nothing });
    await expect(opening).rejects.toMatchObject({ name: 'MicrophoneFailure', problem: 'failed' });
    expect(isOn).toBe(false);
  });
});
