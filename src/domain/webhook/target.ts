import { BlockList, isIP } from 'node:net';
import { urlOf } from '../../core/text.js';

/** Longest URL, in characters. */
export const MAX_URL = 2_000;

/** Suffixes of names in private networks, whatever addresses they resolve to. */
const PRIVATE_SUFFIXES = ['localhost', 'localdomain', 'local', 'internal', 'intranet', 'lan', 'home.arpa'];

/**
 * Why notices may not be sent to a URL, as a sentence that begins with `url`; `null`: they may. `allowPrivate` also
 * accepts http, and hosts in private networks. The addresses that a name resolves to are not checked here, but before
 * each connection.
 */
export const targetProblem = (
  url: string,
  { allowPrivate }: { readonly allowPrivate: boolean },
): string | null => {
  if (url.length > MAX_URL) return `url must have at most ${MAX_URL} characters.`;
  const parsed = parse(url);
  const wanted = allowPrivate ? 'https or http' : 'https';
  if (parsed === null) return `url must be an absolute ${wanted} URL.`;
  if (parsed.protocol !== 'https:' && !(allowPrivate && parsed.protocol === 'http:'))
    return `url must be an absolute ${wanted} URL.`;
  if (parsed.username !== '' || parsed.password !== '') return 'url must not hold a user name or a password.';
  if (url.includes('#')) return 'url must not hold a fragment.';
  if (!allowPrivate && !isPublicHost(hostOf(parsed)))
    return 'url must lead to a host in the public internet: this one is private or set apart.';
  return null;
};

const parse = (url: string): URL | null => {
  // The parser removes white space and line breaks: the URL that is shown would differ from the one that is called.
  if (/[\s\p{Cc}\\]/u.test(url)) return null;
  return urlOf(url);
};

/** The host to connect to: a name without its last dot, or an IP address without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

/**
 * Whether a name or an IP address can lead to the public internet. The URL's parser has already written every spelling
 * of an address (decimal, octal, hexadecimal) in its usual form.
 */
const isPublicHost = (host: string): boolean => {
  if (isIP(host) !== 0) return isPublicAddress(host);
  const name = host.toLowerCase();
  return isDnsName(name) && !PRIVATE_SUFFIXES.some((suffix) => name.endsWith(`.${suffix}`));
};

/** Whether a name can be in the DNS: it has several labels, none of them empty or too long. */
const isDnsName = (name: string): boolean => {
  const labels = name.split('.');
  return (
    name.length <= 253 && labels.length > 1 && labels.every((label) => label.length > 0 && label.length <= 63)
  );
};

/** Private and special-purpose networks, by IANA's registries. */
const RESERVED_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Unicast addresses that are refused: tunnels, which lead to any IPv4 address, and reserved ranges. */
const RESERVED_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const reserved = new BlockList();
for (const [net, prefix] of RESERVED_V4) reserved.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of RESERVED_V6) reserved.addSubnet(net, prefix, 'ipv6');
/** The only IPv6 addresses that are allocated for the public internet. Mapped or link-local ones are not, for example. */
const unicast = new BlockList();
unicast.addSubnet('2000::', 3, 'ipv6');

/** Whether an IP address is in the public internet. One that is not certain to be counts as not. */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 4) return !reserved.check(address, 'ipv4');
  // A zone (`%eth0`) makes an address of this machine's own networks.
  if (isIP(address) !== 6 || address.includes('%')) return false;
  return unicast.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
};
