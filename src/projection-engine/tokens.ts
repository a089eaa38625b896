import { createHash } from 'node:crypto';
import type { LogId, Position } from '../event-store/port.js';

/** What a client hands back to see at least what it has been told of: opaque, valid for one log. */
export function encodeToken(log: LogId, position: Position): string {
  const content = JSON.stringify([log, position]);
  return Buffer.from(checksum(content) + content).toString('base64url');
}

/** @returns the position, or `null` for what cannot be read or belongs to another log: such a token is ignored */
export function parseToken(token: string | undefined, log: LogId): Position | null {
  if (token === undefined || token.length > 1024 || !/^[A-Za-z0-9_-]+$/.test(token)) return null;
  const text = Buffer.from(token, 'base64url').toString();
  const content = text.slice(CHECKSUM_LENGTH);
  if (checksum(content) !== text.slice(0, CHECKSUM_LENGTH)) return null;
  const parsed = parseJson(content);
  if (!Array.isArray(parsed) || parsed[0] !== log || typeof parsed[1] !== 'string') return null;
  return parsed[1] as Position;
}

/** Anybody can make a checksum that fits. */
const parseJson = (content: string): unknown => {
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return null;
  }
};

const CHECKSUM_LENGTH = 8;

/** A mangled token must not read as a far position, for which a read would wait in vain. It guards nothing. */
const checksum = (content: string): string =>
  createHash('sha256').update(`consistency-token ${content}`).digest('hex').slice(0, CHECKSUM_LENGTH);
