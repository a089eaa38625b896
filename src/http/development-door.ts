import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { type DevelopmentAccess, isLoopback } from '../process/issuer-mode.js';
import { ApiError } from './api-error.js';

/** Injection token of `DevelopmentDoor`. */
export const DEVELOPMENT_DOOR = Symbol('DevelopmentDoor');

/** Who may use the development issuer and the outbox, which require no credentials. */
export interface DevelopmentDoor {
  readonly access: DevelopmentAccess;
  /** The address of the service for callers. */
  readonly publicUrl: string;
}

/** Headers that a proxy adds to a request that it forwards. */
const OF_PROXIES = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/** Checks that a request may use them. @throws {ApiError} `forbidden` */
export const throughDevelopmentDoor = (request: IncomingMessage, door: DevelopmentDoor): void => {
  const { headers, socket } = request;
  if (door.access === null) throw shut('It is closed here.');
  if (!isOwnName(headers.host, new URL(door.publicUrl).hostname))
    throw shut('It answers to PUBLIC_URL’s name, localhost and addresses alone.');
  if (door.access === 'anyone') return;
  const peer = socket.remoteAddress?.replace(/^::ffff:/i, '') ?? '';
  if (!isLoopback(peer) || OF_PROXIES.some((name) => headers[name] !== undefined))
    throw shut('It answers to this machine alone, and not by a proxy.');
};

const shut = (why: string): ApiError =>
  new ApiError('forbidden', `This part of the service is for development. ${why}`);

/**
 * Whether the request's host name cannot be one of the public DNS. Without this check, a web page whose name resolves
 * to 127.0.0.1 (DNS rebinding) could fetch tokens and codes from a developer's computer.
 */
const isOwnName = (host: string | undefined, publicName: string): boolean => {
  const name = (host ?? '').toLowerCase().replace(/:\d+$/, '');
  const bare = name.replace(/^\[(.*)\]$/, '$1');
  return (
    name === publicName ||
    isIP(bare) !== 0 ||
    (name !== '' && !name.includes('.')) ||
    name.endsWith('.localhost')
  );
};
