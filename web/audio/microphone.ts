/** Why there is no sound from a microphone. */
export type MicrophoneProblem = 'denied' | 'none' | 'in-use' | 'unplugged' | 'unsupported' | 'failed';

export class MicrophoneFailure extends Error {
  override readonly name = 'MicrophoneFailure';

  constructor(readonly problem: MicrophoneProblem) {
    super(problem);
  }
}

const PROBLEMS: Readonly<Record<string, MicrophoneProblem>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'none',
  OverconstrainedError: 'none',
  NotReadableError: 'in-use',
  AbortError: 'in-use',
};

/** By the name of the browser's error. */
export const problemOf = (error: unknown): MicrophoneProblem =>
  error instanceof MicrophoneFailure
    ? error.problem
    : (PROBLEMS[error instanceof Error ? error.name : ''] ?? 'failed');

export interface MicrophoneListener {
  /** PCM s16le, 16 kHz, mono, and its level from 0 to 1; 25 times a second. */
  readonly sound: (pcm: Uint8Array, level: number) => void;
  /** It was unplugged, or taken away. */
  readonly lost: () => void;
}

export interface Microphone {
  readonly label: string;
  close(): void;
}

/**
 * Asks for the microphone and listens to it.
 * @param worklet the address of `worklet.ts`
 * @throws {MicrophoneFailure}
 */
export const openMicrophone = async (worklet: string, on: MicrophoneListener): Promise<Microphone> => {
  // Old browsers, and pages without https, have none.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (devices === undefined || typeof AudioWorkletNode === 'undefined')
    throw new MicrophoneFailure('unsupported');
  const stream = await devices
    .getUserMedia({
      audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 },
    })
    .catch((error: unknown) => {
      throw new MicrophoneFailure(problemOf(error));
    });
  const [track] = stream.getAudioTracks();
  const context = new AudioContext();
  const close = () => {
    devices.removeEventListener('devicechange', changed);
    for (const one of stream.getTracks()) one.stop();
    void context.close().catch(() => undefined);
  };
  const lose = () => {
    close();
    on.lost();
  };
  // Some browsers end the track of an unplugged device, some only leave it out of the list.
  const changed = () => {
    void devices.enumerateDevices().then((all) => {
      const id = track?.getSettings().deviceId;
      const named = all.filter(({ kind, deviceId }) => kind === 'audioinput' && deviceId !== '');
      if (id && named.length > 0 && !named.some(({ deviceId }) => deviceId === id)) lose();
    });
  };
  try {
    if (track === undefined) throw new MicrophoneFailure('none');
    await context.audioWorklet.addModule(worklet);
    await context.resume();
    const capture = new AudioWorkletNode(context, 'capture', { numberOfOutputs: 0 });
    capture.port.onmessage = ({ data }: MessageEvent<{ pcm: Uint8Array; level: number }>) =>
      on.sound(data.pcm, data.level);
    context.createMediaStreamSource(stream).connect(capture);
    track.addEventListener('ended', lose);
    devices.addEventListener('devicechange', changed);
    return { label: track.label, close };
  } catch (error) {
    close();
    throw new MicrophoneFailure(problemOf(error));
  }
};
