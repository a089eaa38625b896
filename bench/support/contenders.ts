import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { activityOf } from './activity.js';
import { definition, makeOrganisation, send } from './hiring.js';
import { makeCandidates } from './interview/candidates.js';
import { startPeer } from './peers.js';
import type { PostgreSql } from './postgresql.js';
import { type Server, startPlain, startService } from './servers.js';
import type { Provider } from './tokens.js';

/** A candidate's session that has started. */
export interface StartedSession {
  readonly id: string;
  readonly token: string;
}

/** A service with one organisation in it; all of them answer the same requests. */
export interface Contender {
  readonly server: Server;
  /** From its start until it listened, in milliseconds. */
  readonly startMs: number;
  readonly organisationId: string;
  /** The token of a member who may change roles and read the signal. */
  readonly token: string;
  readonly roleIds: readonly string[];
  /** Processor time of the service, and of the database that it alone uses, in milliseconds. */
  readonly processorMs: () => number;
  readonly startSessions: (count: number) => Promise<readonly StartedSession[]>;
}

const timed = async (
  start: Promise<Server>,
): Promise<{ readonly server: Server; readonly startMs: number }> => {
  const began = performance.now();
  const server = await start;
  return { server, startMs: performance.now() - began };
};

/** The service itself, on the embedded store. */
export const startOurs = async (
  folder: string,
  roles: number,
  started: (server: Server) => Server,
): Promise<Contender> => {
  const { server, startMs } = await timed(startService(folder));
  started(server);
  const { url, pid } = server;
  const { id, token, roleIds } = await makeOrganisation(url, folder, roles);
  const employer = { url, id, token, roleId: roleIds[0] ?? '' };
  return {
    server,
    startMs,
    organisationId: id,
    token,
    roleIds,
    processorMs: () => activityOf(pid).processorMs,
    startSessions: async (count) => {
      const candidates = await makeCandidates(employer, randomUUID(), count);
      return candidates.map(({ sessionId, token: own }) => ({ id: sessionId, token: own }));
    },
  };
};

/** A service that has the same routes and makes its organisation by itself. */
const startOther = async (
  start: (organisationId: string, owner: string) => Promise<Server>,
  roles: number,
  provider: Provider,
  started: (server: Server) => Server,
  alsoMs: () => number,
): Promise<Contender> => {
  const [organisationId, owner] = [randomUUID(), randomUUID()];
  const { server, startMs } = await timed(start(organisationId, owner));
  const { url, pid } = started(server);
  const token = await provider.tokenFor(owner);
  const roleIds: string[] = [];
  for (let index = 0; index < roles; index++) {
    const made = await send(
      `${url}/organisations/${organisationId}/roles`,
      definition(`Role ${index}`, 60),
      token,
    );
    roleIds.push(made.id ?? '');
  }
  return {
    server,
    startMs,
    organisationId,
    token,
    roleIds,
    processorMs: () => activityOf(pid).processorMs + alsoMs(),
    startSessions: (count) =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const own = await provider.tokenFor(randomUUID());
          const { id = '' } = await send(`${url}/trial-sessions/of/${organisationId}`, {}, own);
          return { id, token: own };
        }),
      ),
  };
};

/** Bare Fastify over LMDB. */
export const startFloor = (
  folder: string,
  roles: number,
  provider: Provider,
  started: (server: Server) => Server,
): Promise<Contender> =>
  startOther(
    () => startPlain(folder, {}, provider.tokens),
    roles,
    provider,
    started,
    () => 0,
  );

/** Nest on emmett-sqlite. */
export const startOnSqlite = (
  folder: string,
  roles: number,
  provider: Provider,
  started: (server: Server) => Server,
): Promise<Contender> =>
  startOther(
    (organisationId, owner) =>
      startPeer('sqlite', { folder, location: folder }, { organisationId, owner }, provider.tokens),
    roles,
    provider,
    started,
    () => 0,
  );

/** Nest on emmett-postgresql. */
export const startOnPostgreSql = async (
  folder: string,
  roles: number,
  provider: Provider,
  started: (server: Server) => Server,
  postgres: PostgreSql,
): Promise<Contender> => {
  const location = await postgres.database();
  return startOther(
    (organisationId, owner) =>
      startPeer(
        'postgresql',
        { folder: join(folder, 'peer'), location },
        { organisationId, owner },
        provider.tokens,
      ),
    roles,
    provider,
    started,
    () => postgres.processorMs(),
  );
};
