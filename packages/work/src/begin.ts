import { mkdir, realpath } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Changes } from './changes.js';
import { sendPendingHandIns } from './hand-in.js';
import { knownWork, saveWork, stateFolder, type Work, type WorkTicket } from './places.js';
import { Refused, safeUrl, type Service } from './service.js';
import { fetchStarter, type StarterFile } from './starter.js';
import { oneLine, readable, Stop, type Terminal } from './terminal.js';

/** An application's page. */
export interface Link {
  /** The service's address, without a slash at its end. */
  readonly service: string;
  readonly applicationId: string;
}

interface Application {
  readonly roleName: string;
  readonly organisationName?: string;
  readonly trialSessions: readonly { readonly id: string; readonly status: string }[];
}

/** The fields of a briefing's ticket that are used here. */
interface Ticket {
  readonly id: string;
  /** `null`: the organisation has only its id. */
  readonly title: string | null;
  readonly description?: string | null;
  readonly estimatedMinutes?: number | null;
  readonly kind?: 'files' | 'text' | null;
  readonly starter?: { readonly files: readonly StarterFile[] } | null;
  /** The briefing leaves out its description and files: the ticket has to be read on its own. */
  readonly contentLeftOut?: true;
}

/** Reads the link of an invitation, `{PUBLIC_URL}/apply/{applicationId}`. @throws {Stop} it is another link */
export const readLink = (text: string): Link => {
  const url = safeUrl(text);
  const found = /^(.*)\/apply\/([0-9a-f-]{36})\/?$/i.exec(url.pathname);
  if (!found)
    throw new Stop(
      'This is not the link of an invitation. It looks like https://…/apply/ and a long id: copy it from your mail.',
      2,
    );
  return { service: `${url.origin}${found[1] ?? ''}`, applicationId: (found[2] ?? '').toLowerCase() };
};

/** Shows the tickets and fetches their starters into the work's folder. @throws {Stop} it cannot be worked on now */
export const beginWork = async (
  link: Link,
  folder: string | null,
  service: Service,
  terminal: Terminal,
): Promise<Work> => {
  const application = await service
    .get<Application>(`/applications/${link.applicationId}`)
    .catch((error: unknown) => {
      if (error instanceof Refused && error.status === 404)
        throw new Stop(
          'We can’t find this assessment. Sign in with the address that the invitation was sent to: “assay-work sign-out” lets you sign in anew.',
        );
      throw error;
    });
  const before = await knownWork(link);
  const session = application.trialSessions.at(-1);
  terminal.say(`Assessment: ${oneLine(application.roleName)}`);
  if (session?.status === 'invited')
    throw new Stop(
      `Start the assessment on its page first, where you read what is recorded and agree: ${link.service}/apply/${link.applicationId}`,
    );
  if (session?.status !== 'started' && session?.status !== 'interrupted') {
    // Also after the session has ended: the service still takes hand-ins that were begun in time.
    if (before) await sendPendingHandIns(before, service, terminal);
    throw new Stop('This assessment has ended: nothing more can be sent.');
  }
  const path = `/trial-sessions/${session.id}`;
  const briefing = await service.get<{ tickets: readonly Ticket[] }>(`${path}/briefing`);
  const shown = await Promise.all(
    briefing.tickets.map(async (ticket) =>
      ticket.contentLeftOut
        ? service.get<Ticket>(`${path}/tickets/${encodeURIComponent(ticket.id)}`)
        : ticket,
    ),
  );
  const wanted = resolve(folder ?? before?.folder ?? 'assay-work');
  await mkdir(wanted, { recursive: true });
  const real = await realpath(wanted);
  if (before && before.folder !== real)
    terminal.say(`Until now the work was in ${before.folder}; from now on it is in ${real}.`);
  const tickets = ticketsOf(shown);
  const work: Work = { ...link, sessionId: session.id, folder: real, tickets };
  await saveWork(work);
  const changes = new Changes(work);
  if (before?.folder !== real) await changes.takeAsReported();
  for (const [at, ticket] of tickets.entries()) {
    const content = shown[at];
    terminal.say('');
    terminal.say(`${at + 1}. ${oneLine(ticket.title)}${minutesOf(content)}`);
    if (content?.description) terminal.say(indented(readable(content.description)));
    if (!ticket.takesWork) continue;
    if (content?.kind !== 'files' || !content.starter)
      await mkdir(resolve(real, ticket.folder), { recursive: true });
    else if (await fetchedStarter(work, ticket, content.starter.files, service, terminal))
      await changes.takeAsReported(ticket.folder);
  }
  terminal.say('');
  terminal.say(`Folder: ${real}`);
  terminal.say(`What is kept on this computer, and a log of all that is sent: ${stateFolder(work)}`);
  return work;
};

/** If a starter cannot be fetched, the other tickets can still be worked on. */
const fetchedStarter: typeof fetchStarter = async (work, ticket, files, service, terminal) => {
  try {
    return await fetchStarter(work, ticket, files, service, terminal);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    terminal.say(
      `  ${error.message} Download it on the page, and unpack it as ${resolve(work.folder, ticket.folder)}`,
    );
    return false;
  }
};

const minutesOf = (ticket: Ticket | undefined): string =>
  ticket?.estimatedMinutes ? ` (${ticket.estimatedMinutes} minutes)` : '';

const indented = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => `   ${line}`)
    .join('\n');

/** Each has a folder by its number and title: `1-fix-the-parser`. */
const ticketsOf = (tickets: readonly Ticket[]): readonly WorkTicket[] =>
  tickets.map(({ id, title, kind }, at) => {
    const name = (title ?? '')
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()
      .replaceAll(' ', '-')
      .slice(0, 40);
    return {
      ...{ id, title: oneLine(title ?? id) },
      folder: basename(name === '' ? `${at + 1}` : `${at + 1}-${name}`),
      takesWork: kind === 'files' || kind === 'text',
    };
  });
