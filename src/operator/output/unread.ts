import { hasCode } from '../../core/has-code.js';

/** Nobody takes what is written: the pipe's other end (`| head`) or the terminal is closed. */
const UNREAD = ['EPIPE', 'EIO'];

export const isUnread = (error: unknown): boolean => UNREAD.some((code) => hasCode(error, code));

/** Lets a command go on where nobody reads what it says, so that the exit code tells what came of it. */
export const goOnUnread = (...streams: readonly NodeJS.WritableStream[]): void => {
  for (const stream of streams)
    stream.on('error', (error) => {
      if (!isUnread(error)) throw error;
    });
};
