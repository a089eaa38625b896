import {
  type CheckIsolation,
  type FileSet,
  type Ticket,
  type TicketKind,
  type UpdateTicket,
  updateTicketLimits,
  writeTicketChecksLimits,
  writeTicketLinkLimits,
} from '../../../packages/client/src/index.js';
import { WEB_ADDRESS } from '../../../src/core/text.js';
import { CHECKS_SLUG } from '../../../src/work/limits.js';
import { differencesBy } from '../parts/newer.js';
import { Problems, wholeIn } from '../parts/problems.js';

/** Files that were sent for a ticket. */
export type SentFiles = Pick<FileSet, 'id' | 'name' | 'bytes' | 'files'>;

interface DraftLink {
  /** Identifies it on the page. */
  readonly key: string;
  readonly title: string;
  readonly url: string;
}

/**
 * A ticket as it is typed: figures are texts until they are sent. `starter`, `visible` and `hidden` are `null` if the ticket
 * has no such files.
 */
export interface TicketDraft {
  readonly title: string;
  readonly description: string;
  /** '': nothing is planned. */
  readonly estimatedMinutes: string;
  readonly links: readonly DraftLink[];
  /** '': nothing is handed in. */
  readonly kind: '' | TicketKind;
  readonly starter: SentFiles | null;
  readonly visible: SentFiles | null;
  readonly hidden: SentFiles | null;
  readonly slug: string;
  readonly isolation: CheckIsolation;
  /** Which files are on their way. */
  readonly sending: readonly FilesField[];
}

/** The parts of a ticket that are files. */
export type FilesField = 'starter' | 'visible' | 'hidden';

/** The paths by which the service's refusals name the sets of files. */
export const PATH_OF = { starter: 'starter', visible: 'checks.visible', hidden: 'checks.hidden' } as const;

/** The slug of new checks: the shipped checker accepts any. */
const SLUG_OF_NEW = 'work';

/** The draft that a ticket’s form begins with. */
export const draftOf = ({ checks, ...ticket }: Ticket): TicketDraft => ({
  title: ticket.title,
  description: ticket.description ?? '',
  estimatedMinutes: `${ticket.estimatedMinutes ?? ''}`,
  links: ticket.links.map(({ title, url }, index) => ({ key: `l${index}`, title, url })),
  kind: ticket.kind ?? '',
  starter: ticket.starter,
  visible: checks?.visible ?? null,
  hidden: checks?.hidden ?? null,
  slug: checks?.slug ?? SLUG_OF_NEW,
  isolation: checks?.isolation ?? 'separate',
  sending: [],
});

/** An empty row for a link. */
export const newLink = (): DraftLink => ({ key: crypto.randomUUID(), title: '', url: '' });

/** Whether a ticket of this kind can have such files. */
export const takes = ({ kind }: Pick<TicketDraft, 'kind'>, field: FilesField): boolean =>
  field === 'starter' ? kind === 'files' : kind !== '';

const hasChecks = (draft: TicketDraft): boolean =>
  (['visible', 'hidden'] as const).some((field) => takes(draft, field) && draft[field] !== null);

/** What keeps a ticket from being saved, by the path of its field. */
export type Problem = 'name' | 'tooLong' | 'minutes' | 'url' | 'sending' | 'slug';

/** Each problem of a draft, by the path in the body that the service would name, in the order of the page. */
export const problemsOf = (draft: TicketDraft): ReadonlyMap<string, Problem> => {
  const problems = new Problems<Problem>();
  const { estimatedMinutes, links, slug } = draft;
  problems.named(draft.title, 'title', updateTicketLimits.title);
  const isTime =
    estimatedMinutes.trim() === '' || wholeIn(estimatedMinutes, updateTicketLimits.estimatedMinutes) !== null;
  problems.check(isTime, 'estimatedMinutes', 'minutes');
  problems.fits(draft.description, 'description', updateTicketLimits.description);
  links.forEach(({ title, url }, index) => {
    problems.named(title, `links[${index}].title`, writeTicketLinkLimits.title);
    problems.check(WEB_ADDRESS.test(url.trim()), `links[${index}].url`, 'url');
    problems.fits(url.trim(), `links[${index}].url`, writeTicketLinkLimits.url);
  });
  for (const field of draft.sending) problems.check(false, PATH_OF[field], 'sending');
  if (hasChecks(draft)) {
    problems.check(CHECKS_SLUG.test(slug.trim()), 'checks.slug', 'slug');
    problems.fits(slug.trim(), 'checks.slug', writeTicketChecksLimits.slug);
  }
  return problems.found;
};

/** The body that saves a draft without problems. Files that the ticket's kind does not take are left out. */
export const bodyOf = (draft: TicketDraft): UpdateTicket => {
  const { title, description, estimatedMinutes, links, kind, slug, isolation } = draft;
  const fileSetIdOf = (field: FilesField): string | null =>
    takes(draft, field) ? (draft[field]?.id ?? null) : null;
  return {
    title: title.trim(),
    description: description.trim() === '' ? null : description,
    estimatedMinutes: estimatedMinutes.trim() === '' ? null : Number(estimatedMinutes),
    links: links.map((link) => ({ title: link.title.trim(), url: link.url.trim() })),
    kind: kind === '' ? null : kind,
    starter: fileSetIdOf('starter'),
    checks: hasChecks(draft)
      ? { visible: fileSetIdOf('visible'), hidden: fileSetIdOf('hidden'), slug: slug.trim(), isolation }
      : null,
  };
};

const FIELDS = [
  ...(['title', 'estimatedMinutes', 'description', 'links', 'kind'] as const),
  ...(['starter', 'visible', 'hidden', 'slug', 'isolation'] as const),
] satisfies readonly (keyof TicketDraft)[];

type Field = (typeof FIELDS)[number];

/** What the codes of a ticket mean to its reader. */
interface TicketWords {
  readonly kinds: Readonly<Record<TicketKind | 'none', string>>;
  readonly isolations: Readonly<Record<CheckIsolation, string>>;
}

const textOf = (draft: TicketDraft, field: Field, words: TicketWords | null = null): string => {
  switch (field) {
    case 'links':
      return draft.links.map(({ title, url }) => `${title.trim()}: ${url.trim()}`).join('\n');
    case 'starter':
    case 'visible':
    case 'hidden': {
      const files = draft[field];
      if (files === null) return '';
      const names = [files.name, ...files.files.map(({ path }) => path)];
      // Files of the same names may differ.
      return (words ? names : [...names, files.id]).join('\n');
    }
    case 'title':
    case 'estimatedMinutes':
    case 'slug':
      return draft[field].trim();
    case 'kind':
      return words?.kinds[draft.kind || 'none'] ?? draft.kind;
    case 'isolation':
      return words?.isolations[draft.isolation] ?? draft.isolation;
    default:
      return draft[field];
  }
};

/** The fields in which the draft differs from the version that another person has saved meanwhile. */
export const differencesOf = differencesBy<TicketDraft, Field>(FIELDS, (draft, field) =>
  textOf(draft, field),
);

/** A field's value as its reader knows it. Drafts are not compared by it: other files may have the same names. */
export const wordsIn =
  (words: TicketWords) =>
  (draft: TicketDraft, field: Field): string =>
    textOf(draft, field, words);
