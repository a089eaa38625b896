import { computed, type ReadonlySignal } from '@preact/signals';
import type { BriefingTicket } from '../../../packages/client/src/contract.js';
import { handIn as german } from '../../../src/languages/de/hand-in.js';
import { handIn as english, type HandInTexts } from '../../../src/languages/en/hand-in.js';
import type { Language } from '../../../src/languages/languages.js';
import { aloneOf } from '../../shared/alone.js';
import { personStorage } from '../../shared/storage.js';
import type { App } from '../app.js';
import { type FileKeeper, fileKeeper } from './keeping.js';
import { HandInPanel } from './panel.js';
import { Starter } from './starter.js';
import { TicketWork } from './ticket-work.js';

const TEXTS: Readonly<Record<Language, HandInTexts>> = { en: english, de: german };

/** The work of one session that is handed in. Sending continues whatever screen the candidate opens. */
export class HandIns {
  readonly Panel = HandInPanel;
  readonly t: ReadonlySignal<HandInTexts>;
  private readonly works = new Map<string, TicketWork>();
  private readonly starters = new Map<string, Starter>();
  private readonly closing = new AbortController();
  private readonly files: FileKeeper;

  constructor(
    readonly app: App,
    private readonly subject: string,
    private readonly sessionId: string,
  ) {
    this.t = computed(() => TEXTS[app.language.value]);
    this.files = fileKeeper(subject);
    const { signal } = this.closing;
    for (const back of ['online', 'pageshow'])
      addEventListener(back, () => this.works.forEach((work) => work.retry()), { signal });
    // The browser would open a file that is dropped elsewhere on the page, in place of the page.
    for (const type of ['dragover', 'drop'])
      addEventListener(type, (event) => event.preventDefault(), { signal });
    const sending = `sending/${sessionId}/`;
    for (const name of personStorage(subject).names(sending)) void this.of(name.slice(sending.length)).load();
  }

  /** The work for a ticket: the same object for each caller. */
  of(ticketId: string): TicketWork {
    const known = this.works.get(ticketId);
    if (known) return known;
    const { subject, sessionId } = this;
    const work = new TicketWork({
      ...{ sessionId, ticketId, files: this.files },
      api: this.app.api,
      storage: personStorage(subject),
      alone: aloneOf(`assay.${subject}.sending/${sessionId}/${ticketId}`),
    });
    this.works.set(ticketId, work);
    return work;
  }

  /** The starter of a ticket: the same object for each caller. */
  starterOf(ticket: BriefingTicket): Starter {
    const known = this.starters.get(ticket.id);
    if (known) return known;
    const starter = new Starter(this.app.api, this.files, this.sessionId, ticket);
    this.starters.set(ticket.id, starter);
    return starter;
  }

  /** Work that could not be handed in after the interview, in sentences with the tickets' titles; '': all is handed in. */
  async unsentSentences(
    tickets: readonly { readonly ticket: BriefingTicket; readonly title: string }[],
  ): Promise<string> {
    const t = this.t.value;
    const works = tickets.flatMap(({ ticket: { kind, id } }) => (kind ? [this.of(id)] : []));
    await Promise.all(works.filter(({ handIns }) => handIns.value === null).map((work) => work.load()));
    const sentenceIf = (
      sentence: (titles: string) => string,
      applies: (work: TicketWork) => boolean,
    ): string => {
      const titles = tickets
        .filter(({ ticket: { kind, id } }) => kind && this.of(id).isServed.value && applies(this.of(id)))
        .map(({ title }) => t.quoted(title));
      return titles.length === 0 ? '' : sentence(titles.join(', '));
    };
    return [
      sentenceIf(t.missing, (work) => !work.isHandedIn && work.sending.value === null),
      sentenceIf(t.notArrived, (work) => work.sending.value !== null),
      sentenceIf(t.changedSince, (work) => work.isHandedIn && work.drafts.unsentNames.length > 0),
    ]
      .filter((sentence) => sentence !== '')
      .join(' ');
  }

  /** Stops sending. What is not sent stays in the browser. */
  close(): void {
    this.closing.abort();
    this.works.forEach((work) => work.close());
  }
}
