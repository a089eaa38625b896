import { request, SCRIPT_MS, within } from '../../shared/request.js';

/** Why there is no sound from a microphone. */
export type MicrophoneProblem =
  'denied' | 'none' | 'in-use' | 'unplugged' | 'unsupported' | 'outdated' | 'failed';

/** The microphone cannot be opened, or was lost. */
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

/** The problem that a browser's error means, by the error's name. */
export const problemOf = (error: unknown): MicrophoneProblem =>
  error instanceof MicrophoneFailure
    ? error.problem
    : (PROBLEMS[error instanceof Error ? error.name : ''] ?? 'failed');

/**
 * The state of an open microphone. `stopped`: a call, a headset or the browser has interrupted it; `silent`: all samples are
 * zero, as of a microphone that is switched off.
 */
export type MicrophoneHealth = 'live' | 'stopped' | 'silent';

/** Whether the service no longer has a file of this page: a newer build has taken its place. */
const isGone = async (url: string): Promise<boolean> => {
  const isMissing = await request(url).then(
    ({ status }) => status === 404,
    () => false,
  );
  if (isMissing) dispatchEvent(new Event(OUTDATED));
  return isMissing;
};

/** The event that is sent to the window if the service has a newer build than the page. */
export const OUTDATED = 'assay-outdated';

/** Receives the microphone's sound. */
export interface MicrophoneListener {
  /** PCM s16le, 16 kHz, mono, and its level from 0 to 1; 25 times a second. */
  readonly sound: (pcm: Uint8Array, level: number) => void;
  readonly health: (health: MicrophoneHealth) => void;
  /** It was unplugged, or the browser ended it. */
  readonly lost: () => void;
}

/** An open microphone. */
export interface Microphone {
  readonly label: string;
  close(): void;
}

const POLL_MS = 500;
/** Time without pieces, and time with zeros only, before it is reported. Pieces come every 40 ms. */
const STOPPED_MS = 1_500;
const SILENT_MS = 2_500;
/** Longest wait for the browser to begin recording. */
const RESUME_MS = 1_000;
/** Events of a candidate after which a browser lets the page play and record again. */
const GESTURES = ['pointerdown', 'keydown'] as const;

/**
 * Asks for the microphone and listens to it. After an interruption by a call, a headset or the browser it resumes as soon
 * as it can.
 * @param worklet the address of `worklet.ts`
 * @throws {MicrophoneFailure}
 */
export const openMicrophone = async (worklet: string, on: MicrophoneListener): Promise<Microphone> => {
  // Old browsers have no `mediaDevices`, nor have pages without https.
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
  let context: AudioContext | null = null;
  const closing = new AbortController();
  const close = () => {
    closing.abort();
    for (const one of stream.getTracks()) one.stop();
    void context?.close().catch(() => undefined);
  };
  const lose = () => {
    if (closing.signal.aborted) return;
    close();
    on.lost();
  };
  try {
    if (track === undefined) throw new MicrophoneFailure('none');
    const opened = (context = new AudioContext());
    await within(SCRIPT_MS, opened.audioWorklet.addModule(worklet)).catch(async (error: unknown) => {
      throw (await isGone(worklet)) ? new MicrophoneFailure('outdated') : error;
    });
    const resuming = opened.resume().catch(() => undefined);
    // During a phone call the promise stays pending.
    await Promise.race([resuming, new Promise((done) => setTimeout(done, RESUME_MS))]);
    const watch = new HealthWatch(opened, track, on.health, lose);
    const capture = new AudioWorkletNode(opened, 'capture', { numberOfOutputs: 0 });
    capture.port.onmessage = ({ data }: MessageEvent<{ pcm: Uint8Array; level: number }>) => {
      watch.heard(data.level);
      on.sound(data.pcm, data.level);
    };
    opened.createMediaStreamSource(stream).connect(capture);
    watch.start(devices, closing.signal);
    return { label: track.label, close };
  } catch (error) {
    close();
    throw new MicrophoneFailure(problemOf(error));
  }
};

/** Detects that no sound comes, whether or not the browser reports it, and resumes recording. */
class HealthWatch {
  private heardAt = performance.now();
  private loudAt = performance.now();
  private health: MicrophoneHealth = 'live';

  constructor(
    private readonly context: AudioContext,
    private readonly track: MediaStreamTrack,
    private readonly changed: (health: MicrophoneHealth) => void,
    private readonly lose: () => void,
  ) {}

  start(devices: MediaDevices, signal: AbortSignal): void {
    const { context, track } = this;
    const resume = () => this.resume();
    const timer = setInterval(() => this.check(), POLL_MS);
    signal.addEventListener('abort', () => clearInterval(timer));
    context.addEventListener('statechange', resume, { signal });
    for (const name of ['mute', 'unmute']) track.addEventListener(name, resume, { signal });
    track.addEventListener('ended', this.lose, { signal });
    document.addEventListener('visibilitychange', resume, { signal });
    for (const name of GESTURES) addEventListener(name, resume, { signal, capture: true });
    // If a device is unplugged, some browsers end its track, and others only remove it from the list.
    const listed = () => {
      void devices.enumerateDevices().then((all) => {
        const id = track.getSettings().deviceId;
        const named = all.filter(({ kind, deviceId }) => kind === 'audioinput' && deviceId !== '');
        if (id && named.length > 0 && !named.some(({ deviceId }) => deviceId === id)) this.lose();
        else resume();
      }, resume);
    };
    devices.addEventListener('devicechange', listed, { signal });
  }

  heard(level: number): void {
    this.heardAt = performance.now();
    if (level > 0) this.loudAt = this.heardAt;
    // At once, not at the next poll, since sound is recorded again from now on.
    if (this.health !== 'live' && level > 0) this.check();
  }

  private resume(): void {
    if (this.context.state === 'running' || this.context.state === 'closed') {
      this.check();
      return;
    }
    void this.context.resume().then(
      () => this.check(),
      () => this.check(),
    );
  }

  private check(): void {
    const { context, track } = this;
    if (track.readyState === 'ended' || context.state === 'closed') {
      this.lose();
      return;
    }
    const now = performance.now();
    const stopped = context.state !== 'running' || track.muted || now - this.heardAt > STOPPED_MS;
    if (stopped && context.state !== 'running' && document.visibilityState === 'visible')
      void context.resume().catch(() => undefined);
    const health = stopped ? 'stopped' : now - this.loudAt > SILENT_MS ? 'silent' : 'live';
    if (health === this.health) return;
    this.health = health;
    this.changed(health);
  }
}
