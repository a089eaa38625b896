/** Whether an error carries that code, as those of the system do (`ENOENT`). */
export const hasCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;
