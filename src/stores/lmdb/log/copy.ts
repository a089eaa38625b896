import { openTables, logFolder } from './tables.js';

/**
 * Copies a log's data file as it stands at one moment, beside whoever writes to it: writers wait only while its head
 * pages are read. Page by page and without compaction, which would leave head pages that nobody could tell from
 * damaged ones.
 * @param folder the log's, which this process has not open
 * @param target an empty folder
 * @throws {StoreUnusable} there is no log, or it is damaged
 * @throws Error of the system, where the target cannot be written
 */
export async function copyLog(folder: string, target: string): Promise<void> {
  const path = logFolder(folder, true);
  const { root } = openTables(path, true);
  try {
    await root.backup(target, false);
  } finally {
    await root.close();
  }
}
