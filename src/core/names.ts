/** Top-level domains that mail programs link most, beside those of two letters. */
const COMMON_ENDINGS: ReadonlySet<string> = new Set(
  (
    'com net org info biz name pro edu gov mil int app dev xyz online site website store shop tech club top live life ' +
    'link click page pages web cloud space host press news blog email mail chat work works jobs careers agency digital ' +
    'group team global world today email solutions services support help money finance bank pay cash loan credit win ' +
    'vip icu cyou rest bond sbs quest monster zip mov run buzz fun wiki ink art design academy university'
  ).split(' '),
);
/** Endings of two letters that are rather those of files and programming languages. */
const OF_FILES: ReadonlySet<string> = new Set('js ts py rb cs rs go vb kt md pl hs ml sh'.split(' '));
/** Names of products that look like addresses. */
const PRODUCTS: ReadonlySet<string> = new Set([
  'asp.net',
  'ado.net',
  'ml.net',
  'vb.net',
  'socket.io',
  'draw.io',
]);

/** What ends a word of a name: signs that are in no address, such as emoji and arrows, and invisible ones. */
const BETWEEN = /(?:[\s\p{Z}\p{C}\p{So}\p{Sc}<>()[\]{}"“”„«»‹›¿¡•·・、‚،؛…,;|^`]|(?![=+~])\p{Sm})+/u;
/** Control characters, ends of lines and marks of direction, as a pattern of JSON Schema may have them too. */
const HIDDEN_SIGNS = String.raw`\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069`;
const HIDDEN = new RegExp(`[${HIDDEN_SIGNS}]`, 'u');
/** The beginning of an encoded word, `=?utf-8?B?…?=`, which mail programs decode in a subject or a sender's name. */
const ENCODED_WORD = /=\?[^\s?]+\?/u;
/** A pattern of JSON Schema for one visible line without these signs. @param others as in a character class */
export const linePattern = (others = ''): string => {
  const not = `${others}${HIDDEN_SIGNS}`;
  return `^[^${not}]*[^\\s${not}][^${not}]*$`;
};
/** The names that `nameFault` accepts, as far as a pattern can express it; the second one also accepts a blank name. */
export const NAME_PATTERN = linePattern();
export const NAME_OR_BLANK_PATTERN = `^(?:[\\t-\\r ]*|[^${HIDDEN_SIGNS}]*)$`;
/** Characters that no address begins or ends with. */
const EDGES = ".:!?'’‘*_~-–—#&+=@";
/** The first of these ends a host's name. */
const BEHIND_HOST = /[/?#\\:@]/u;
/** A mail program may find a host's name behind each of these. */
const BEFORE_HOST = /[/?#\\:@=*+&%!]/u;
/** Most words of a company's name that begins with its address: `Booking.com Deutschland GmbH`. */
const WORDS_OF_A_COMPANY = 3;

/** Every address contains one of these. Other forms of letters and dots are the same to a browser. */
const ADDRESS_SIGN = /[.:。｡．]/u;
const LABEL = /^[\p{L}\p{N}\p{M}-]+$/u;

/** Whether a mail program takes the text for the name of a host. */
const isHost = (text: string): boolean => {
  const labels = text.split('.');
  const ending = labels.at(-1) ?? '';
  if (labels.length < 2 || PRODUCTS.has(text) || !labels.every((label) => LABEL.test(label))) return false;
  if (ending.startsWith('xn--') || COMMON_ENDINGS.has(ending)) return true;
  return /^[a-z]{2}$/.test(ending) && !OF_FILES.has(ending);
};

/** Whether a mail program takes the text for an e-mail address, of any host. */
const isMailAddress = (text: string): boolean =>
  text.split('@').some((host, place) => {
    const labels = (host.split(BEHIND_HOST, 1)[0] ?? '').split('.');
    // No version, as in tool@1.2.3.
    const isNamed = /\p{L}/u.test(labels.at(-1) ?? '');
    return place > 0 && isNamed && labels.length > 1 && labels.every((label) => LABEL.test(label));
  });

const isNumeric = (text: string): boolean => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text);

/** Other forms of letters and dots are the same to a browser. */
const plainly = (word: string): string =>
  word
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[。｡．]/gu, '.');

const SCHEMES = ['http:', 'https:', 'ftp:', 'mailto:', 'javascript:'];

const trimmed = (word: string): string => {
  let [from, to] = [0, word.length];
  while (from < to && EDGES.includes(word.charAt(from))) from++;
  while (to > from && EDGES.includes(word.charAt(to - 1))) to--;
  return word.slice(from, to);
};

/**
 * The first word of a name that a mail program would make a link of; `null`: none. `Booking.com`, `Node.js` and
 * `ASP.NET Core` are names; `evil.example/login`, a host's name inside of more words, and the address of a mailbox are
 * addresses.
 */
export const addressIn = (name: string): string | null => {
  if (!ADDRESS_SIGN.test(name.normalize('NFKC'))) return null;
  const words = name
    .split(BETWEEN)
    .map(trimmed)
    .filter((word) => word !== '');
  return (
    words.find((word, place) => isAddress(word, place === 0 && words.length <= WORDS_OF_A_COMPANY)) ?? null
  );
};

/** @param mayBeCompany whether the word may be the name of a company, which is a host's name too */
const isAddress = (word: string, mayBeCompany: boolean): boolean => {
  const plain = plainly(word);
  if (plain.includes('://') || SCHEMES.some((scheme) => plain.startsWith(scheme) && plain !== scheme))
    return true;
  if (/^www\d?\../u.test(plain)) return true;
  if (isMailAddress(plain)) return true;
  const end = plain.search(BEHIND_HOST);
  const host = end === -1 ? plain : plain.slice(0, end);
  if (end !== -1 && (isHost(host) || isNumeric(host))) return true;
  const hosts = plain
    .split(BEFORE_HOST)
    .map(trimmed)
    .filter((part) => isHost(part) && !isShort(part));
  return hosts.length > 0 && !(mayBeCompany && hosts[0] === plain);
};

/** Co.KG, Sr.Dev: short for something. */
const isShort = (host: string): boolean => {
  const labels = host.split('.');
  return labels.length === 2 && (labels[0] ?? '').length <= 2;
};

/**
 * Why a name must not be set, as the rest of a sentence about it; `null`: it may be. An organisation's and a role's names
 * are also in events as plain text, where somebody's e-mail address would outlast the erasure of that person.
 */
export const nameFault = (name: string): string | null => {
  if (!/\S/u.test(name)) return 'needs at least one visible character.';
  if (HIDDEN.test(name)) return 'must not contain control characters or marks of direction.';
  if (ENCODED_WORD.test(name))
    return 'must not contain “=?…?”: mail programs would show other text in its place.';
  const address = addressIn(name);
  if (address === null) return null;
  return isMailAddress(plainly(address))
    ? 'must not contain an e-mail address: mails would link to it.'
    : `must not contain the address of a page, here "${address}": mails would link to it.`;
};

/**
 * A name that was stored before names were checked, in one line and without what a mail program would link or decode.
 */
export const harmlessName = (name: string): string => {
  const text = ENCODED_WORD.test(name) ? name.replaceAll('=?', '= ?') : name;
  const line = text.replaceAll(/[\s\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ').trim();
  if (addressIn(line) === null) return line;
  return line
    .replaceAll('://', ' ')
    .replaceAll(/[.。｡．](?=[\p{L}\p{N}])/gu, '. ')
    .replaceAll(/:(?=\S)/gu, ': ');
};
