const RATE = 16_000;
const PROGRESS_MS = 250;
/** The player is stalled if its clock stops for longer than this while speech waits. */
const STALLED_MS = 1_500;

/** Plays PCM s16le, 16 kHz, mono, piece after piece. */
export class Player {
  private context: AudioContext | null = null;
  private readonly sources = new Set<AudioBufferSourceNode>();
  private turn = 0;
  /** By the context's clock, in seconds: when the turn's speech began, and when all that has come is played. */
  private began: number | null = null;
  private until = 0;
  private played = 0;
  private timer: ReturnType<typeof setInterval> | undefined;
  private advanced = { to: 0, at: 0 };

  /**
   * @param progress how much of a turn's speech was played, in milliseconds; never less than before
   * @param stalled the speech cannot be played, since the browser waits for a touch or another program uses the sound
   */
  constructor(
    private readonly progress: (turn: number, playedMs: number) => void = () => undefined,
    private readonly stalled: () => void = () => undefined,
  ) {}

  /** Browsers let a page play only after the candidate has touched it. */
  async allow(): Promise<boolean> {
    // A context that another program's call has closed cannot be resumed.
    if (this.context?.state === 'closed') this.context = null;
    const context = (this.context ??= new AudioContext());
    // Without a touch the promise stays pending.
    const resumed = context.resume().catch(() => undefined);
    await Promise.race([resumed, new Promise((done) => setTimeout(done, 300))]);
    return context.state === 'running';
  }

  /** Returns once that turn's pieces are scheduled behind each other. */
  play(turn: number, pcm: Uint8Array): void {
    const context = (this.context ??= new AudioContext());
    if (pcm.byteLength < 2) return;
    if (turn !== this.turn) this.begin(turn);
    const samples = new Float32Array(pcm.byteLength >> 1);
    const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
    for (let at = 0; at < samples.length; at += 1) samples[at] = view.getInt16(at * 2, true) / 32_768;
    const buffer = context.createBuffer(1, samples.length, RATE);
    buffer.copyToChannel(samples, 0);
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(context.destination);
    const at = Math.max(context.currentTime, this.until);
    this.began ??= at;
    source.start(at);
    this.until = at + buffer.duration;
    if (this.sources.size === 0) this.advanced = { to: context.currentTime, at: performance.now() };
    this.sources.add(source);
    source.addEventListener('ended', () => {
      this.sources.delete(source);
      this.report();
    });
    this.timer ??= setInterval(() => this.report(), PROGRESS_MS);
  }

  get playing(): boolean {
    return this.sources.size > 0;
  }

  /** How much of the turn's speech was played since its last beginning, in milliseconds. */
  get playedMs(): number {
    const now = this.context?.currentTime ?? 0;
    return this.began === null
      ? 0
      : Math.max(0, Math.round((Math.min(now, this.until) - this.began) * 1_000));
  }

  /** Stops. Later pieces are played from the beginning. @returns how much was played, in milliseconds */
  stop(): number {
    const played = this.playedMs;
    for (const source of this.sources) source.stop();
    this.sources.clear();
    this.until = 0;
    this.began = null;
    clearInterval(this.timer);
    this.timer = undefined;
    return played;
  }

  close(): void {
    this.stop();
    void this.context?.close().catch(() => undefined);
    this.context = null;
  }

  private begin(turn: number): void {
    this.stop();
    this.turn = turn;
    this.played = 0;
  }

  private report(): void {
    if (this.turn === 0) return;
    const played = this.playedMs;
    if (played > this.played) this.progress(this.turn, (this.played = played));
    if (this.sources.size > 0) {
      this.watch();
      return;
    }
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Polls, since the sources of an interrupted context send no `ended`. */
  private watch(): void {
    const to = this.context?.currentTime ?? 0;
    const at = performance.now();
    if (to > this.advanced.to) this.advanced = { to, at };
    if (at - this.advanced.at < STALLED_MS) {
      if (this.context?.state !== 'running') void this.context?.resume().catch(() => undefined);
      return;
    }
    this.stop();
    this.stalled();
  }
}

/** A short rising sound, to try the loudspeaker with. */
export const chime = (): Uint8Array => {
  const seconds = 1.2;
  const samples = new Int16Array(RATE * seconds);
  for (let at = 0; at < samples.length; at += 1) {
    const time = at / RATE;
    const note = [523, 659, 784][Math.min(2, Math.floor(time / 0.4))] ?? 0;
    const within = (time % 0.4) / 0.4;
    samples[at] = Math.sin(2 * Math.PI * note * time) * Math.sin(Math.PI * within) * 9_000;
  }
  return new Uint8Array(samples.buffer);
};
