import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { collect, packFiles } from './archive.js';
import { type CheckedHandIn, printChecks } from './checks.js';
import { forget, readJson, stateFolder, type Work, type WorkTicket, writePrivate } from './places.js';
import { writeDown } from './queue.js';
import { Offline, Refused, type Service } from './service.js';
import { oneLine, sizeOf, Stop, type Terminal } from './terminal.js';

/** Size of a piece; the service takes no larger ones. */
const PIECE_BYTES = 128 * 1_024;
/** Most files that are listed before the candidate agrees. */
const MAX_SHOWN = 30;

/** A hand-in as the service shows it. */
interface HandIn extends CheckedHandIn {
  readonly id: string;
  readonly received: number;
  readonly status: 'receiving' | 'handed_in' | 'refused';
  readonly files: readonly unknown[] | null;
  readonly handedInAt: string | null;
}

/** A hand-in that is packed, and which the service has not confirmed yet. */
export interface PackedHandIn {
  readonly ticketId: string;
  readonly title: string;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The idempotency key of its beginning: sent again, it is the same hand-in, also if newer work has arrived. */
  readonly key: string;
}

const pendingFolder = (work: Work): string => join(stateFolder(work), 'hand-ins');
const archiveOf = (work: Work, { sha256 }: PackedHandIn): string =>
  join(pendingFolder(work), `${sha256}.tar.gz`);
const recordOf = (work: Work, { ticketId, sha256 }: PackedHandIn): string =>
  join(
    pendingFolder(work),
    `${sha256}-${createHash('sha256').update(ticketId).digest('hex').slice(0, 16)}.json`,
  );

/**
 * Packs the folder of a ticket, shows what is in it, and asks for consent. The packed archive is kept on the disk until the
 * service has confirmed it, so that later changes of the folder do not change it. It takes the place of one of the ticket
 * that still waits: sent later, that one would count as the newer.
 * @returns `null`: the candidate said no
 * @throws {Stop} there is nothing, or more than the service takes
 */
export const packHandIn = async (
  work: Work,
  ticket: WorkTicket,
  terminal: Terminal,
): Promise<PackedHandIn | null> => {
  const folder = join(work.folder, ticket.folder);
  const packed = await collect(folder);
  const total = packed.reduce((sum, { content }) => sum + content.length, 0);
  const archive = packFiles(packed);
  const sha256 = createHash('sha256').update(archive).digest('hex');
  terminal.say(`To hand in for “${oneLine(ticket.title)}”: ${packed.length} files, ${sizeOf(total)}`);
  for (const { path, content } of packed.slice(0, MAX_SHOWN))
    terminal.say(`  ${oneLine(path)}  ${sizeOf(content.length)}`);
  if (packed.length > MAX_SHOWN) terminal.say(`  … and ${packed.length - MAX_SHOWN} more`);
  if (!terminal.canAsk) terminal.say('No terminal to ask on: pass --yes to hand in.');
  if (!(await terminal.agrees('Hand in these files?'))) return null;
  const { id: ticketId, title } = ticket;
  const handIn = { ticketId, title, name: 'work.tar.gz', bytes: archive.length, sha256, key: randomUUID() };
  await writePrivate(archiveOf(work, handIn), archive);
  await writePrivate(recordOf(work, handIn), JSON.stringify(handIn));
  for (const former of await pendingHandIns(work))
    if (former.ticketId === ticketId && former.sha256 !== sha256) await clear(work, former);
  return handIn;
};

/** Hand-ins that were agreed to and are not confirmed yet. */
export const pendingHandIns = async (work: Work): Promise<readonly PackedHandIn[]> => {
  const names = await readdir(pendingFolder(work)).catch(() => []);
  const records = names.filter((name) => name.endsWith('.json')).sort();
  const all = await Promise.all(
    records.map((name) => readJson<PackedHandIn>(join(pendingFolder(work), name))),
  );
  return all.filter((one) => one !== null);
};

/**
 * Sends a packed hand-in, from the first piece that the service lacks, and prints the receipt and the result of the checks.
 * Sent again, it is the same hand-in.
 * @param waitMs how long to wait for the checks
 * @returns false: the service cannot be reached, and the hand-in stays on the disk
 * @throws {Stop} the service refuses the hand-in, which is removed from the disk
 */
export const sendHandIn = async (
  work: Work,
  packed: PackedHandIn,
  service: Service,
  terminal: Terminal,
  waitMs = 0,
): Promise<boolean> => {
  try {
    const handIn = await deliver(work, packed, service, terminal);
    await clear(work, packed);
    receipt(packed, handIn, terminal);
    const path = `${handInsOf(work, packed)}/${encodeURIComponent(handIn.id)}`;
    await printChecks(path, handIn, service, terminal, waitMs);
    return true;
  } catch (error) {
    if (error instanceof Offline) {
      terminal.say(`${error.message} The hand-in waits: run “assay-work send” when there is a connection.`);
      return false;
    }
    if (!(error instanceof Refused)) throw error;
    if (error.code === 'hand_in_incomplete') {
      terminal.say(`${error.message} The hand-in waits: run “assay-work send”.`);
      return false;
    }
    await clear(work, packed);
    throw new Stop(`“${oneLine(packed.title)}” was not handed in. ${error.message}`);
  }
};

/**
 * Sends every hand-in that waits, until the service cannot be reached. A refused one does not block others.
 * @returns false: some wait
 * @throws {Stop} some were refused
 */
export const sendPendingHandIns = async (
  work: Work,
  service: Service,
  terminal: Terminal,
): Promise<boolean> => {
  const refusals: string[] = [];
  let isSent = true;
  for (const packed of await pendingHandIns(work)) {
    try {
      isSent = await sendHandIn(work, packed, service, terminal);
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      refusals.push(error.message);
    }
    if (!isSent) break;
  }
  if (refusals.length > 0) throw new Stop(refusals.join('\n'));
  return isSent;
};

const handInsOf = ({ sessionId }: Work, { ticketId }: PackedHandIn): string =>
  `/trial-sessions/${sessionId}/tickets/${encodeURIComponent(ticketId)}/hand-ins`;

const deliver = async (
  work: Work,
  packed: PackedHandIn,
  service: Service,
  terminal: Terminal,
): Promise<HandIn> => {
  const { name, bytes, sha256 } = packed;
  const content = await readFile(archiveOf(work, packed));
  const all = handInsOf(work, packed);
  const begin = { name, bytes, sha256 };
  const begun = await service.post<HandIn>(all, begin, packed.key);
  await writeDown(work, all, begin);
  if (begun.status === 'handed_in') return begun;
  const own = `${all}/${encodeURIComponent(begun.id)}`;
  let offset = begun.received;
  for (let stuck = 0; offset < bytes;) {
    const piece = content.subarray(offset, offset + PIECE_BYTES);
    const data = piece.toString('base64');
    const { received } = await service.post<{ received: number }>(`${own}/pieces`, { offset, data });
    await writeDown(work, `${own}/pieces`, { offset, bytes: piece.length });
    stuck = received > offset ? 0 : stuck + 1;
    if (stuck > 3) throw new Offline('The service takes no further piece.');
    offset = received;
    terminal.say(`  ${Math.floor((100 * offset) / bytes)} %`);
  }
  const done = await service.post<HandIn>(`${own}/complete`, {});
  await writeDown(work, `${own}/complete`, {});
  return done;
};

const clear = async (work: Work, packed: PackedHandIn): Promise<void> => {
  await forget(recordOf(work, packed));
  const waiting = await pendingHandIns(work);
  // Tickets with the same files share an archive.
  if (!waiting.some(({ sha256 }) => sha256 === packed.sha256)) await forget(archiveOf(work, packed));
};

const receipt = (packed: PackedHandIn, { id, files, handedInAt }: HandIn, terminal: Terminal): void => {
  terminal.say('');
  terminal.say(`Handed in: “${oneLine(packed.title)}”`);
  terminal.say(`  received  ${handedInAt === null ? 'now' : new Date(handedInAt).toLocaleString()}`);
  terminal.say(`  files     ${files?.length ?? '?'}, ${sizeOf(packed.bytes)} packed`);
  terminal.say(`  SHA-256   ${packed.sha256}`);
  terminal.say(`  receipt   ${oneLine(id)}`);
};
