import { timingSafeEqual } from 'node:crypto';
import type { LogId, Position } from '../../core/event-store.js';

/** Hex of a keyed hash under a secret that all processes of a service share. */
type Hmac = (purpose: string, ...parts: readonly string[]) => string;

/** 128 bits: none can be guessed. */
const MAC_CHARACTERS = 32;
/** What all tokens look like: base64url of the MAC and a position, whatever wrote it. */
export const TOKEN = /^[A-Za-z0-9_-]{43,1024}$/;

/**
 * What a client hands back to see at least what it has been told of: opaque, valid for one life of a log, and made by the
 * service alone. No client can make a read wait for what never was.
 */
export class ConsistencyTokens {
  constructor(
    private readonly log: LogId,
    private readonly hmac: Hmac,
  ) {}

  /** The token of a position. */
  of(position: Position): string {
    return Buffer.from(this.mac(position) + position).toString('base64url');
  }

  /** The position of a token; `null` for what this service did not make for this life of the log: such a token is ignored. */
  read(token: string | null): Position | null {
    if (token === null || !TOKEN.test(token)) return null;
    const text = Buffer.from(token, 'base64url').toString();
    const position = text.slice(MAC_CHARACTERS) as Position;
    const [given, expected] = [Buffer.from(text.slice(0, MAC_CHARACTERS)), Buffer.from(this.mac(position))];
    return given.length === expected.length && timingSafeEqual(given, expected) ? position : null;
  }

  private mac(position: Position): string {
    return this.hmac('consistency-token', this.log, position).slice(0, MAC_CHARACTERS);
  }
}
