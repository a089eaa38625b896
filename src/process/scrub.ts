const HIDDEN = '[redacted]';

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // Tokens of three base64url parts, wherever they stand.
  [/(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, HIDDEN],
  [/(\btoken=)[^&\s"'#]+/gi, `$1${HIDDEN}`],
  // Also as a proxy may write the path.
  [/(\bshared(?:\/|%2f)+reports(?:\/|%2f)+)[^/?\s"'#]+/gi, `$1${HIDDEN}`],
  // 256 bits as base64url, such as a share link's token, whatever stands around them.
  [/(?<![A-Za-z0-9_-])(?=[A-Z0-9_-]*[a-z])(?=[a-z0-9_-]*[A-Z])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g, HIDDEN],
  [/(\bbearer\s+)\S+/gi, `$1${HIDDEN}`],
];
/** An e-mail address, or a password in front of a host. */
const ADDRESS = /[^\s@"'<>()[\]{},;:=/]{1,64}(?:@|%40)[^\s@"'<>()[\]{},;:=/?#]{1,255}/gi;
/** Stands in the sentences that show how a server's address is written, and is nobody's. */
const EXAMPLE = 'password@host';

/** A text without anything that looks like a credential or an e-mail address. */
export const scrub = (text: string): string =>
  PATTERNS.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), text).replace(
    ADDRESS,
    (found) => (found === EXAMPLE ? found : HIDDEN),
  );
