import type { ActivityLog } from './activity-log.js';

type Recorder = Pick<ActivityLog, 'add'>;

/** What a pasted text counts as. The text itself is not recorded. */
export const pastePayload = (text: string, prompts: readonly string[]): Record<string, unknown> => {
  const nonBlank = text.replace(/\s+/g, '');
  const squeezed = text.trim().replace(/\s+/g, ' ');
  const fromPrompt =
    squeezed.length >= MIN_PROMPT && prompts.some((prompt) => prompt.replace(/\s+/g, ' ').includes(squeezed));
  return {
    characters: Array.from(text).length,
    nonBlankCharacters: Array.from(nonBlank).length,
    ...(fromPrompt && { source: 'prompt' }),
  };
};

/** Shorter pieces are in most texts. */
const MIN_PROMPT = 20;

/**
 * Records when the page is out of sight and what is pasted into it, as the notice says.
 * @param prompts the texts of tasks and questions at a time
 * @returns ends it
 */
export const recordSignals = (log: Recorder, prompts: () => readonly string[]): (() => void) => {
  const seen = () => log.add(document.visibilityState === 'hidden' ? 'page.hidden' : 'page.shown');
  const pasted = (event: ClipboardEvent) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text !== '') log.add('clipboard.pasted', pastePayload(text, prompts()));
  };
  document.addEventListener('visibilitychange', seen);
  document.addEventListener('paste', pasted);
  return () => {
    document.removeEventListener('visibilitychange', seen);
    document.removeEventListener('paste', pasted);
  };
};
