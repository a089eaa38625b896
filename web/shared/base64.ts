const SOME = 0x8000;

/** Bytes as base64. */
export const base64Of = (bytes: Uint8Array): string => {
  let text = '';
  // In parts: all bytes would be too many arguments for one call.
  for (let at = 0; at < bytes.length; at += SOME)
    text += String.fromCharCode(...bytes.subarray(at, at + SOME));
  return btoa(text);
};
