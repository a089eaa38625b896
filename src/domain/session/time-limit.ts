/** Longest interview, from the first question, without accommodations. */
export const MAX_DURATION_MS = 60 * 60_000;

/** How long an interview may take from its first question on, in whole milliseconds. */
export const maxDurationMs = (timeFactor: number): number => Math.round(MAX_DURATION_MS * timeFactor);

/**
 * When an interview's time is over. The session's events have the end without accommodations, since they are evidence.
 * @param endsAt as the events have it
 */
export const endOfTime = (endsAt: string, timeFactor: number): string =>
  new Date(Date.parse(endsAt) + maxDurationMs(timeFactor) - MAX_DURATION_MS).toISOString();
