import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { wavHeader } from '../../src/clients/pcm.js';
import { type Browser, openBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { openStage, type Stage } from '../support/stage.js';
import { describeInBrowser } from './scene.js';
import { enterRoom, openApply, WAIT_LIMIT_MS, question, signIn, violations } from './support.js';

const SPOKEN = 'I moved the parser behind its own interface, and I wrote two failing tests first.';
/** A transcriber whose text is the number of bytes of its PCM. */
const COUNTING = {
  TRANSCRIBER: 'command',
  TRANSCRIBER_COMMAND: 'sleep 2; echo "I was heard: $(wc -c) bytes."',
};
const TONE = { SYNTHESISER: 'command', SYNTHESISER_COMMAND: 'head -c 96000 /dev/urandom' };

/** A script with functions that take the microphone or the loudspeaker from the page for a while. */
const TAKEN = `{
  const contexts = [];
  const Real = globalThis.AudioContext;
  globalThis.taken = {
    refuse: false,
    suspend() { for (const one of contexts) void Real.prototype.suspend.call(one); },
    mute(muted) {
      Object.defineProperty(this.track, 'muted', { value: muted, configurable: true });
      this.track.dispatchEvent(new Event(muted ? 'mute' : 'unmute'));
    },
    disconnect() { this.source.disconnect(); this.gain.disconnect(); this.port.dead = true; },
    connect() { this.port.dead = false; this.source.connect(this.gain); this.gain.connect(this.node); },
    silence(level) { this.gain.gain.value = level; },
  };
  globalThis.AudioContext = class extends Real {
    constructor(...given) { super(...given); contexts.push(this); }
    resume() { return taken.refuse ? new Promise(() => undefined) : super.resume(); }
    createMediaStreamSource(stream) {
      taken.track = stream.getAudioTracks()[0];
      taken.source = super.createMediaStreamSource(stream);
      taken.gain = this.createGain();
      taken.source.connect(taken.gain);
      return { connect: (node) => { taken.node = node; taken.gain.connect(node); } };
    }
  };
  const { get, set } = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');
  Object.defineProperty(MessagePort.prototype, 'onmessage', {
    get,
    set(listener) {
      taken.port = this;
      set.call(this, (event) => { if (!this.dead) listener(event); });
    },
  });
}`;

describeInBrowser('a candidate who speaks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-voice-'));
  const voice = join(folder, 'voice.wav');
  let stage: Stage;
  let role: string;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    execFileSync('espeak-ng', ['-w', voice, SPOKEN]);
    stage = await openStage({ ...COUNTING, ...TONE });
    role = await stage.role('Backend engineer');
    browser = await openBrowser(WAIT_LIMIT_MS, [
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-audio-capture=${voice}`,
      '--autoplay-policy=no-user-gesture-required',
    ]);
    page = await browser.context.newPage();
  });
  afterAll(async () => {
    await browser.close();
    await stage.close();
    rmSync(folder, { recursive: true });
  });

  const enter = async (): Promise<void> => {
    const candidate = await stage.started(role);
    await browser.context.clearCookies();
    await openApply(page, stage, candidate);
    await signIn(page, stage, candidate.email);
    await page.getByRole('heading', { level: 1, name: 'Your tasks' }).waitFor();
  };

  it('tries the microphone, which is denied at first, then allowed', async () => {
    await enter();
    await page.getByRole('button', { name: 'Sound check' }).click();
    // A headless browser cannot ask the user: it denies.
    await page.getByRole('button', { name: 'Test the microphone' }).click();
    await page.getByText('is blocking the microphone').waitFor();
    expect(await violations(page)).toEqual([]);
    await browser.context.grantPermissions(['microphone']);
    await page.getByRole('button', { name: 'Test the microphone' }).click();
    await page.getByText('Your microphone works.').waitFor();
    await page.getByRole('button', { name: 'Record a sentence' }).click();
    await page.getByText('Recording: 2 s').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Play it back' }).click();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your tasks' }).waitFor();
  });

  it('opens one microphone by a double click, and none stays open behind the other', async () => {
    await page.evaluate(`{
      globalThis.streams = [];
      const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = async (asked) => {
        const stream = await real(asked);
        streams.push(stream);
        return stream;
      };
    }`);
    await page.getByRole('button', { name: 'Sound check' }).click();
    await page.getByRole('button', { name: 'Test the microphone' }).dblclick();
    await page.getByText('Your microphone works.').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your tasks' }).waitFor();
    const states = 'streams.flatMap((one) => one.getAudioTracks()).map(({ readyState }) => readyState)';
    expect(await page.evaluate(states)).toEqual(['ended']);
  });

  it('is heard in the interview, stops the interviewer, and can type at any time', async () => {
    await enterRoom(page);
    await page.getByRole('button', { name: 'Stop audio' }).click();
    const first = await question(page).innerText();
    await page.getByRole('button', { name: 'Turn the microphone on' }).click();
    await page.getByRole('meter').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.waitForTimeout(4_000);
    await page.getByRole('button', { name: 'I have finished speaking' }).click();
    await page.getByText('Your speech is being turned into text').waitFor();
    expect(await page.getByRole('textbox', { name: 'Your answer' }).isEditable()).toBe(true);
    expect(await violations(page)).toEqual([]);
    await question(page).filter({ hasNotText: first }).waitFor();
    await page.getByText('Earlier questions (1)').click();
    const heard = await page.getByText(/I was heard: \d+ bytes/).innerText();
    // 16 kHz, two bytes each: some seconds of it.
    expect(Number(/\d+/.exec(heard)?.[0])).toBeGreaterThan(32_000 * 2);
    await page.getByRole('button', { name: 'Mute' }).click();
    await page.getByText('Your microphone is muted.').waitFor();
    const second = await question(page).innerText();
    await page.getByRole('textbox', { name: 'Your answer' }).fill('Typed, since it is loud here.');
    await page.getByRole('button', { name: 'Send the answer' }).click();
    await question(page).filter({ hasNotText: second }).waitFor();
    await page.getByText('Earlier questions (2)').waitFor();
  });

  it('sees within 3 s that a call, a headset or the browser took the microphone, and continues when it is free', async () => {
    const told = page.getByText('No sound comes from your microphone');
    const asksToSpeak = page.getByText(/Speak your answer|Listening/);
    await page.addInitScript(TAKEN);
    await page.reload();
    await question(page).waitFor();
    await page.getByRole('button', { name: 'Turn the microphone on' }).click();
    await asksToSpeak.waitFor();
    const taking = [
      // A suspended context; a muted track; a track that stops without an event of the browser.
      { take: 'taken.refuse = true; taken.suspend()', giveBack: 'taken.refuse = false' },
      { take: 'taken.mute(true)', giveBack: 'taken.mute(false)' },
      { take: 'taken.disconnect()', giveBack: 'taken.connect()' },
    ];
    for (const { take, giveBack } of taking) {
      await page.evaluate(take);
      await told.waitFor({ timeout: 3_500 });
      expect(await page.getByRole('meter').count()).toBe(0);
      expect(await asksToSpeak.count()).toBe(0);
      expect(await page.getByRole('textbox', { name: 'Your answer' }).isEditable()).toBe(true);
      await page.evaluate(giveBack);
      await page.mouse.click(5, 5);
      await asksToSpeak.waitFor();
      expect(await told.count()).toBe(0);
    }
    await page.evaluate('taken.silence(0)');
    await page.getByText('only silence comes from it').waitFor({ timeout: 4_500 });
    expect(await violations(page)).toEqual([]);
    await page.evaluate('taken.silence(1)');
    await asksToSpeak.waitFor();
    // There is no `ended` event for a track that the page itself stops.
    await page.evaluate('taken.track.stop()');
    await page.getByText('The microphone was disconnected').waitFor({ timeout: 3_500 });
    await page.getByRole('button', { name: 'Turn the microphone on' }).waitFor();
  });

  it('hears a stopped question again, and is not stuck where the browser stops the sound', async () => {
    const stop = page.getByRole('button', { name: 'Stop audio' });
    const again = page.getByRole('button', { name: 'Read the question again' });
    await again.click();
    await stop.click();
    await again.click();
    await stop.waitFor();
    await page.evaluate('taken.refuse = true; taken.suspend()');
    await page.getByRole('button', { name: 'Turn the sound on' }).waitFor();
    expect(await stop.count()).toBe(0);
    await page.evaluate('taken.refuse = false');
    await page.getByRole('button', { name: 'Turn the sound on' }).click();
    await stop.waitFor();
    await again.waitFor();
  });

  it('hands in what was said and what was typed, and sees both, also after a reload', async () => {
    const candidate = await stage.started(role);
    await browser.context.clearCookies();
    await browser.context.grantPermissions(['microphone']);
    const own = await browser.context.newPage();
    await openApply(own, stage, candidate);
    await signIn(own, stage, candidate.email);
    await enterRoom(own);
    const first = await question(own).innerText();
    await own.getByRole('button', { name: 'Turn the microphone on' }).click();
    await own.getByText('Listening …').waitFor();
    await own.waitForTimeout(1_500);
    await own.reload();
    await question(own).filter({ hasText: first }).waitFor();
    await own.getByRole('textbox', { name: 'Your answer' }).fill('And this I typed.');
    await own.getByRole('button', { name: 'End the interview' }).click();
    await own.getByRole('button', { name: 'Send it and end' }).click();
    await own.getByRole('heading', { level: 1, name: 'Thank you' }).waitFor();
    const sent = own.locator('section', { hasText: 'Sent at the end' });
    await sent.getByText('And this I typed.').waitFor();
    expect(await sent.getByRole('heading', { name: first }).count()).toBe(2);
    await sent.getByText(/I was heard: \d+ bytes/).waitFor();
    expect(await violations(own)).toEqual([]);
    expect(await own.getByRole('heading', { name: 'Not sent' }).count()).toBe(0);
    const { body } = await candidate.person.get('/me/export');
    const text = JSON.stringify(body);
    expect(text).toContain('And this I typed.');
    expect(text).toMatch(/I was heard: \d+ bytes/);
    await own.close();
  });

  it('can end what was said though the microphone is off: turned off, or by a reload', async () => {
    const candidate = await stage.started(role);
    await browser.context.clearCookies();
    await browser.context.grantPermissions(['microphone']);
    const own = await browser.context.newPage();
    await openApply(own, stage, candidate);
    await signIn(own, stage, candidate.email);
    await enterRoom(own);
    const finished = own.getByRole('button', { name: 'I have finished speaking' });
    const turnsOff: readonly (() => Promise<unknown>)[] = [
      () => own.getByRole('button', { name: 'Turn the microphone off' }).click(),
      () => own.reload(),
    ];
    for (const [at, turnOff] of turnsOff.entries()) {
      await own.getByRole('button', { name: 'Turn the microphone on' }).click();
      await own.getByText('Listening …').waitFor();
      const asked = await question(own).innerText();
      await turnOff();
      await own.getByRole('button', { name: 'Turn the microphone on' }).waitFor();
      await finished.click();
      await question(own).filter({ hasNotText: asked }).waitFor();
      await own.getByText(`Earlier questions (${at + 1})`).click();
      expect(await own.getByText(/I was heard: \d+ bytes/).count()).toBe(at + 1);
      expect(await finished.count()).toBe(0);
    }
    await own.close();
  });
});

/** A WAV file of so many seconds, of silence with a noise of 200 ms every two seconds. */
const knocking = (seconds: number): Buffer => {
  const pcm = Buffer.alloc(seconds * 32_000);
  let state = 7;
  for (let at = 0; at < pcm.length; at += 2) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    if (at % 64_000 < 6_400) pcm.writeInt16LE(state >> 17, at);
  }
  return Buffer.concat([wavHeader(pcm.length), pcm]);
};

describeInBrowser('a noise of 200 ms, again and again', () => {
  it('neither stops the question, however loud, nor ends the turn', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-noise-'));
    const noise = join(folder, 'noise.wav');
    writeFileSync(noise, knocking(20));
    const stage = await openStage({
      ...COUNTING,
      SYNTHESISER: 'command',
      SYNTHESISER_COMMAND: 'head -c 256000 /dev/zero',
    });
    const browser = await openBrowser(WAIT_LIMIT_MS, [
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-audio-capture=${noise}`,
      '--autoplay-policy=no-user-gesture-required',
    ]);
    try {
      await browser.context.grantPermissions(['microphone']);
      const page = await browser.context.newPage();
      const candidate = await stage.started(await stage.role('Backend engineer'));
      await openApply(page, stage, candidate);
      await signIn(page, stage, candidate.email);
      await enterRoom(page);
      const asked = await question(page).innerText();
      await page.getByRole('button', { name: 'Turn the microphone on' }).click();
      await page.getByRole('meter').waitFor();
      // The speech is heard.
      await eventually(() => page.evaluate<boolean>('document.querySelector("meter").value > 0.3'));
      await page.getByRole('button', { name: 'Read the question again' }).click();
      await page.getByRole('button', { name: 'Stop audio' }).waitFor();
      await page.waitForTimeout(6_000);
      expect(await page.getByRole('button', { name: 'Stop audio' }).count()).toBe(1);
      await page.waitForTimeout(4_000);
      expect(await question(page).innerText()).toBe(asked);
      const { body } = await candidate.person.get('/me/export');
      expect(JSON.stringify(body)).not.toMatch(/interview\.(interrupted|answer_recorded)/);
    } finally {
      await browser.close();
      await stage.close();
      rmSync(folder, { recursive: true });
    }
  });
});
