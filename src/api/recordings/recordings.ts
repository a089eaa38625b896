import { Inject, Injectable } from '@nestjs/common';
import type { Freshness } from '../../application/reads.js';
import { type KeptTurns, recordedAudio, recordedTurns } from '../../application/recordings/recorded-turns.js';
import { VAULT } from '../../application/tokens.js';
import { WAV_HEADER_BYTES, wavHeader } from '../../clients/pcm.js';
import { CommandStreams } from '../../core/handle.js';
import { PersonErased, type PersonId } from '../../core/vault/port.js';
import { trial } from '../../domain/session/state.js';
import { notFound } from '../../http/api-error.js';
import type { AudioOf, Vault } from '../../vault/port.js';
import { StaffApplications } from '../applications/staff-applications.js';

/** A turn's recorded speech as a WAV file, found and not read yet. */
export interface Recording {
  /** The size of the whole file. */
  readonly bytes: number;
  /** A strong entity tag: the audio that is kept of a closed turn no longer changes. */
  readonly tag: string;
  /**
   * The file's bytes, a few at a time as they are asked for.
   * @throws {PersonErased | VaultUnavailable | BrokenSeal} also halfway
   */
  read(range: ByteRange): AsyncGenerator<Uint8Array, void, undefined>;
}

const TURN = /^[1-9]\d{0,4}$/;

/** Recorded speech of one organisation's candidates, as its staff hear it. */
@Injectable()
export class Recordings {
  constructor(
    @Inject(VAULT) private readonly vault: Pick<Vault, 'audio' | 'keys'>,
    private readonly streams: CommandStreams,
    private readonly staff: StaffApplications,
  ) {}

  /**
   * @param turn as in the path
   * @throws {PersonErased} the candidate was erased
   * @throws {ApiError} `not_found`: no such session of this organisation, or nothing is kept of that turn
   */
  async find(
    organisationId: string,
    sessionId: string,
    turn: string,
    freshness: Freshness,
  ): Promise<Recording> {
    const found = await this.staff.bySession(organisationId, sessionId, freshness);
    if (!found) throw notFound('There is no such trial session.');
    const { candidateId, trialSessionId } = found.document;
    const of: AudioOf = { person: candidateId as PersonId, trialSessionId };
    if ((await this.vault.keys.get(of.person))?.kind === 'erased') throw new PersonErased(of.person);
    const recording = TURN.test(turn) ? await this.kept(of, Number(turn)) : null;
    if (recording === null) throw notFound('There is no recorded audio of this turn.');
    return recording;
  }

  /** Audio that is only stored until its transcription is not served. */
  private async kept(of: AudioOf, turn: number): Promise<Recording | null> {
    const events = this.streams.each(trial, of.trialSessionId);
    const turns = await recordedTurns(events);
    return recordingOf(this.vault.audio, of, turn, turns, await this.vault.audio.turns(of));
  }
}

/**
 * A turn's kept speech as a WAV file.
 * @param stored the session's audio
 * @returns `null`: nothing is kept
 */
export const recordingOf = (
  audio: Vault['audio'],
  of: AudioOf,
  turn: number,
  turns: KeptTurns,
  stored: ReadonlyMap<number, number>,
): Recording | null => {
  const numbers = recordedAudio(turns, turn, stored);
  const pcmBytes = numbers.reduce((bytes, number) => bytes + (stored.get(number) ?? 0), 0);
  if (pcmBytes === 0) return null;
  const whole = async function* () {
    let head: Buffer | null = wavHeader(pcmBytes);
    for (const number of numbers)
      for await (const { pcm } of audio.read(of, number)) {
        // Only now, so that a vault that cannot be read is known before the first byte.
        if (head) yield head;
        head = null;
        yield pcm;
      }
  };
  return {
    bytes: WAV_HEADER_BYTES + pcmBytes,
    tag: `"${turn}-${pcmBytes}"`,
    read: (range) => within(whole(), range),
  };
};

/** The bytes of a range out of a whole that comes piece by piece. */
async function* within(
  pieces: AsyncIterable<Uint8Array>,
  { first, last }: ByteRange,
): AsyncGenerator<Uint8Array, void, undefined> {
  let at = 0;
  for await (const piece of pieces) {
    const part = piece.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at));
    if (part.byteLength > 0) yield part;
    at += piece.byteLength;
    if (at > last) return;
  }
}

/** Bytes of a whole, the last one included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

const SINGLE = /^bytes\s*=\s*(?:(\d+)-(\d*)|-(\d+))$/i;

/**
 * Reads `Range` (RFC 9110, 14.2) against a whole of `size` bytes, of which there is at least one.
 * @returns `null` if the whole is to be answered: no header, another unit, several ranges, or none that can be read
 */
export const readRange = (header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null => {
  const match = SINGLE.exec(header?.trim() ?? '');
  if (!match) return null;
  const [, from, to, suffix] = match;
  if (from === undefined) {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to ? Number(to) : Infinity;
  if (last < first) return null;
  return first >= size ? 'unsatisfiable' : { first, last: Math.min(last, size - 1) };
};
