import { accept, type Decider, type Decision, refuse } from '../../core/decider.js';
import { type EventIn, eventsOf } from '../../core/registry.js';
import { DAY_MS } from '../../core/timestamp.js';
import type { FileSet, fileSetEvents, FileSetIds, TicketContent, TreeFile } from './events.js';

type FileSetEvent = EventIn<typeof fileSetEvents>;
const fileSetEvent = eventsOf<typeof fileSetEvents>();

/** Files that staff send for a ticket. */
export interface UploadedFileSet extends FileSetIds, Pick<FileSet, 'name' | 'bytes' | 'sha256'> {
  /** What it unpacked to; `null` until it is complete. */
  readonly tree: Pick<FileSet, 'treeSha256' | 'files'> | null;
  readonly begunAt: string;
}

/** `null` until it is begun. */
export type FileSetState = UploadedFileSet | null;

/** Folds the stream `file-set-<fileSetId>`. */
export const fileSet: Decider<FileSetState, FileSetEvent> = {
  kind: 'file-set',
  initial: null,
  evolve(state, event) {
    if (event.type === 'file_set.begun')
      return { ...event.data, tree: null, begunAt: event.metadata.recordedAt };
    const { treeSha256, files } = event.data;
    return state && { ...state, tree: { treeSha256, files } };
  },
};

/** The ticket has no file set with that id. */
export const NO_FILE_SET = refuse('not_found', 'This ticket has no such file set.');

export type BeginFileSet = FileSetIds & Pick<FileSet, 'name' | 'bytes' | 'sha256'>;

/** Records an announced file set, before its pieces arrive. If it has begun already, nothing changes. */
export const beginFileSet = (state: FileSetState, input: BeginFileSet): Decision<FileSetEvent> =>
  state === null ? accept(fileSetEvent('file_set.begun', input)) : accept();

/** Records the files that a file set unpacked to. A repeated command changes nothing. */
export const completeFileSet = (
  state: FileSetState,
  tree: { readonly treeSha256: string; readonly files: readonly TreeFile[] },
): Decision<FileSetEvent> => {
  if (state === null) return NO_FILE_SET;
  if (state.tree) return accept();
  const { organisationId, ticketId, fileSetId } = state;
  const { treeSha256, files } = tree;
  const ids = { organisationId, ticketId, fileSetId };
  return accept(fileSetEvent('file_set.completed', { ...ids, treeSha256, files }));
};

/** A complete file set as its ticket names it; `null`: it is not complete. */
export const completed = ({ fileSetId, name, bytes, sha256, tree }: UploadedFileSet): FileSet | null =>
  tree && { id: fileSetId, name, bytes, sha256, ...tree };

/** A file set that no version of its ticket has named this long after it was begun is discarded. */
const NAMED_WITHIN_MS = DAY_MS;

/** Whether the time is over in which a ticket can name the set for the first time. */
export const isLapsed = ({ begunAt }: UploadedFileSet, now: Date): boolean =>
  now.getTime() - Date.parse(begunAt) >= NAMED_WITHIN_MS;

/** The ids of the file sets that a ticket has. */
export const fileSetsIn = ({ starter, checks }: TicketContent): readonly string[] =>
  [starter, checks?.visible, checks?.hidden].flatMap((set) => (set ? [set.id] : []));
