import { openInterviews } from '../../../projections/open-interviews.js';
import type { Found } from '../../engine/reads.js';
import type { DocumentOf } from '../../engine/view.js';
import type { InterviewEnding } from '../../domain/session/ending.js';

/** Under which it is installed: never to be changed. */
export const NAME = 'finish-interview';

/** Completes every interrupted interview whose time is over; one that is connected is its host's to end. */
export const finishInterviews = (ending: Pick<InterviewEnding, 'finish'>) => ({
  name: NAME,
  view: openInterviews,
  index: 'byDeadline',
  upTo: (): string => new Date().toISOString(),
  // What becomes due wakes nobody.
  pollMs: 500,
  act: ({ document }: Found<DocumentOf<typeof openInterviews>>): Promise<void> =>
    ending.finish(document, 'time_limit'),
});
