/** Has the browser save a file. @param name the proposed name */
export const download = (file: Blob, name: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // A browser that asks where to save the file reads it after that.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};
