/** Has the browser save a file. @param name what it is called unless the reader chooses another name */
export const download = (file: Blob, name: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // A browser that asks where to save it reads it late.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};
