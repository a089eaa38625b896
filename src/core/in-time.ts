import { pause } from './backoff.js';

/** Each part answers in this time or counts as away, below what the health page itself waits for. */
const PATIENCE_MS = 1_800;

/** `null`: it failed, or took too long. */
export const inTime = async <T>(asked: Promise<T>): Promise<T | null> => {
  const over = new AbortController();
  const late = pause(PATIENCE_MS, over.signal).then(() => null);
  try {
    return await Promise.race([asked.catch(() => null), late]);
  } finally {
    over.abort();
  }
};
